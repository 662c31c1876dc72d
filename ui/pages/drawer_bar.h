// The line at the bottom of the window that opens and closes the log and the table of runs. GUI thread only.
#pragma once

#include <QWidget>

class QAction;
class QToolButton;

namespace lockstep::ui {

class LogModel;

class DrawerBar : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the bar.
    explicit DrawerBar(const LogModel& model, QWidget* parent = nullptr);

    /// The switches of the two panels; they outlive the bar.
    void setActions(QAction* log, QAction* table);

protected:
    void changeEvent(QEvent* event) override;

private:
    void connectSwitch(QToolButton* button, QAction* action);
    void retranslate();

    const LogModel& m_model;
    QToolButton* m_log;
    QToolButton* m_table;
};

} // namespace lockstep::ui
