#include "analysis/timing/rank_clocks.h"

#include <algorithm>
#include <limits>

namespace lockstep::analysis {

namespace {

/// Nine years: a file may say anything.
constexpr std::int64_t MostNs = std::int64_t{1} << 58;
constexpr std::size_t MostRanks = 1 << 16;
constexpr std::int32_t RankOfAll = 0;
/// The error is largest somewhere between two measurements.
constexpr std::int64_t PartsOfSegment = 8;

bool isPossible(std::int64_t ns)
{
    return ns > -MostNs && ns < MostNs;
}

} // namespace

void RankClocks::add(const std::vector<std::int64_t>& ranks, const ClockReading& reading, std::int64_t trips)
{
    const bool areRanks = !ranks.empty() && ranks.size() <= MostRanks
        && std::ranges::all_of(
            ranks, [](std::int64_t rank) { return rank >= 0 && rank < static_cast<std::int64_t>(MostRanks); });
    if (!areRanks || !isPossible(reading.atNs) || !isPossible(reading.offsetNs) || !isPossible(reading.errorNs)) {
        return;
    }
    const auto first = static_cast<std::int32_t>(*std::ranges::min_element(ranks));
    Clock& clock = m_clocks[first];
    clock.ranks.assign(ranks.begin(), ranks.end());
    clock.offset.add(reading);
    clock.isOfAll = trips == 0;
    for (const std::int64_t rank : ranks) {
        m_firsts[static_cast<std::int32_t>(rank)] = first;
    }
}

ClockReading RankClocks::Clock::at(std::int64_t ns) const
{
    // A clock is as far from itself as its times were moved on the way.
    return isOfAll ? ClockReading{ns, offset.measurements().back().offsetNs, 0} : offset.at(ns);
}

const RankClocks::Clock* RankClocks::clockOf(std::int32_t rank) const
{
    const auto first = m_firsts.find(rank);
    return first == m_firsts.end() ? nullptr : &m_clocks.at(first->second);
}

bool RankClocks::isNeeded() const
{
    const Clock* own = clockOf(RankOfAll);
    return own != nullptr && std::ranges::any_of(m_clocks, [own](const auto& each) { return &each.second != own; });
}

std::optional<ClockReading> RankClocks::at(std::int32_t rank, std::int64_t ownNs) const
{
    const Clock* clock = clockOf(rank);
    const Clock* goal = clockOf(RankOfAll);
    if (clock == nullptr || goal == nullptr || !isPossible(ownNs)) {
        return std::nullopt;
    }
    if (clock == goal) {
        return ClockReading{ownNs, 0, 0};
    }
    const ClockReading toAll = clock->at(ownNs);
    const std::int64_t ofAll = ownNs + toAll.offsetNs;
    // Where the clock of all is another one than rank 0's, that has an offset, too: known by rank 0's own time.
    ClockReading fromAll = goal->at(ofAll);
    for (int again = 0; again < 2; ++again) {
        fromAll = goal->at(ofAll - fromAll.offsetNs);
    }
    return ClockReading{ownNs, toAll.offsetNs - fromAll.offsetNs, toAll.errorNs + fromAll.errorNs};
}

bool RankClocks::shareClock(std::int32_t one, std::int32_t other) const
{
    return clockOf(one) != nullptr && clockOf(one) == clockOf(other);
}

std::vector<HostClock> RankClocks::others() const
{
    // When it was measured, on the clock itself. That of all is measured by rank 0's host.
    const auto timesOf = [this](const Clock& clock) {
        std::vector<std::int64_t> times;
        for (const ClockReading& reading : (clock.isOfAll ? clockOf(RankOfAll) : &clock)->offset.measurements()) {
            times.push_back(
                clock.isOfAll ? reading.atNs + reading.offsetNs - clock.at(reading.atNs).offsetNs : reading.atNs);
        }
        return times;
    };
    std::vector<HostClock> others;
    for (const auto& [first, clock] : m_clocks) {
        if (clockOf(RankOfAll) == nullptr || &clock == clockOf(RankOfAll) || clockOf(first) != &clock) {
            continue;
        }
        const std::vector<std::int64_t> times = timesOf(clock);
        const auto newest = at(first, times.back());
        if (!newest) {
            continue;
        }
        HostClock other{{}, clock.ranks, -newest->offsetNs, newest->errorNs, static_cast<std::int64_t>(times.size())};
        for (std::size_t i = 0; i + 1 < times.size(); ++i) {
            const std::int64_t part = (times[i + 1] - times[i]) / PartsOfSegment;
            for (std::int64_t parts = 0; parts < PartsOfSegment; ++parts) {
                const auto between = at(first, times[i] + parts * part);
                other.errorNs = std::max(other.errorNs, between ? between->errorNs : 0);
            }
        }
        others.push_back(std::move(other));
    }
    return others;
}

} // namespace lockstep::analysis
