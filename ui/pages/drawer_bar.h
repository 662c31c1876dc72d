// The line at the bottom of the window that opens and closes the log, the queue and the table of runs. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QWidget>

class QAction;
class QToolButton;

namespace lockstep::ui {

class LogModel;

class DrawerBar : public Translated<QWidget> {
    Q_OBJECT

public:
    /// The model outlives the bar.
    explicit DrawerBar(const LogModel& model, QWidget* parent = nullptr);

    /// The switches of the panels; they outlive the bar.
    void setActions(QAction* log, QAction* queue, QAction* table);
    /// Experiments in the queue.
    void setQueued(int count);

private:
    void connectSwitch(QToolButton* button, QAction* action);
    void retranslate() final;

    const LogModel& m_model;
    int m_queued = 0;
    QToolButton* m_log;
    QToolButton* m_queue;
    QToolButton* m_table;
};

} // namespace lockstep::ui
