#include "analysis/bubble.h"

#include "analysis/run_record.h"
#include "analysis/summary.h"

#include <algorithm>

namespace lockstep::analysis {

void BubbleBuilder::add(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs,
    std::int64_t durationNs, std::int32_t microBatch)
{
    const bool isPass = phase == Phase::Forward || phase == Phase::Backward;
    if (microBatch < 0 || (!isPass && phase != Phase::Communicate)) {
        return;
    }
    Step& open = m_open[step];
    const bool isFirst = open.passes.empty();
    open.firstNs = isFirst ? startNs : std::min(open.firstNs, startNs);
    open.lastNs = isFirst ? startNs + durationNs : std::max(open.lastNs, startNs + durationNs);
    open.busyNs += durationNs;
    // A sum within a pass splits it in two spans.
    if (const Pass pass{step, phase, microBatch}; isPass && m_lastPass[rank] != pass) {
        ++open.passes[rank];
        m_lastPass[rank] = pass;
    }
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
        // Every rank makes as many passes: where they differ, some were dropped.
        const int passes = step.passes.begin()->second;
        const bool isWhole = step.passes.size() == static_cast<std::size_t>(m_ranks)
            && std::all_of(
                step.passes.begin(), step.passes.end(), [&](const auto& each) { return each.second == passes; });
        if (isWhole) {
            const double rankNs = static_cast<double>(m_ranks) * static_cast<double>(step.lastNs - step.firstNs);
            m_all.busyNs += static_cast<double>(step.busyNs);
            m_all.rankNs += rankNs;
            if (number > WarmUpSteps) {
                m_warm.busyNs += static_cast<double>(step.busyNs);
                m_warm.rankNs += rankNs;
            }
        }
        m_open.erase(m_open.begin());
    }
}

double BubbleBuilder::bubble() const
{
    const Sums& best = m_warm.rankNs > 0.0 ? m_warm : m_all;
    return best.rankNs > 0.0 ? 1.0 - best.busyNs / best.rankNs : NotMeasured;
}

} // namespace lockstep::analysis
