#include "ui/shell/views/view_modes.h"

#include "ui/pages/runs/run_list.h"
#include "ui/pages/runs/runs_actions.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/notices.h"
#include "ui/shell/runs/replay_session.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/centre_pages.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/window_layout.h"
#include "ui/shell/window_actions.h"

namespace lockstep::ui {

ViewModes::ViewModes(const QString& storeFolder, RunController& controller, CentrePages& centre, ReplayBar& bar,
    RunList& list, RunsPage& runs, WindowActions& actions, WindowLayout& layout, Notices& notices, QObject* parent)
    : QObject(parent)
    , m_controller(controller)
    , m_centre(centre)
    , m_actions(actions)
    , m_layout(layout)
    , m_replay(new ReplaySession(storeFolder, controller, bar, this))
    , m_twoCharts(new TwoCharts(centre.tabs(), controller, this))
{
    connect(actions.twoCharts, &QAction::toggled, m_twoCharts, &TwoCharts::setOn);
    connect(m_twoCharts, &TwoCharts::closeRequested, actions.twoCharts,
        [&actions] { actions.twoCharts->setChecked(false); });
    connect(actions.interfered, &QAction::toggled, m_twoCharts,
        [this](bool isOn) { m_twoCharts->setInterfered(isOn ? Interfered::Include : Interfered::LeaveOut); });
    m_twoCharts->setInterfered(actions.interfered->isChecked() ? Interfered::Include : Interfered::LeaveOut);
    connect(actions.presenter, &QAction::toggled, &layout, &WindowLayout::setPresenting);
    connectReplay(list, runs, notices);
    connectHosts(list, runs, notices);
}

/// What is about charts or runs shows them again.
void ViewModes::connectHosts(RunList& list, RunsPage& runs, Notices& notices)
{
    connect(m_actions.hosts, &QAction::triggered, this, &ViewModes::showHosts);
    for (const QAction* action : {m_actions.chartAlone, m_actions.twoCharts, m_actions.presenter}) {
        connect(action, &QAction::triggered, this, &ViewModes::showRuns);
    }
    connect(&m_actions, &WindowActions::viewChosen, this, &ViewModes::showRuns);
    connect(&list, &RunList::onlyRequested, this, &ViewModes::showRuns);
    connect(&list, &RunList::openRequested, this, &ViewModes::showRuns);
    connect(&list, &RunList::shownRequested, this, &ViewModes::showRuns);
    connect(&m_controller.table(), &RunsTableModel::showRequested, this, &ViewModes::showRuns);
    connect(&runs.actions(), &RunsActions::resumeRequested, this, &ViewModes::showRuns);
    connect(&notices, &Notices::runChosen, this, &ViewModes::showRuns);
    connect(m_replay, &ReplaySession::changed, this, [this] {
        if (m_replay->isOn()) {
            showRuns();
        }
    });
}

/// It is no chart: it is beside the lists, in type of the usual size.
void ViewModes::showHosts()
{
    m_actions.presenter->setChecked(false);
    if (m_layout.isChartAlone()) {
        m_layout.toggleChartAlone();
    }
    m_centre.showHosts();
}

void ViewModes::showRuns()
{
    m_centre.showRuns();
}

void ViewModes::connectReplay(RunList& list, RunsPage& runs, Notices& notices)
{
    connect(m_actions.replay, &QAction::triggered, this, [this] { m_replay->start(drawnRuns(m_controller)); });
    connect(m_actions.replayPlay, &QAction::triggered, m_replay, &ReplaySession::togglePlay);
    connect(m_actions.replayBack, &QAction::triggered, m_replay, &ReplaySession::stepBack);
    connect(m_actions.replayForward, &QAction::triggered, m_replay, &ReplaySession::stepForward);
    connect(m_actions.replayMessage, &QAction::triggered, m_replay, &ReplaySession::nextMessage);
    connect(&list, &RunList::replayRequested, m_replay, &ReplaySession::start);
    connect(&runs.actions(), &RunsActions::replayRequested, m_replay, &ReplaySession::start);
    connect(m_replay, &ReplaySession::failed, &notices, &Notices::showError);
    connect(m_replay, &ReplaySession::changed, this, [this] {
        m_layout.setReplaying(m_replay->isOn());
        m_actions.setReplaying(m_replay->isOn());
        Q_EMIT replayChanged();
    });
}

bool ViewModes::leave()
{
    if (m_centre.showRuns()) {
        return true;
    }
    if (m_actions.presenter->isChecked()) {
        m_actions.presenter->setChecked(false);
    } else if (m_layout.isChartAlone()) {
        m_layout.toggleChartAlone();
    } else if (m_replay->isOn()) {
        m_replay->leave();
    } else {
        return false;
    }
    return true;
}

} // namespace lockstep::ui
