#include "analysis/timing/step_curve.h"

#include <algorithm>
#include <iterator>

namespace lockstep::analysis {

namespace {

/// So long the steps of other ranks wait for the first row of a rank.
constexpr std::int64_t LongestWithoutRowNs = 10'000'000'000;

} // namespace

StepLosses::StepLosses(int worldSize)
    : m_worldSize(std::max(1, worldSize))
{ }

std::optional<WholeStep> StepLosses::add(std::int32_t rank, const StepRow& row)
{
    Sum alone;
    // A run of one rank has nothing to wait for.
    Sum& sum = m_worldSize > 1 ? m_open[row.step] : alone;
    // A rank without a loss, as a stage of a pipeline in a script, has no samples either.
    sum.losses.emplace_back(rank, row.batch > 0 ? row.loss * static_cast<double>(row.batch) : 0.0);
    sum.batch += row.batch;
    sum.samples = std::max(sum.samples, row.samples);
    sum.endNs = std::max(sum.endNs, row.endNs);
    if (m_worldSize > 1) {
        m_newestNs = std::max(m_newestNs, row.endNs);
        m_worldSize += m_ranks.insert(rank).second && m_goesOn ? 1 : 0;
    }
    if (sum.losses.size() < static_cast<std::size_t>(m_worldSize)) {
        return std::nullopt;
    }
    const WholeStep step = whole(row.step, sum);
    m_open.erase(row.step);
    return step;
}

WholeStep StepLosses::whole(std::int64_t step, Sum& sum)
{
    std::sort(sum.losses.begin(), sum.losses.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    double weighted = 0.0;
    for (const auto& [from, loss] : sum.losses) {
        weighted += loss;
    }
    return {step, sum.samples, sum.endNs, sum.batch > 0 ? weighted / static_cast<double>(sum.batch) : NotMeasured};
}

void StepLosses::leave(std::int32_t rank)
{
    if (!m_ranks.contains(rank)) {
        m_without.insert(rank);
    }
}

std::vector<WholeStep> StepLosses::takeLate()
{
    const auto known = static_cast<int>(m_ranks.size());
    if (m_open.empty() || known >= m_worldSize) {
        return {};
    }
    const bool haveLeft = known + static_cast<int>(m_without.size()) >= m_worldSize;
    if (!haveLeft && m_newestNs - m_open.begin()->second.endNs < LongestWithoutRowNs) {
        return {};
    }
    m_goesOn = true;
    m_worldSize = known;
    std::vector<WholeStep> steps;
    for (auto each = m_open.begin(); each != m_open.end();) {
        const bool isWhole = each->second.losses.size() >= static_cast<std::size_t>(known);
        if (isWhole) {
            steps.push_back(whole(each->first, each->second));
        }
        each = isWhole ? m_open.erase(each) : std::next(each);
    }
    return steps;
}

void Holds::add(std::int64_t step)
{
    const auto place = std::lower_bound(m_steps.begin(), m_steps.end(), step);
    if (place == m_steps.end() || *place != step) {
        m_steps.insert(place, step);
    }
}

bool Holds::isUncounted(std::int64_t step, std::int64_t uncounted) const
{
    const auto last = lastBefore(step);
    return last && step - *last <= uncounted;
}

std::optional<std::int64_t> Holds::lastBefore(std::int64_t step) const
{
    const auto next = std::lower_bound(m_steps.begin(), m_steps.end(), step);
    return next == m_steps.begin() ? std::nullopt : std::optional(*std::prev(next));
}

void OwnLosses::add(std::int32_t rank, const StepRow& row, std::int64_t stepsPerEpoch)
{
    std::vector<Point>& points = m_points[rank];
    const auto epochOf = [&](std::int64_t step) { return stepsPerEpoch < 1 ? 0 : (step - 1) / stepsPerEpoch; };
    if (points.empty() || epochOf(points.back().step) != epochOf(row.step)) {
        points.push_back({});
    }
    Point& point = points.back();
    point.step = row.step;
    point.samples = row.samples;
    point.endNs = row.endNs;
    if (row.batch > 0) { // a rank may have no sample in a step
        point.lossTimesSamples += row.loss * static_cast<double>(row.batch);
        point.batch += row.batch;
    }
}

void RunClock::addStep(const StepRow& row)
{
    const std::int64_t begin = row.endNs - row.wallNs;
    while (m_holdsOver < m_holds.size() && m_holds[m_holdsOver].step < row.step) {
        Hold& hold = m_holds[m_holdsOver];
        const std::int64_t before = m_holdsOver == 0 ? 0 : m_holds[m_holdsOver - 1].heldNs;
        hold.endNs = std::max(hold.beginNs, begin);
        hold.heldNs = before + hold.endNs - hold.beginNs;
        ++m_holdsOver;
    }
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

void RunClock::heldAfter(std::int64_t step, std::int64_t ns)
{
    if (m_holds.empty() || step > m_holds.back().step) {
        m_holds.push_back({step, ns, 0, 0});
    }
}

bool RunClock::isHeldBefore(std::int64_t step, std::int64_t ns) const
{
    const auto hold = std::lower_bound(m_holds.begin(), m_holds.end(), step - 1,
        [](const Hold& each, std::int64_t wanted) { return each.step < wanted; });
    return hold != m_holds.end() && hold->step == step - 1 && hold->beginNs <= ns;
}

std::int64_t RunClock::heldNs(std::int64_t ns) const
{
    const auto next = std::upper_bound(m_holds.begin(), m_holds.end(), ns,
        [](std::int64_t wanted, const Hold& each) { return wanted < each.beginNs; });
    if (next == m_holds.begin()) {
        return 0;
    }
    const Hold& last = *std::prev(next);
    const std::int64_t before = next - m_holds.begin() > 1 ? std::prev(next, 2)->heldNs : 0;
    return before + (last.endNs == 0 ? ns : std::min(ns, last.endNs)) - last.beginNs;
}

double RunClock::secondsAt(std::int64_t ns) const
{
    if (!knowsTime()) {
        return NotMeasured;
    }
    std::int64_t paused = heldNs(ns) - heldNs(m_beginNs);
    for (const Pause& pause : m_pauses) {
        const std::int64_t end = pause.endNs == 0 ? ns : std::min(ns, pause.endNs);
        paused += std::max<std::int64_t>(0, end - std::max(pause.beginNs, m_beginNs));
    }
    return static_cast<double>(m_earlierNs + ns - m_beginNs - paused) / 1e9;
}

} // namespace lockstep::analysis
