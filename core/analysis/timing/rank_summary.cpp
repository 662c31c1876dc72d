#include "analysis/timing/rank_summary.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

constexpr std::size_t MostValues = 8192;
constexpr double NanosecondsPerMs = 1e6;

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
    if (const auto held = m_holds.lastBefore(row.step)) {
        Stretch& stretch = m_communicate[*held];
        stretch.ns += communicateNs;
        ++stretch.rows;
    }
}

void RankSummaryBuilder::heldAfter(std::int64_t step, std::int64_t uncounted)
{
    m_uncounted = uncounted;
    m_holds.add(step);
}

std::vector<double> RankSummaryBuilder::communicateMsOfBlocks() const
{
    std::vector<double> result;
    for (const auto& [step, stretch] : m_communicate) {
        result.push_back(static_cast<double>(stretch.ns) / static_cast<double>(stretch.rows) / NanosecondsPerMs);
    }
    return result;
}

void BlocksBuilder::add(const BlockOfRank& block)
{
    std::vector<BlockOfRank>& ranks = m_open[block.number];
    ranks.push_back(block);
    if (static_cast<int>(ranks.size()) < m_worldSize) {
        return;
    }
    MeasuredBlock whole{.number = block.number, .startNs = block.startNs, .endNs = block.endNs, .steps = block.steps};
    double msPerStep = 0.0;
    std::int64_t wallNs = 0;
    std::int64_t samples = 0;
    for (const BlockOfRank& rank : ranks) {
        whole.startNs = std::min(whole.startNs, rank.startNs);
        whole.endNs = std::max(whole.endNs, rank.endNs);
        whole.steps = std::min(whole.steps, rank.steps);
        msPerStep += static_cast<double>(rank.wallNs) / NanosecondsPerMs / static_cast<double>(rank.steps);
        wallNs += rank.wallNs;
        samples += rank.samples;
    }
    const auto count = static_cast<double>(ranks.size());
    whole.msPerStep = msPerStep / count;
    whole.samplesPerSecond = static_cast<double>(samples) / (static_cast<double>(wallNs) / count * 1e-9);
    m_open.erase(block.number);
    if (whole.steps > 0) {
        m_blocks.push_back(whole);
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
