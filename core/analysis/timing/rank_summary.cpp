#include "analysis/timing/rank_summary.h"

#include "analysis/statistics/paired_rounds.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::analysis {

namespace {

constexpr std::size_t MostValues = 8192;
constexpr double NanosecondsPerMs = 1e6;

/// Geometric mean of a figure over blocks.
double typicalOf(const std::vector<MeasuredBlock>& blocks, double MeasuredBlock::*figure)
{
    std::vector<double> values;
    std::ranges::transform(
        blocks, std::back_inserter(values), [figure](const MeasuredBlock& block) { return block.*figure; });
    return meanOfBlocks(values).mean;
}

} // namespace

void RunningMedian::add(double value)
{
    if (m_count++ % m_stride != 0) {
        return;
    }
    if (m_values.size() == MostValues) {
        for (std::size_t i = 0; i < MostValues / 2; ++i) {
            m_values[i] = m_values[2 * i];
        }
        m_values.resize(MostValues / 2);
        m_stride *= 2;
    }
    m_values.push_back(value);
}

double RunningMedian::median() const
{
    if (m_values.empty()) {
        return NotMeasured;
    }
    std::vector<double> values = m_values;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) {
        return *middle;
    }
    return (*middle + *std::max_element(values.begin(), middle)) / 2.0;
}

void putTogether(std::array<double, PhaseCount>& phases)
{
    double& wait = phases[static_cast<std::size_t>(Phase::Wait)];
    phases[static_cast<std::size_t>(Phase::Communicate)] += wait;
    wait = NotMeasured;
}

void RankSummaryBuilder::addStep(std::int32_t rank, const StepRow& row)
{
    m_blocks.addStep(rank, row);
    m_areSamplesKnown = m_areSamplesKnown && (row.samples > 0 || row.bytesSent >= 0);
    Sums& sums = m_ranks[rank];
    if (!sums.isInBlocks && !m_holds.isBeforeBlocks(row.step)) {
        const std::int64_t all = sums.all;
        sums = {}; // as SummaryBuilder does
        sums.all = all;
        sums.isInBlocks = true;
    }
    if (++sums.all <= WarmUpSteps || m_holds.isUncounted(row.step, m_uncounted)) {
        return;
    }
    ++sums.steps;
    sums.wallNs += row.wallNs;
    sums.bytes += row.bytesSent;
    sums.betweenHostsNs += row.betweenHostsNs;
    sums.areBytesKnown = sums.areBytesKnown && row.bytesSent >= 0;
    for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
        sums.phaseNs[phase] += row.phaseNs[phase];
    }
    sums.isWaitKnown = sums.isWaitKnown && row.unattributedNs == 0;
    const std::int64_t waitNs = row.nsOf(Phase::Wait);
    const std::int64_t communicateNs = row.nsOf(Phase::Communicate) + (row.unattributedNs > 0 ? waitNs : 0);
    sums.wait.add(static_cast<double>(waitNs) / NanosecondsPerMs);
    sums.communicate.add(static_cast<double>(communicateNs) / NanosecondsPerMs);
}

void RankSummaryBuilder::heldAfter(
    std::int32_t rank, std::int64_t step, std::int64_t uncounted, const BlockOfRank& block)
{
    m_uncounted = uncounted;
    m_holds.add(step);
    m_blocks.heldAfter(rank, step, uncounted, block);
}

void RankSummaryBuilder::addTypical(Summary& summary) const
{
    const std::vector<MeasuredBlock> blocks = m_blocks.kept();
    if (blocks.empty()) {
        summary.msPerStepTypical = summary.msPerStep;
        summary.samplesPerSecondTypical = summary.samplesPerSecond;
        summary.commMsPerStepTypical = summary.commMsPerStep;
        summary.waitMsPerStepTypical = summary.waitMsPerStep;
        return;
    }
    summary.msPerStepTypical = typicalOf(blocks, &MeasuredBlock::msPerStep);
    summary.samplesPerSecondTypical
        = m_areSamplesKnown ? typicalOf(blocks, &MeasuredBlock::samplesPerSecond) : NotMeasured;
    StepSums total;
    for (const auto& [rank, sums] : m_blocks.keptSums()) {
        total.add(sums);
    }
    if (!(total.wallNs > 0.0)) {
        return;
    }
    // What is not known of all steps is not known of these.
    const bool isWaitKnown = std::isfinite(summary.waitMsPerStep);
    const double msOfNs = summary.msPerStepTypical / total.wallNs;
    summary.commMsPerStepTypical
        = std::isfinite(summary.commMsPerStep) ? total.communicateNs(isWaitKnown) * msOfNs : NotMeasured;
    summary.waitMsPerStepTypical
        = isWaitKnown ? total.phaseNs[static_cast<std::size_t>(Phase::Wait)] * msOfNs : NotMeasured;
}

/// Scaled so that the mean over ranks is the run's figure.
void RankSummaryBuilder::addTypical(std::vector<RankSummary>& summaries) const
{
    const std::vector<MeasuredBlock> blocks = m_blocks.kept();
    const std::map<std::int32_t, StepSums> kept = m_blocks.keptSums();
    StepSums total;
    for (const auto& [rank, sums] : kept) {
        total.add(sums);
    }
    const double scale = blocks.empty() || !(total.wallNs > 0.0)
        ? 1.0
        : typicalOf(blocks, &MeasuredBlock::msPerStep) / total.msPerStep();
    for (RankSummary& summary : summaries) {
        const auto found = kept.find(summary.rank);
        if (blocks.empty() || found == kept.end()) {
            summary.msPerStepTypical = summary.msPerStep;
            summary.phaseMsTypical = summary.phaseMs;
            continue;
        }
        const StepSums& sums = found->second;
        summary.msPerStepTypical = scale * sums.msPerStep();
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            summary.phaseMsTypical[phase] = scale * sums.phaseNs[phase] / sums.steps / NanosecondsPerMs;
        }
        if (!m_ranks.at(summary.rank).isWaitKnown) {
            putTogether(summary.phaseMsTypical);
        }
    }
}

std::vector<RankSummary> RankSummaryBuilder::summaries(Medians medians) const
{
    std::vector<RankSummary> result;
    for (const auto& [rank, sums] : m_ranks) {
        if (sums.steps == 0) {
            continue;
        }
        const auto steps = static_cast<double>(sums.steps);
        RankSummary summary;
        summary.rank = rank;
        for (std::size_t phase = 0; phase < PhaseCount; ++phase) {
            summary.phaseMs[phase] = static_cast<double>(sums.phaseNs[phase]) / steps / NanosecondsPerMs;
        }
        if (!sums.isWaitKnown) {
            putTogether(summary.phaseMs);
        }
        summary.msPerStep = static_cast<double>(sums.wallNs) / steps / NanosecondsPerMs;
        summary.bytesPerStep = sums.areBytesKnown ? static_cast<double>(sums.bytes) / steps : NotMeasured;
        if (sums.betweenHostsNs > 0) {
            summary.betweenHostsMs = static_cast<double>(sums.betweenHostsNs) / steps / NanosecondsPerMs;
        }
        if (medians == Medians::With) {
            summary.medianWaitMs = sums.isWaitKnown ? sums.wait.median() : NotMeasured;
            summary.medianCommunicateMs = sums.communicate.median();
        }
        result.push_back(summary);
    }
    addTypical(result);
    return result;
}

void addMemory(std::vector<RankMemory>& memory, const RankMemory& sample)
{
    RankMemory& now = ofRank(memory, sample.rank);
    const RankMemory before = std::exchange(now, sample);
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        now.most[kind] = std::max(before.most[kind], sample.most[kind]);
    }
    now.mostOfSum = std::max(before.mostOfSum, sample.mostOfSum);
    now.highest = std::max(before.highest, sample.highest);
    now.highestResident = std::max(before.highestResident, sample.highestResident);
}

void addMeasurement(std::vector<CollectiveMeasurement>& all, const CollectiveMeasurement& ofOneRank)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const CollectiveMeasurement& each) {
        return each.collective == ofOneRank.collective && each.algorithm == ofOneRank.algorithm
            && each.type == ofOneRank.type && each.bytes == ofOneRank.bytes && each.inPlace == ofOneRank.inPlace
            && each.shared == ofOneRank.shared;
    });
    if (found == all.end()) {
        all.push_back(ofOneRank);
        return;
    }
    found->p50Us = std::max(found->p50Us, ofOneRank.p50Us);
    found->p99Us = std::max(found->p99Us, ofOneRank.p99Us);
    found->meanUs = std::max(found->meanUs, ofOneRank.meanUs);
    found->wrong += ofOneRank.wrong;
}

} // namespace lockstep::analysis
