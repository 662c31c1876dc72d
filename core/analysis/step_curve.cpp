#include "analysis/step_curve.h"

#include <algorithm>

namespace lockstep::analysis {

StepLosses::StepLosses(int worldSize)
    : m_worldSize(std::max(1, worldSize))
{ }

std::optional<WholeStep> StepLosses::add(std::int32_t rank, const StepRow& row)
{
    Sum alone;
    // A run of one rank has nothing to wait for.
    Sum& sum = m_worldSize > 1 ? m_open[row.step] : alone;
    sum.losses.emplace_back(rank, row.loss * static_cast<double>(row.batch));
    sum.batch += row.batch;
    sum.samples = std::max(sum.samples, row.samples);
    sum.endNs = std::max(sum.endNs, row.endNs);
    if (sum.losses.size() < static_cast<std::size_t>(m_worldSize)) {
        return std::nullopt;
    }
    std::sort(sum.losses.begin(), sum.losses.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double weighted = 0.0;
    for (const auto& [from, loss] : sum.losses) {
        weighted += loss;
    }
    const WholeStep whole{
        row.step, sum.samples, sum.endNs, sum.batch > 0 ? weighted / static_cast<double>(sum.batch) : NotMeasured};
    m_open.erase(row.step);
    return whole;
}

void RunClock::addStep(const StepRow& row)
{
    const std::int64_t begin = row.endNs - row.wallNs;
    m_beginNs = hasBegun() ? std::min(m_beginNs, begin) : begin;
    m_endNs = std::max(m_endNs, row.endNs);
}

void RunClock::pausedAt(std::int64_t ns)
{
    // Ranks report the same pause one after the other, some after others have reported its end.
    if (m_pauses.empty() || (m_pauses.back().endNs != 0 && ns >= m_pauses.back().endNs)) {
        m_pauses.push_back({ns, 0});
    }
}

void RunClock::resumedAt(std::int64_t ns)
{
    if (!m_pauses.empty() && m_pauses.back().endNs == 0) {
        m_pauses.back().endNs = ns;
    }
}

double RunClock::secondsAt(std::int64_t ns) const
{
    std::int64_t paused = 0;
    for (const Pause& pause : m_pauses) {
        const std::int64_t end = pause.endNs == 0 ? ns : std::min(ns, pause.endNs);
        paused += std::max<std::int64_t>(0, end - std::max(pause.beginNs, m_beginNs));
    }
    return static_cast<double>(ns - m_beginNs - paused) / 1e9;
}

} // namespace lockstep::analysis
