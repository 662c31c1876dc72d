#include "analysis/timing/bubble.h"

#include "analysis/run_record.h"
#include "analysis/timing/summary.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

/// Of ranks that share a layer.
bool isSumWithinPass(Phase phase)
{
    return phase == Phase::Communicate || phase == Phase::Wait;
}

} // namespace

bool StepPasses::isPass(Phase phase, std::int32_t microBatch)
{
    return microBatch >= 0 && (phase == Phase::Forward || phase == Phase::Backward || isSumWithinPass(phase));
}

void StepPasses::add(
    std::int32_t rank, Phase phase, std::int64_t startNs, std::int64_t durationNs, std::int32_t microBatch)
{
    if (!isPass(phase, microBatch)) {
        return;
    }
    const bool isFirst = passes.empty();
    firstNs = isFirst ? startNs : std::min(firstNs, startNs);
    lastNs = isFirst ? startNs + durationNs : std::max(lastNs, startNs + durationNs);
    busyNs += durationNs;
    OfRank& own = passes[rank];
    // A sum within a pass splits it in two spans.
    if (!isSumWithinPass(phase) && (own.count == 0 || own.phase != phase || own.microBatch != microBatch)) {
        own = {own.count + 1, phase, microBatch};
    }
}

bool StepPasses::isWhole(int ranks) const
{
    return !passes.empty() && passes.size() == static_cast<std::size_t>(ranks)
        && std::all_of(passes.begin(), passes.end(),
            [this](const auto& each) { return each.second.count == passes.begin()->second.count; });
}

void BubbleSums::add(const StepPasses& step, int ranks)
{
    busyNs += static_cast<double>(step.busyNs);
    rankNs += static_cast<double>(ranks) * static_cast<double>(step.lastNs - step.firstNs);
}

double BubbleSums::bubble() const
{
    return rankNs > 0.0 ? 1.0 - busyNs / rankNs : NotMeasured;
}

void BubbleBuilder::add(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs,
    std::int64_t durationNs, std::int32_t microBatch)
{
    if (!StepPasses::isPass(phase, microBatch)) {
        return;
    }
    m_open[step].add(rank, phase, startNs, durationNs, microBatch);
    std::int64_t& last = m_lastStep[rank];
    if (step > last) {
        last = step;
        close(std::min_element(m_lastStep.begin(), m_lastStep.end(), [](const auto& a, const auto& b) {
            return a.second < b.second;
        })->second);
    }
}

void BubbleBuilder::close(std::int64_t before)
{
    if (m_lastStep.size() < static_cast<std::size_t>(m_ranks)) {
        return;
    }
    while (!m_open.empty() && m_open.begin()->first < before) {
        const auto& [number, step] = *m_open.begin();
        if (step.isWhole(m_ranks)) {
            m_all.add(step, m_ranks);
            if (number > WarmUpSteps) {
                m_warm.add(step, m_ranks);
            }
        }
        m_open.erase(m_open.begin());
    }
}

double BubbleBuilder::bubble() const
{
    return (m_warm.rankNs > 0.0 ? m_warm : m_all).bubble();
}

} // namespace lockstep::analysis
