// The log of the shown runs: filter by rank and level, copy. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace lockstep::ui {

class LogFilter;
class LogModel;

class LogPage : public Translated<QWidget> {
    Q_OBJECT

public:
    /// The model outlives the page.
    explicit LogPage(LogModel& model, QWidget* parent = nullptr);

private:
    void copySelected();
    void styleTable();
    void fillRanks();
    void retranslate() final;

    LogModel& m_model;
    LogFilter* m_filter;
    QLabel* m_heading;
    QComboBox* m_rank;
    QComboBox* m_level;
    QTableView* m_table;
    QAction* m_copy;
};

} // namespace lockstep::ui
