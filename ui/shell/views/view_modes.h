// What changes the window's view as a whole: the page about hosts, a replay of stored runs, presenter mode, a second
// chart. It connects them to actions, lists and layout. GUI thread only.
#pragma once

#include <QObject>

namespace lockstep::ui {

class CentrePages;
class Notices;
class ReplayBar;
class ReplaySession;
class RunController;
class RunList;
class RunsPage;
class TwoCharts;
class WindowActions;
class WindowLayout;

class ViewModes : public QObject {
    Q_OBJECT

public:
    /// All outlive this.
    ViewModes(const QString& storeFolder, RunController& controller, CentrePages& centre, ReplayBar& bar, RunList& list,
        RunsPage& runs, WindowActions& actions, WindowLayout& layout, Notices& notices, QObject* parent);

    /// One step back: out of the hosts, presenter mode, the lone chart, a replay. False: there was none.
    bool leave();
    /// Leaves the page about hosts; no-op elsewhere.
    void showRuns();
    [[nodiscard]] ReplaySession& replay() { return *m_replay; }
    [[nodiscard]] TwoCharts& twoCharts() { return *m_twoCharts; }

Q_SIGNALS:
    /// A replay has begun or ended.
    void replayChanged();

private:
    void connectReplay(RunList& list, RunsPage& runs, Notices& notices);
    void connectHosts(RunList& list, RunsPage& runs, Notices& notices);
    void showHosts();

    RunController& m_controller;
    CentrePages& m_centre;
    WindowActions& m_actions;
    WindowLayout& m_layout;
    ReplaySession* m_replay;
    TwoCharts* m_twoCharts;
};

} // namespace lockstep::ui
