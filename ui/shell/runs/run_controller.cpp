#include "ui/shell/runs/run_controller.h"

#include "datasets/registry.h"
#include "experiment/choices.h"
#include "language/language.h"
#include "language/wording.h"
#include "launch/expected_times.h"
#include "launch/own/own_parameters.h"
#include "launch/quiet_wait.h"
#include "launch/ranks/rank_program.h"
#include "plan/check.h"
#include "store/checkpoints.h"
#include "ui/models/form/error_text.h"
#include "ui/theme/settings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include <malloc.h>

namespace lockstep::ui {

using analysis::RunStatus;

namespace {

/// Each time that a run begins or ends: finished runs of the batch make the estimates of the others better.
double waitingSecondsOf(
    const std::vector<RunId>& batch, const launch::Session& session, const std::vector<analysis::RunRecord>& stored)
{
    std::vector<analysis::RunRecord> known;
    std::vector<experiment::RunSpec> waiting;
    for (const RunId& id : batch) {
        analysis::RunRecord record = session.record(id);
        if (record.id.isEmpty()) {
            continue; // another process carries it out
        }
        if (record.status == RunStatus::Queued) {
            waiting.push_back(std::move(record.spec));
        } else if (record.status == RunStatus::Finished) {
            known.insert(known.begin(), std::move(record));
        }
    }
    known.insert(known.end(), stored.begin(), stored.end());
    return launch::ExpectedTimes(known).of(waiting).seconds;
}

/// Of a run of this session, else as the store has it, else as another process has queued it.
analysis::RunRecord recordOf(
    const launch::Session& session, const RunsTableModel& table, const launch::QueueState& queue, const RunId& id)
{
    analysis::RunRecord record = session.record(id);
    if (!record.id.isEmpty()) {
        return record;
    }
    if (const analysis::RunRecord* stored = table.record(id)) {
        return *stored;
    }
    for (const launch::QueueEntry& entry : queue.entries) {
        const auto run = std::ranges::find(entry.runs, id, [](const auto& each) { return each.id.value_or(RunId()); });
        if (run != entry.runs.end()) {
            record.spec = run->spec;
        }
    }
    return record;
}

/// This session's runs are newer than the index, and some are not in it yet.
std::vector<analysis::RunRecord> withRunsOf(
    const launch::Session& session, const std::vector<RunId>& batch, std::vector<analysis::RunRecord> all)
{
    for (analysis::RunRecord& record : all) {
        const bool isOwn = !session.record(record.id).id.isEmpty();
        if (isOwn && std::ranges::find(batch, record.id) != batch.end()) {
            const std::string label = record.label;
            const analysis::RunMarks marks = record.marks;
            record = session.record(record.id);
            record.label = label;
            record.marks = marks;
        }
    }
    for (auto id = batch.rbegin(); id != batch.rend(); ++id) {
        const bool isListed = std::any_of(all.begin(), all.end(), [&](const auto& r) { return r.id == *id; });
        const analysis::RunRecord own = session.record(*id);
        if (!isListed && !own.id.isEmpty() && !analysis::isFinal(own.status)) {
            all.insert(all.begin(), own);
        }
    }
    return all;
}

/// Shows each of these once, as soon as the store has it.
void showStored(RunController& controller, const std::vector<RunId>& runs, std::set<RunId>& shown)
{
    for (const RunId& id : runs) {
        if (controller.table().record(id) != nullptr && shown.insert(id).second) {
            controller.showRun(id);
        }
    }
}

/// Ended runs whose settings are listed otherwise now: a laboratory hides them, or does so no longer.
void readDrawnAgain(RunController& controller)
{
    std::vector<RunId> changed;
    for (const RunFeed* feed : controller.shown().inLegends()) {
        const analysis::RunRecord* record = controller.table().record(feed->id());
        const bool isOther = record != nullptr && !(record->spec.settings == feed->record().spec.settings);
        if (isOther && analysis::isFinal(record->status)) {
            changed.push_back(feed->id());
        }
    }
    for (const RunId& id : changed) {
        controller.shown().hide(id);
        controller.showRun(id);
    }
}

} // namespace

RunController::RunController(const QString& storeFolder, QObject* parent)
    : QObject(parent)
    , m_worker(storeFolder)
    , m_table(this)
    , m_log(this)
    , m_feeds(m_table, m_log, [this] { return isBusy(); })
{
    m_log.setShown([this](const RunId& id, const Text& line) {
        const analysis::RunRecord* record = m_table.record(id);
        return record == nullptr ? line : m_hidden.shown(record->spec, line);
    });
    qRegisterMetaType<lockstep::analysis::RunStatus>("lockstep::analysis::RunStatus");
    connect(&m_feeds.runs(), &ShownRuns::changed, this, &RunController::feedsChanged);
    connect(&m_feeds, &ShownFeeds::ticked, this, &RunController::ticked);
    connect(&m_worker, &StoreWorker::listed, this, [this](const Records& records) {
        auto listed = m_session == nullptr ? *records : withRunsOf(*m_session, m_batch, *records);
        for (analysis::RunRecord& each : listed) {
            each = m_hidden.shown(std::move(each));
        }
        m_table.setRecords(std::move(listed));
        readDrawnAgain(*this);
        // Another window may have deleted what is drawn here. Hiding one ends a replay, which destroys its feeds.
        std::vector<RunId> drawn = m_feeds.runs().inLegends();
        std::ranges::transform(m_feeds.inLegends(), std::back_inserter(drawn), &RunFeed::id);
        for (const RunId& id : drawn) {
            if (std::ranges::find(m_batch, id) == m_batch.end() && m_table.record(id) == nullptr) {
                m_feeds.hide(id);
            }
        }
        if (!m_queue.isOwner()) {
            showStored(*this, m_batch, m_followed);
        }
        Q_EMIT recordsListed();
        Q_EMIT stateChanged();
    });
    connect(&m_worker, &StoreWorker::failed, this, &RunController::storeFailed);
    connect(&m_worker, &StoreWorker::imported, this, &RunController::imported);
    connect(&m_worker, &StoreWorker::removed, this, [this](const RunId& id) {
        const analysis::RunRecord* record = m_table.record(id);
        const QString name = record == nullptr ? QString() : runName(*record);
        m_feeds.hide(id);
        m_table.removeRun(id);
        Q_EMIT runRemoved(id, name);
    });
    connect(&m_table, &RunsTableModel::showRequested, this, &RunController::showRun);
    connect(&m_table, &RunsTableModel::hideRequested, &m_feeds, &ShownFeeds::hide);
    connect(&m_table, &RunsTableModel::renameRequested, this, &RunController::rename);
    connect(&m_table, &RunsTableModel::markRequested, &m_worker, &StoreWorker::mark);
}

void RunController::setHidden(laboratory::HiddenSettings hidden)
{
    if (m_hidden != hidden) {
        m_hidden = std::move(hidden);
        m_worker.list();
    }
}

RunController::~RunController()
{
    // Live sources end before the session that feeds them.
    m_feeds.end();
}

void RunController::open(launch::SessionOptions options)
{
    m_rankProgram = options.rankProgram;
    options.storeFolder = m_worker.folder();
    options.staysReady = true;
    options.quietTimeout = launch::quietTimeoutFromEnvironment();
    options.chosenHosts = &settings::chosenHosts;
    m_session = std::make_unique<launch::Session>(options);
    const auto onStatus = [this](const RunId& id, RunStatus status) {
        m_table.upsert(m_hidden.shown(m_session->record(id)));
        m_feeds.wake(id);
        m_waitingSeconds = waitingSecondsOf(m_batch, *m_session, m_nearest);
        if (status == RunStatus::Failed && m_session->reach(id) != launch::FailureReach::FromAnother) {
            const analysis::RunRecord record = m_hidden.shown(m_session->record(id));
            Q_EMIT runFailed(id, runName(record), QString::fromStdString(language::worded(record.why())));
        }
        Q_EMIT stateChanged();
    };
    connect(m_session.get(), &launch::Session::statusChanged, this, onStatus);
    connect(m_session.get(), &launch::Session::noted, this,
        [this](const Text& line) { Q_EMIT noted(QString::fromStdString(language::worded(line))); });
    connect(m_session.get(), &launch::Session::runEnded, this, [this](const RunId& id) {
        m_feeds.pullNow(id);
        m_table.upsert(m_hidden.shown(m_session->record(id)));
        Q_EMIT runEnded(id);
        Q_EMIT stateChanged();
    });
    connect(&m_queue, &WindowQueue::changed, this, &RunController::stateChanged);
    connect(&m_queue, &WindowQueue::failed, this, &RunController::storeFailed);
    const auto onBegan = [this](const std::vector<RunId>& runs) {
        m_log.clear();
        m_session->forget(std::exchange(m_batch, runs));
        std::vector<experiment::RunSpec> specs;
        std::ranges::transform(
            runs, std::back_inserter(specs), [this](const RunId& id) { return m_session->record(id).spec; });
        m_nearest = launch::ExpectedTimes(m_table.records()).nearestTo(specs);
        std::vector<std::unique_ptr<RunFeed>> feeds;
        for (const RunId& id : m_batch) {
            m_table.upsert(m_hidden.shown(m_session->record(id)));
            feeds.push_back(
                std::make_unique<RunFeed>(m_hidden.shown(m_session->record(id)), m_session->liveSource(id)));
        }
        m_feeds.begin(std::move(feeds));
        m_waitingSeconds = waitingSecondsOf(m_batch, *m_session, m_nearest);
        malloc_trim(0); // what former runs had, in the arena of each thread
        Q_EMIT stateChanged();
    };
    connect(&m_queue, &WindowQueue::began, this, onBegan);
    connect(&m_queue, &WindowQueue::followed, this, [this](const std::vector<RunId>& runs) {
        const auto isKnown = [this](const RunId& id) { return std::ranges::find(m_batch, id) != m_batch.end(); };
        if (!runs.empty() && std::ranges::none_of(runs, isKnown)) {
            m_feeds.keepOnly(m_feeds.runs().kept()); // another experiment has begun
        }
        m_batch = runs;
        showStored(*this, m_batch, m_followed);
    });
    m_worker.open();
    m_queue.open(m_worker.folder(), *m_session);
}

void RunController::start(const std::vector<experiment::RunSpec>& runs)
{
    if (m_session == nullptr || runs.empty()) {
        return;
    }
    // Other hosts cannot be checked from here.
    if (settings::chosenHosts().empty()) {
        const auto described = datasets::described(runs);
        auto possible = described ? plan::checkAll(*described) : described.error();
        possible = possible ? launch::checkProgramsAreThere(runs, m_rankProgram) : possible;
        if (!possible) {
            Q_EMIT storeFailed(titledErrorText(possible.error()));
            return;
        }
    }
    if (const auto open = launch::Trust().uncovered(runs); !open.empty()) {
        Q_EMIT confirmationNeeded(runs, open);
        return;
    }
    std::vector<experiment::RunSpec> complete = runs;
    launch::confirm(complete);
    if (const auto possible = launch::completeOwnParameters(complete); !possible) {
        Q_EMIT storeFailed(titledErrorText(possible.error()));
        return;
    }
    m_queue.add(complete);
}

void RunController::send(const wire::Control& control)
{
    const RunFeed* feed = currentFeed();
    const bool isOfOne = control.command == wire::Command::Checkpoint;
    for (const RunId& id : m_batch) {
        if (m_session != nullptr && feed != nullptr && (!isOfOne || id == feed->id())) {
            m_session->send(id, control);
        }
    }
}

void RunController::resume(const std::vector<RunId>& ids)
{
    if (m_session == nullptr || isBusy()) {
        return;
    }
    std::vector<experiment::RunSpec> specs;
    std::vector<RunId> resumed;
    for (const RunId& id : ids) {
        const analysis::RunRecord* record = m_table.record(id);
        if (record == nullptr || record->status == RunStatus::Finished || m_queue.resumeExperimentOf(id)) {
            continue;
        }
        const auto spec = store::resumedSpec(m_worker.folder(), *record);
        if (!spec) {
            Q_EMIT storeFailed(QString::fromStdString(language::errorLine(spec.error())));
            continue;
        }
        if (const auto kept = launch::Trust().add(launch::checkpointRisks(*spec)); !kept) {
            Q_EMIT storeFailed(QString::fromStdString(language::errorLine(kept.error())));
        }
        specs.push_back(*spec);
        resumed.push_back(id);
    }
    start(specs);
    for (const RunId& id : resumed) {
        showRun(id);
    }
}

void RunController::stopAll()
{
    m_queue.stopAll();
}

bool RunController::isBusy() const
{
    return m_queue.isBusy() || (m_session != nullptr && m_session->isBusy());
}

void RunController::showRun(const RunId& id)
{
    const analysis::RunRecord* record = m_table.record(id);
    if (record == nullptr || m_feeds.showAgain(id)) {
        return;
    }
    m_feeds.addStored(storedFeed(*record, m_worker.folder()));
}

void RunController::rename(const RunId& id, const QString& label)
{
    m_worker.rename(id, label);
    m_feeds.setLabel(id, label);
}

RunFeed* RunController::currentFeed() const
{
    RunFeed* last = nullptr;
    for (const RunId& id : m_batch) {
        RunFeed* feed = m_feeds.find(id);
        if (feed == nullptr) {
            continue;
        }
        const RunStatus status = recordOf(*m_session, m_table, m_queue.state(), id).status;
        if (status == RunStatus::Queued) {
            return last == nullptr ? feed : last;
        }
        last = feed;
        if (!analysis::isFinal(status)) {
            return last;
        }
    }
    return last;
}

BatchProgress RunController::progress() const
{
    BatchProgress progress;
    progress.count = static_cast<int>(m_batch.size());
    for (int i = 0; i < progress.count; ++i) {
        const analysis::RunRecord record
            = recordOf(*m_session, m_table, m_queue.state(), m_batch[static_cast<std::size_t>(i)]);
        if (analysis::isFinal(record.status) || record.spec.settings.empty()) { // empty: its entry has just ended
            progress.done += 1.0 / progress.count;
            continue;
        }
        if (progress.number != 0) { // runs that take turns are alive together
            const RunFeed* feed = m_feeds.find(record.id);
            const double part = feed != nullptr ? feed->progress() : 0.0;
            progress.done += (std::isnan(part) ? 0.0 : part) / progress.count;
        }
        if (progress.number == 0) {
            progress.number = i + 1;
            progress.name = runName(record);
            progress.experiment = experimentTitle(record.spec);
            progress.status = record.status;
            const bool hasEpochs = !is(record.spec, experiment::Strategy::Collectives, experiment::Strategy::Own)
                && record.spec.settings->train.steps == 0;
            progress.epochs = hasEpochs ? record.spec.settings->train.epochs : 0;
            if (const RunFeed* feed = m_feeds.find(record.id)) {
                const double part = feed->progress();
                progress.part = std::isnan(part) ? 0.0 : part;
                progress.done += progress.part / progress.count;
                progress.secondsLeft = feed->secondsLeft() + m_waitingSeconds;
                const auto& epoch = feed->loss().epoch;
                progress.epoch = epoch.empty() ? 0.0 : epoch.back();
            }
        }
    }
    return progress;
}

std::vector<RunId> drawnRuns(const RunController& controller)
{
    std::vector<RunId> ids;
    std::ranges::transform(controller.feeds(), std::back_inserter(ids), &RunFeed::id);
    return ids;
}

void showOnly(RunController& controller, const std::vector<RunId>& ids)
{
    controller.shown().keepOnly(ids);
    for (const RunId& id : ids) {
        controller.showRun(id);
    }
    controller.shown().tell(); // removes the previous runs' charts at once
}

void showBesideKept(RunController& controller, std::vector<RunId> ids)
{
    const std::vector<RunId> kept = controller.shown().runs().kept();
    ids.insert(ids.end(), kept.begin(), kept.end());
    showOnly(controller, ids);
}

void verifyInFloat64(RunController& controller, const RunId& id)
{
    const analysis::RunRecord* record = controller.table().record(id);
    if (record == nullptr || controller.isBusy()) {
        return;
    }
    experiment::RunSpec spec = record->spec;
    spec.settings.set(&experiment::TrainSettings::dtype, experiment::WeightType::Float64);
    spec.settings.set(&experiment::VerifySettings::isOn, true);
    experiment::dropInapplicable(spec); // train.precision is of float32
    if (const auto valid = experiment::validate(spec); !valid) {
        Q_EMIT controller.storeFailed(QString::fromStdString(language::errorLine(valid.error())));
        return;
    }
    controller.start({spec});
    controller.showRun(id);
}

} // namespace lockstep::ui
