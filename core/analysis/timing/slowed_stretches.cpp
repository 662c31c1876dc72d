#include "analysis/timing/slowed_stretches.h"

#include <algorithm>
#include <cmath>

namespace lockstep::analysis {

namespace {

constexpr std::int64_t FewestSteps = 10; ///< of a stretch that says what a step takes
constexpr std::size_t MostStretches = 1000; ///< a slider that is moved on and on

/// The mean of what is known; NotMeasured where nothing is.
class Mean {
public:
    void add(double value)
    {
        m_sum += value;
        ++m_count;
    }
    [[nodiscard]] double value() const { return m_count == 0 ? NotMeasured : m_sum / m_count; }

private:
    double m_sum = 0.0;
    int m_count = 0;
};

} // namespace

/// The stretch that begins at this step: a new one, or the last one where that has no rows yet.
SlowedStretchesBuilder::Stretch& SlowedStretchesBuilder::from(std::int64_t step)
{
    Stretch& last = m_stretches.back();
    if (step <= last.firstStep || m_stretches.size() >= MostStretches) {
        return last;
    }
    Stretch next;
    next.firstStep = step;
    next.delays = last.delays;
    next.link = last.link;
    m_stretches.push_back(std::move(next));
    return m_stretches.back();
}

void SlowedStretchesBuilder::delayed(std::int64_t step, std::int32_t rank, double ms)
{
    const bool isKnown = m_isDelayed || ms > 0.0;
    if (!isKnown) {
        return;
    }
    m_isDelayed = true;
    Stretch& stretch = from(step);
    for (std::int32_t each = rank < 0 ? 0 : rank; each < (rank < 0 ? m_worldSize : rank + 1); ++each) {
        if (ms > 0.0) {
            stretch.delays[each] = ms;
        } else {
            stretch.delays.erase(each);
        }
    }
}

void SlowedStretchesBuilder::linkChanged(std::int64_t step)
{
    ++from(step).link;
}

/// Rows of one rank come in step order, but a slower rank's follow what a faster one reported of a later stretch.
void SlowedStretchesBuilder::addStep(std::int32_t rank, const StepRow& row)
{
    auto stretch = m_stretches.end() - 1;
    while (stretch != m_stretches.begin() && row.step < stretch->firstStep) {
        --stretch;
    }
    stretch->lastStep = std::max(stretch->lastStep, row.step);
    // The first steps of a run warm up; the first one after a change may be half of each.
    const bool isFirst = stretch == m_stretches.begin();
    if (row.step < stretch->firstStep + (isFirst ? WarmUpSteps : 1)) {
        return;
    }
    OfRank& sums = stretch->ranks[rank];
    ++sums.steps;
    sums.wall.add(static_cast<double>(row.wallNs) / 1e6);
    sums.wait.add(static_cast<double>(row.nsOf(Phase::Wait)) / 1e6);
    sums.isWaitKnown = sums.isWaitKnown && row.unattributedNs == 0;
}

SlowedStretch SlowedStretchesBuilder::resultOf(const Stretch& stretch)
{
    SlowedStretch result{.firstStep = stretch.firstStep, .lastStep = stretch.lastStep, .link = stretch.link};
    Mean wall;
    Mean wait;
    bool isWaitKnown = true;
    for (const auto& [rank, sums] : stretch.ranks) {
        wall.add(sums.wall.median());
        if (!stretch.delays.contains(rank)) {
            wait.add(sums.wait.median());
            isWaitKnown = isWaitKnown && sums.isWaitKnown;
        }
    }
    for (const auto& [rank, ms] : stretch.delays) {
        result.ranks.push_back(rank);
        result.delayMs = std::max(result.delayMs, ms);
    }
    result.msPerStep = wall.value();
    result.othersWaitMs = isWaitKnown ? wait.value() : NotMeasured;
    return result;
}

std::vector<SlowedStretch> SlowedStretchesBuilder::stretches() const
{
    std::vector<SlowedStretch> results;
    for (const Stretch& stretch : m_stretches) {
        const bool isLong = !stretch.ranks.empty()
            && std::ranges::all_of(stretch.ranks, [](const auto& each) { return each.second.steps >= FewestSteps; });
        if (m_isDelayed && isLong) {
            results.push_back(resultOf(stretch));
        }
    }
    return results;
}

} // namespace lockstep::analysis
