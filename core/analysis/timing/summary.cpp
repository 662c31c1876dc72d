#include "analysis/timing/summary.h"

#include "analysis/timing/bubble.h"
#include "analysis/timing/critical_path.h"
#include "analysis/timing/machine_load.h"
#include "plan/partition/partition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::analysis {

namespace {

constexpr double NsPerMs = 1e6;
constexpr double NsPerSecond = 1e9;

/// Sums over one rank's steps after the warm-up, and over all of them for runs shorter than that. In floating point:
/// exact below 2^53 (104 days in ns), and the rows of a damaged file cannot overflow them.
struct Sums {
    double steps = 0.0;
    double samples = 0.0;
    double wallNs = 0.0;
    double communicateNs = 0.0;
    double waitNs = 0.0;
    double unattributedNs = 0.0;
    double hiddenNs = 0.0;
    double betweenHostsNs = 0.0;
    double bytes = 0.0;
    bool areBytesKnown = true;
    bool areSamplesKnown = true; ///< of a user's own program that reports neither: false
    std::array<double, TrafficKindCount> bytesByKind{};

    void add(const StepRow& row)
    {
        const auto timeOf
            = [&](Phase phase) { return static_cast<double>(row.phaseNs[static_cast<std::size_t>(phase)]); };
        steps += 1.0;
        samples += static_cast<double>(row.batch);
        wallNs += static_cast<double>(row.wallNs);
        communicateNs += timeOf(Phase::Communicate);
        waitNs += timeOf(Phase::Wait);
        unattributedNs += static_cast<double>(row.unattributedNs);
        hiddenNs += static_cast<double>(row.hiddenNs);
        betweenHostsNs += static_cast<double>(row.betweenHostsNs);
        areBytesKnown = areBytesKnown && row.bytesSent >= 0;
        areSamplesKnown = areSamplesKnown && (row.samples > 0 || row.bytesSent >= 0);
        bytes += static_cast<double>(row.bytesSent);
        for (std::size_t kind = 0; kind < TrafficKindCount && row.bytesByKind; ++kind) {
            bytesByKind[kind] += static_cast<double>((*row.bytesByKind)[kind]);
        }
    }

    void add(const Sums& other)
    {
        steps += other.steps;
        samples += other.samples;
        wallNs += other.wallNs;
        communicateNs += other.communicateNs;
        waitNs += other.waitNs;
        unattributedNs += other.unattributedNs;
        hiddenNs += other.hiddenNs;
        betweenHostsNs += other.betweenHostsNs;
        areBytesKnown = areBytesKnown && other.areBytesKnown;
        areSamplesKnown = areSamplesKnown && other.areSamplesKnown;
        bytes += other.bytes;
        for (std::size_t kind = 0; kind < TrafficKindCount; ++kind) {
            bytesByKind[kind] += other.bytesByKind[kind];
        }
    }
};

struct RankSums {
    Sums all;
    Sums warm;
    bool isInBlocks = false;

    /// The warm ones where there are any.
    [[nodiscard]] const Sums& best() const { return warm.steps > 0.0 ? warm : all; }
};

void addCriticalPath(const PathSums& sums, Summary& summary)
{
    if (sums.steps == 0 || !(sums.wholeNs() > 0.0)) {
        return;
    }
    const auto most = std::max_element(
        sums.rankNs.begin(), sums.rankNs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    summary.criticalCommMsPerStep
        = sums.phaseNs[static_cast<std::size_t>(Phase::Communicate)] / static_cast<double>(sums.steps) / NsPerMs;
    summary.criticalRank = most->first;
    summary.criticalShare = most->second / sums.wholeNs();
}

} // namespace

struct SummaryBuilder::State {
    explicit State(int ranksOfRun)
        : worldSize(std::max(1, ranksOfRun))
        , bubble(worldSize)
        , path(worldSize)
        , losses(worldSize)
    { }

    int worldSize;
    bool tellsKinds = false; ///< of what is sent
    BubbleBuilder bubble;
    CriticalPathBuilder path;
    std::map<std::int32_t, RankSums> ranks;
    StepLosses losses;
    Holds holds;
    std::int64_t uncounted = 0; ///< steps after a hold
    std::int64_t staleGradients = 0; ///< of which the staleness is known
    double stalenessSum = 0.0;
    std::int64_t largestStaleness = 0;
    RunClock clock;
    std::map<std::int32_t, std::vector<std::int64_t>> shares; ///< labels of each rank's share
    std::map<std::int32_t, std::string> hosts; ///< of each rank
    std::map<std::int32_t, std::int64_t> cores; ///< of each rank's host
    std::map<std::int32_t, ProcessorTimes> processor; ///< of each rank
    Summary summary;

    void add(const WholeStep& step);
    void addStaleness(std::int64_t staleness);
    void addMachineLoad(Summary& to) const;
};

void SummaryBuilder::State::add(const WholeStep& step)
{
    if (step.step >= summary.steps) {
        summary.steps = step.step;
        summary.finalLoss = step.loss;
    }
    if (std::isfinite(step.loss) && !(summary.bestLoss <= step.loss)) {
        summary.bestLoss = step.loss;
    }
}

void SummaryBuilder::State::addStaleness(std::int64_t staleness)
{
    if (staleness >= 0) {
        ++staleGradients;
        stalenessSum += static_cast<double>(staleness);
        largestStaleness = std::max(largestStaleness, staleness);
    }
}

void SummaryBuilder::State::addMachineLoad(Summary& to) const
{
    if (processor.size() != static_cast<std::size_t>(worldSize)) {
        return; // a rank cannot tell: nor can the run
    }
    const MachineLoad load = machineLoadOf(processor, hosts);
    to.runDelayShare = load.runDelayShare;
    to.delayByOthers = load.delayByOthers;
    to.cpuCores = load.cpuCores;
}

SummaryBuilder::SummaryBuilder(int worldSize)
    : m_state(std::make_unique<State>(worldSize))
{ }

SummaryBuilder::~SummaryBuilder() = default;
SummaryBuilder::SummaryBuilder(SummaryBuilder&&) noexcept = default;
SummaryBuilder& SummaryBuilder::operator=(SummaryBuilder&&) noexcept = default;

void SummaryBuilder::setWorldSize(int worldSize)
{
    if (worldSize != m_state->worldSize) {
        m_state->worldSize = std::max(1, worldSize);
        m_state->bubble = BubbleBuilder(m_state->worldSize);
        m_state->path = CriticalPathBuilder(m_state->worldSize);
        m_state->losses = StepLosses(m_state->worldSize);
    }
}

const RunClock& SummaryBuilder::clock() const
{
    return m_state->clock;
}

std::optional<WholeStep> SummaryBuilder::addStep(std::int32_t rank, const StepRow& row)
{
    RankSums& sums = m_state->ranks[rank];
    m_state->tellsKinds = m_state->tellsKinds || row.bytesByKind.has_value();
    sums.all.add(row);
    if (!sums.isInBlocks && !m_state->holds.isBeforeBlocks(row.step)) {
        sums.isInBlocks = true;
        sums.warm = {}; // the other runs of the comparison were loading
    }
    if (sums.all.steps > static_cast<double>(WarmUpSteps)
        && !m_state->holds.isUncounted(row.step, m_state->uncounted)) {
        sums.warm.add(row);
    }
    m_state->addStaleness(row.staleness);
    m_state->clock.addStep(row);
    const auto whole = m_state->losses.add(rank, row);
    if (whole) {
        m_state->add(*whole);
    }
    return whole;
}

void SummaryBuilder::leave(std::int32_t rank)
{
    m_state->losses.leave(rank);
}

std::vector<WholeStep> SummaryBuilder::takeLateSteps()
{
    std::vector<WholeStep> steps = m_state->losses.takeLate();
    for (const WholeStep& step : steps) {
        m_state->add(step);
    }
    return steps;
}

void SummaryBuilder::addSpan(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs,
    std::int64_t durationNs, std::int32_t microBatch)
{
    m_state->bubble.add(rank, step, phase, startNs, durationNs, microBatch);
    m_state->path.add(rank, step, phase, startNs, durationNs);
}

void SummaryBuilder::addEvaluation(double accuracy, double trainLoss)
{
    Summary& summary = m_state->summary;
    summary.trainLoss = std::isnan(trainLoss) ? summary.trainLoss : trainLoss;
    if (std::isnan(accuracy)) {
        return; // a user's own program may measure the loss alone
    }
    summary.testAccuracy = accuracy;
    if (!(summary.bestTestAccuracy >= accuracy)) {
        summary.bestTestAccuracy = accuracy;
    }
}

void SummaryBuilder::pausedAt(std::int64_t ns)
{
    m_state->clock.pausedAt(ns);
}

void SummaryBuilder::resumedAt(std::int64_t ns)
{
    m_state->clock.resumedAt(ns);
}

void SummaryBuilder::heldAfter(std::int64_t step, std::int64_t ns, std::int64_t uncounted)
{
    m_state->uncounted = uncounted;
    m_state->holds.add(step);
    m_state->clock.heldAfter(step, ns);
}

void SummaryBuilder::addDroppedSpans(std::int64_t count)
{
    m_state->summary.droppedSpans += count;
}

void SummaryBuilder::setVerification(double maxRelativeDifference, std::vector<double> drifts)
{
    m_state->summary.verifyMaxRelativeDifference = maxRelativeDifference;
    m_state->summary.verifyDrifts = std::move(drifts);
}

void SummaryBuilder::addShare(std::int32_t rank, std::vector<std::int64_t> labels)
{
    auto& shares = m_state->shares;
    shares[rank] = std::move(labels);
    if (shares.size() == static_cast<std::size_t>(m_state->worldSize)) {
        std::vector<std::vector<std::int64_t>> byRank;
        for (const auto& [number, ofRank] : shares) {
            byRank.push_back(ofRank);
        }
        // With a single class, as for windows of a text, mixtures cannot differ.
        const bool hasClasses
            = std::any_of(byRank.begin(), byRank.end(), [](const auto& ofRank) { return ofRank.size() > 1; });
        m_state->summary.labelSkew = hasClasses ? plan::labelSkew(byRank) : NotMeasured;
    }
}

void addShare(std::vector<RankShare>& shares, RankShare share)
{
    ofRank(shares, share.rank) = std::move(share);
}

void SummaryBuilder::addMemory(const RankMemory& sample)
{
    analysis::addMemory(m_state->summary.memory, sample);
}

void SummaryBuilder::setProcessorTimes(std::int32_t rank, const ProcessorTimes& times)
{
    if (times.watchedNs > 0) {
        m_state->processor[rank] = times;
    }
}

void SummaryBuilder::setData(std::int64_t trainSamples, std::int64_t testSamples)
{
    m_state->summary.trainSamples = trainSamples;
    m_state->summary.testSamples = testSamples;
}

void SummaryBuilder::setDevice(const std::string& device)
{
    m_state->summary.device = device;
}

void SummaryBuilder::setHost(std::int32_t rank, const std::string& host)
{
    m_state->hosts[rank] = host;
    std::set<std::string> hosts;
    for (const auto& [each, name] : m_state->hosts) {
        hosts.insert(name);
    }
    m_state->summary.hosts = static_cast<std::int64_t>(hosts.size());
}

void SummaryBuilder::setCores(std::int32_t rank, std::int64_t cores)
{
    m_state->cores[rank] = cores;
    std::map<std::string, std::int64_t> byHost;
    for (const auto& [each, count] : m_state->cores) {
        byHost[m_state->hosts[each]] = count;
    }
    m_state->summary.cores = 0;
    for (const auto& [host, count] : byHost) {
        m_state->summary.cores += count;
    }
}

void SummaryBuilder::setResumption(const Resumption& resumption, std::int64_t earlierNs)
{
    m_state->summary.resumption = resumption;
    m_state->clock.setEarlierNs(earlierNs);
}

void SummaryBuilder::setStart(double secondsToFirstLoss, double startSeconds)
{
    m_state->summary.secondsToFirstLoss = secondsToFirstLoss;
    m_state->summary.startSeconds = startSeconds;
}

Summary SummaryBuilder::summary() const
{
    Summary summary = m_state->summary;
    summary.bubbleFraction = m_state->bubble.bubble();
    addCriticalPath(m_state->path.sums(), summary);
    m_state->addMachineLoad(summary);
    if (m_state->staleGradients > 0) {
        summary.staleness = m_state->stalenessSum / static_cast<double>(m_state->staleGradients);
        summary.largestStaleness = static_cast<double>(m_state->largestStaleness);
    }
    Sums total;
    for (const auto& [rank, sums] : m_state->ranks) {
        total.add(sums.best());
    }
    if (total.steps == 0.0) {
        return summary;
    }
    // Every rank takes the same steps: a mean over all rows is the mean over ranks of the mean over steps.
    summary.msPerStep = total.wallNs > 0.0 ? total.wallNs / total.steps / NsPerMs : NotMeasured;
    const bool isWaitKnown = total.unattributedNs == 0.0;
    const double communicateNs = total.communicateNs + (isWaitKnown ? 0.0 : total.waitNs);
    const bool isCommunicationKnown = isWaitKnown || communicateNs > 0.0;
    summary.commMsPerStep = isCommunicationKnown ? communicateNs / total.steps / NsPerMs : NotMeasured;
    summary.waitMsPerStep = isWaitKnown ? total.waitNs / total.steps / NsPerMs : NotMeasured;
    summary.exposedMsPerStep = isCommunicationKnown && m_state->worldSize > 1
        ? (total.communicateNs + total.waitNs) / total.steps / NsPerMs
        : NotMeasured;
    summary.bytesPerStep = total.areBytesKnown ? total.bytes / total.steps : NotMeasured;
    for (std::size_t kind = 0; kind < TrafficKindCount && m_state->tellsKinds; ++kind) {
        summary.bytesByKind[kind] = total.bytesByKind[kind] / total.steps;
    }
    if (total.betweenHostsNs > 0.0) {
        summary.betweenHostsMsPerStep = total.betweenHostsNs / total.steps / NsPerMs;
    }
    if (total.hiddenNs > 0.0) {
        summary.overlapFraction = total.hiddenNs / (total.hiddenNs + total.communicateNs + total.waitNs);
    }
    if (total.wallNs > 0.0) {
        summary.commFraction = isWaitKnown ? total.communicateNs / total.wallNs : NotMeasured;
        summary.commWithWaitFraction
            = isCommunicationKnown ? (total.communicateNs + total.waitNs) / total.wallNs : NotMeasured;
        const double perRankSeconds = total.wallNs / NsPerSecond / static_cast<double>(m_state->ranks.size());
        summary.samplesPerSecond = total.areSamplesKnown ? total.samples / perRankSeconds : NotMeasured;
    }
    summary.trainSeconds = m_state->clock.secondsAt(m_state->clock.endNs());
    return summary;
}

} // namespace lockstep::analysis
