// The feed itself and its curves; cards, speed and interventions are in run_feed_ranks.cpp.
#include "ui/models/run_feed.h"

#include "ui/models/run_feed_data.h"

#include <algorithm>

namespace lockstep::ui {

namespace {

/// Room is made for a run's own number of steps at once, up to this; beyond it in steps of a quarter, not of the whole:
/// a stored point then never costs more than 1.25 of itself.
constexpr std::int64_t LargestReserve = 1'000'000;

template <typename T>
void append(std::vector<T>& column, T value)
{
    if (column.size() == column.capacity()) {
        column.reserve(column.size() + column.size() / 4 + 256);
    }
    column.push_back(value);
}

} // namespace

RunFeed::RunFeed(analysis::RunRecord record, std::unique_ptr<session::DeltaSource> source, QObject* parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->record = std::move(record);
    m_private->source = std::move(source);
}

RunFeed::~RunFeed() = default;

const RunId& RunFeed::id() const
{
    return m_private->record.id;
}

const analysis::RunRecord& RunFeed::record() const
{
    return m_private->record;
}

QString RunFeed::displayName() const
{
    const analysis::RunRecord& record = m_private->record;
    if (!record.label.empty()) {
        return QString::fromStdString(record.label);
    }
    const QString name = QString::fromStdString(record.spec.name.empty() ? record.id.text : record.spec.name);
    return record.spec.repeat == 0 ? name : QStringLiteral("%1 #%2").arg(name).arg(record.spec.repeat + 1);
}

QColor RunFeed::color() const
{
    return m_private->color;
}

void RunFeed::setColor(const QColor& color)
{
    if (m_private->color != color) {
        m_private->color = color;
        Q_EMIT recordChanged();
    }
}

bool RunFeed::isVisible() const
{
    return m_private->isVisible;
}

void RunFeed::setVisible(bool visible)
{
    if (m_private->isVisible != visible) {
        m_private->isVisible = visible;
        Q_EMIT recordChanged();
    }
}

const LossColumns& RunFeed::loss() const
{
    return m_private->loss;
}

const analysis::Curve& RunFeed::accuracy() const
{
    return m_private->accuracy;
}

const std::vector<RankCard>& RunFeed::ranks() const
{
    return m_private->cards;
}

std::vector<analysis::RankSummary> RunFeed::rankMeans() const
{
    return m_private->rankSums.summaries(analysis::RankSummaryBuilder::Medians::Without);
}

std::vector<analysis::RankSummary> RunFeed::rankSummaries() const
{
    return m_private->rankSums.summaries();
}

const std::vector<Intervention>& RunFeed::interventions() const
{
    return m_private->interventions;
}

const TimelineModel& RunFeed::timeline() const
{
    return m_private->timeline;
}

const RingModel& RunFeed::ring() const
{
    return m_private->ring;
}

const wire::Prepared& RunFeed::facts() const
{
    return m_private->facts;
}

bool RunFeed::pull()
{
    if (m_private->source == nullptr) {
        return false;
    }
    const session::DeltaPtr delta = m_private->source->take();
    if (delta == nullptr || delta->isEmpty()) {
        return false;
    }
    m_private->take(*delta);
    const bool isRecordChanged = m_private->takeStatuses(*delta);
    Q_EMIT advanced(delta);
    if (isRecordChanged) {
        Q_EMIT recordChanged();
    }
    return true;
}

void RunFeed::Private::take(const session::Delta& delta)
{
    for (const auto& [rank, hello] : delta.hellos) {
        if (hello.worldSize > worldSize) {
            worldSize = static_cast<int>(hello.worldSize);
            losses = analysis::StepLosses(worldSize);
        }
        card(rank);
        hosts[rank] = hello.host;
    }
    for (const auto& [rank, prepared] : delta.prepared) {
        cores[rank] = prepared.cores;
        if (rank == 0 || facts.totalSteps == 0) {
            facts = prepared;
            makeRoom();
        }
    }
    for (const auto& [rank, applied] : delta.applied) {
        session::addIntervention(clock, applied); // before the steps that come after a pause
    }
    for (const auto& [rank, batch] : delta.steps) {
        takeSteps(rank, batch);
    }
    takeEvaluations(delta);
    for (const auto& [rank, spans] : delta.spans) {
        if (summary != nullptr) {
            session::addSpans(*summary, rank, spans);
        }
    }
    timeline.take(delta);
    ring.take(delta);
    takeApplied(delta);
    takeRanks(delta);
    refreshCards();
    refreshSpeed();
    if (summary != nullptr && !delta.steps.empty()) {
        record.summary = summary->summary();
    }
    takeMemory(delta);
    machines.insert(machines.end(), delta.machines.begin(), delta.machines.end());
    machineSamples.insert(machineSamples.end(), delta.machineSamples.begin(), delta.machineSamples.end());
}

bool RunFeed::Private::takeStatuses(const session::Delta& delta)
{
    for (const session::StatusChange& change : delta.statuses) {
        record.status = change.status;
        record.message = change.message;
    }
    return !delta.statuses.empty();
}

void RunFeed::Private::makeRoom()
{
    const auto steps = static_cast<std::size_t>(std::clamp<std::int64_t>(facts.totalSteps, 0, LargestReserve));
    loss.step.reserve(steps);
    loss.epoch.reserve(steps);
    loss.seconds.reserve(steps);
    loss.loss.reserve(steps);
}

void RunFeed::Private::takeSteps(std::int32_t rank, const wire::StepBatch& batch)
{
    if (batch.size() == 0) {
        return;
    }
    if (summary == nullptr) {
        summary = std::make_unique<analysis::SummaryBuilder>(worldSize);
        summary->setStart(record.summary.secondsToFirstLoss, record.summary.startSeconds);
        summary->setData(facts.trainSamples, facts.testSamples);
        for (const auto& [each, count] : cores) {
            summary->setHost(each, hosts[each]);
            summary->setCores(each, count);
        }
        for (const analysis::RankShare& share : record.shares) {
            summary->addShare(share.rank, share.labels); // told before the first step
        }
    }
    Recent sums{batch.endNs.back(), static_cast<std::int64_t>(batch.size()), 0, {}};
    for (std::size_t row = 0; row < batch.size(); ++row) {
        takeRow(rank, batch, row);
        sums.wallNs += batch.wallNs[row];
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            sums.phaseNs[phase] += batch.phaseNs[phase][row];
        }
    }
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        phaseNs[phase] += sums.phaseNs[phase];
    }
    rows += sums.steps;
    recent[rank].push_back(sums);
    RankCard& shown = card(rank);
    shown.step = batch.step.back();
    shown.loss = batch.batch.back() > 0 ? batch.loss.back() : analysis::NotMeasured; // no samples, no loss
}

void RunFeed::Private::takeRow(std::int32_t rank, const wire::StepBatch& batch, std::size_t row)
{
    const analysis::StepRow values = session::rowAt(batch, row);
    clock.addStep(values);
    summary->addStep(rank, values);
    rankSums.addStep(rank, values);
    if (const auto whole = losses.add(values)) {
        append(loss.step, whole->step);
        append(loss.epoch, epochAt(whole->samples));
        append(loss.seconds, clock.secondsAt(whole->endNs));
        append(loss.loss, whole->loss);
    }
}

void RunFeed::Private::takeEvaluations(const session::Delta& delta)
{
    for (const auto& [rank, measured] : delta.measurements) {
        analysis::addMeasurement(record.measurements, session::measurementOf(measured));
    }
    for (const auto& share : delta.shares) {
        analysis::addShare(record.shares, session::shareOf(share));
        if (summary != nullptr) {
            summary->addShare(share.rank, share.what.labels);
            record.summary = summary->summary();
        }
    }
    for (const auto& [rank, result] : delta.verifications) {
        if (summary != nullptr) {
            summary->setVerification(result.maxRelativeDifference);
            record.summary = summary->summary();
        }
    }
    for (const auto& [rank, result] : delta.evaluations) {
        accuracy.step.push_back(result.step);
        accuracy.epoch.push_back(epochAt(result.samples));
        accuracy.seconds.push_back(clock.secondsAt(result.endNs));
        accuracy.value.push_back(result.accuracy);
        if (summary != nullptr) {
            summary->addEvaluation(result.accuracy, result.loss);
            record.summary = summary->summary();
        }
    }
}

} // namespace lockstep::ui
