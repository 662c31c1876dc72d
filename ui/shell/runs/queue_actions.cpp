#include "ui/shell/runs/queue_actions.h"

#include "launch/queue/queue_times.h"
#include "ui/pages/drawer_bar.h"
#include "ui/pages/runs/queue_panel.h"
#include "ui/shell/notices.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/header_bar.h"

#include <QAction>

namespace lockstep::ui {

QueueActions::QueueActions(
    RunController& controller, QueuePanel& panel, DrawerBar& drawers, Notices& notices, QObject* parent)
    : QObject(parent)
    , m_controller(controller)
    , m_panel(panel)
    , m_drawers(drawers)
    , m_notices(notices)
{
    connect(&panel, &QueuePanel::requested, &controller.queue(), &WindowQueue::change);
    connect(&controller.queue(), &WindowQueue::changed, this, &QueueActions::show);
    connect(&controller, &RunController::recordsListed, this, &QueueActions::show);
    connect(&controller, &RunController::runEnded, this, &QueueActions::show);
}

void QueueActions::connectControls(const HeaderBar& header, const QAction& pause, const QAction& stop)
{
    connect(&header, &HeaderBar::pauseRequested, &m_controller.queue(), &WindowQueue::togglePause);
    connect(&pause, &QAction::triggered, &m_controller.queue(), &WindowQueue::togglePause);
    connect(&header, &HeaderBar::stopRequested, this, &QueueActions::stop);
    connect(&stop, &QAction::triggered, this, &QueueActions::stop);
}

void QueueActions::show()
{
    const WindowQueue& queue = m_controller.queue();
    const std::vector<analysis::RunRecord>& known = m_controller.table().records();
    const launch::QueueTimes seconds = launch::secondsOf(queue.state(), known);
    m_panel.setQueue(queue.state(), seconds.entries, seconds.whole, queue.isOwner() ? 0 : queue.owner());
    m_drawers.setQueued(static_cast<int>(queue.state().entries.size()));
}

void QueueActions::stop()
{
    if (m_controller.queue().waiting() > 0) {
        m_notices.askWhatToStop();
    } else {
        m_controller.stopAll();
    }
}

} // namespace lockstep::ui
