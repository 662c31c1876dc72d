#include "launch/session.h"

#include "base/clock.h"
#include "datasets/registry.h"
#include "launch/own/own_program.h"
#include "launch/run_comparison.h"
#include "launch/run_queue.h"

#include <QDir>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QThread>
#include <QTimer>

#include <cassert>

namespace lockstep::launch {

namespace {

using namespace std::chrono_literals;

/// Asking, SIGTERM and SIGKILL together stay within the 3 s that a closing window may take.
constexpr auto PatienceAtTheEnd = 1000ms;
/// The window comes first.
constexpr auto ReadyAfter = 1000ms;

} // namespace

experiment::RunSpec withAbsolutePaths(experiment::RunSpec spec)
{
    if (const std::string& program = spec.settings->rank.program; !program.empty()) {
        spec.settings.set(&experiment::RankSettings::program, withAbsoluteScript(program));
    }
    if (const std::string& path = spec.settings->dataset.path; !path.empty()) {
        spec.settings.set(&experiment::DatasetSettings::path,
            QDir::cleanPath(QFileInfo(QString::fromStdString(path)).absoluteFilePath()).toStdString());
    }
    return spec;
}

class Session::Private {
public:
    SessionOptions options;
    std::shared_ptr<RunBoard> board = std::make_shared<RunBoard>();
    QThread thread;
    RunQueue* queue = nullptr; ///< lives in `thread`, deleted by it
    bool isFirst = true;

    template <typename Call>
    void post(Call call)
    {
        QMetaObject::invokeMethod(
            queue, [target = queue, call] { call(*target); }, Qt::QueuedConnection);
    }
};

Session::Session(SessionOptions options, QObject* parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>())
{
    if (options.storeFolder.isEmpty()) {
        options.storeFolder = store::RunStore::defaultFolder();
    }
    m_private->options = options;
    m_private->queue = new RunQueue(options, m_private->board);
    m_private->queue->moveToThread(&m_private->thread);
    connect(&m_private->thread, &QThread::finished, m_private->queue, &QObject::deleteLater);
    connect(m_private->queue, &RunQueue::statusChanged, this, &Session::statusChanged);
    connect(m_private->queue, &RunQueue::runEnded, this, &Session::runEnded);
    connect(m_private->queue, &RunQueue::noted, this, &Session::noted);
    connect(m_private->queue, &RunQueue::allEnded, this, &Session::allEnded);
    m_private->thread.setObjectName(QStringLiteral("session"));
    m_private->thread.start();
    if (m_private->options.staysReady) {
        m_private->post([](RunQueue& queue) { QTimer::singleShot(ReadyAfter, &queue, &RunQueue::prepare); });
    }
}

Session::~Session()
{
    RunQueue* queue = m_private->queue;
    queue->disconnect(this);
    m_private->post([thread = &m_private->thread, board = m_private->board](RunQueue& target) {
        // Connected there, so that a run that ends in between is not missed.
        connect(&target, &RunQueue::allEnded, thread, &QThread::quit, Qt::DirectConnection);
        target.stopAll(PatienceAtTheEnd);
        if (!board->isBusy()) {
            thread->quit();
        }
    });
    if (!m_private->thread.wait(3s)) {
        m_private->thread.quit(); // any remaining rank is killed with its RankProcess
        m_private->thread.wait();
    }
}

std::vector<RunId> Session::start(const std::vector<experiment::RunSpec>& runs, const std::vector<RunId>& given)
{
    assert(given.empty() || given.size() == runs.size());
    std::vector<RunId> ids;
    std::vector<RunJob::Setup> jobs;
    const bool wasBusy = isBusy();
    if (m_private->options.chosenHosts) {
        m_private->options.hosts = m_private->options.chosenHosts();
    }
    const std::int64_t now = wallNs(); // one for all: their ids begin with it
    for (const experiment::RunSpec& run : runs) {
        RunJob::Setup job;
        do {
            job.record.id = given.empty() ? makeRunId(now / 1'000'000'000, QRandomGenerator::global()->generate())
                                          : given[ids.size()];
        } while (given.empty() && m_private->board->record(job.record.id));
        job.record.spec = withAbsolutePaths(run);
        if (m_private->options.hosts.empty()) {
            // What is wrong with the files is the ranks' to report.
            static_cast<void>(datasets::describe(job.record.spec));
        }
        job.record.createdNs = now;
        job.options = m_private->options;
        job.feed = std::make_shared<LiveFeed>();
        if (jobs.empty() && !wasBusy) {
            const std::int64_t programStart = m_private->isFirst ? m_private->options.programStartNs : 0;
            job.startNs = programStart != 0 ? programStart : monotonicNs();
            m_private->isFirst = false;
        }
        m_private->board->add(job.record, job.feed);
        ids.push_back(job.record.id);
        jobs.push_back(std::move(job));
    }
    arrange(jobs);
    if (!jobs.empty()) {
        m_private->post([jobs](RunQueue& queue) { queue.enqueue(jobs); });
    }
    return ids;
}

std::unique_ptr<store::DeltaSource> Session::liveSource(const RunId& id)
{
    const std::shared_ptr<LiveFeed> feed = m_private->board->feed(id);
    if (!feed) {
        return nullptr;
    }
    if (feed->claim()) {
        return sourceOf(feed);
    }
    const auto known = m_private->board->record(id);
    return known && analysis::isFinal(known->status) ? store::replaySource(m_private->options.storeFolder, id)
                                                     : nullptr;
}

analysis::RunRecord Session::record(const RunId& id) const
{
    return m_private->board->record(id).value_or(analysis::RunRecord{});
}

bool Session::isRefused(const RunId& id) const
{
    return m_private->board->isRefused(id);
}

FailureReach Session::reach(const RunId& id) const
{
    return m_private->board->reach(id);
}

void Session::forget(const std::vector<RunId>& ids)
{
    m_private->board->forget(ids);
}

bool Session::isBusy() const
{
    return m_private->board->isBusy();
}

void Session::send(const RunId& id, const wire::Control& control)
{
    m_private->post([id, control](RunQueue& queue) { queue.send(id, control); });
}

void Session::stop(const RunId& id)
{
    m_private->post([id](RunQueue& queue) { queue.stop(id); });
}

void Session::stopAll()
{
    m_private->post([patience = m_private->options.stopTimeout](RunQueue& queue) { queue.stopAll(patience); });
}

void Session::killAll()
{
    m_private->post([](RunQueue& queue) { queue.killAll(); });
}

} // namespace lockstep::launch
