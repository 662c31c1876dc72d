// What the window does with its queue: shows it in the drawer, passes requests on, and asks what Stop means. GUI thread
// only.
#pragma once

#include <QObject>

class QAction;

namespace lockstep::ui {

class DrawerBar;
class HeaderBar;
class Notices;
class QueuePanel;
class RunController;

class QueueActions : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this.
    QueueActions(RunController& controller, QueuePanel& panel, DrawerBar& drawers, Notices& notices, QObject* parent);

    /// The controls of the active experiment.
    void connectControls(const HeaderBar& header, const QAction& pause, const QAction& stop);

private:
    void show();
    /// Asks whether others start, if there are any.
    void stop();

    RunController& m_controller;
    QueuePanel& m_panel;
    DrawerBar& m_drawers;
    Notices& m_notices;
};

} // namespace lockstep::ui
