// The log of the shown runs: filter by rank and level, copy. GUI thread only.
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace lockstep::ui {

class LogFilter;
class LogModel;

class LogPage : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the page.
    explicit LogPage(LogModel& model, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void copySelected();
    void styleTable();
    void fillRanks();
    void retranslate();

    LogModel& m_model;
    LogFilter* m_filter;
    QLabel* m_heading;
    QComboBox* m_rank;
    QComboBox* m_level;
    QTableView* m_table;
    QAction* m_copy;
};

} // namespace lockstep::ui
