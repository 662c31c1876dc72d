#include "base/clock_offset.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

/// Readings come from files, too: what no clock shows must not overflow.
std::int64_t bounded(double ns)
{
    constexpr double Most = 5e17;
    return static_cast<std::int64_t>(std::clamp(ns, -Most, Most));
}

std::int64_t rounded(double ns)
{
    return bounded(std::round(ns));
}

std::int64_t roundedUp(double ns)
{
    return bounded(std::ceil(ns));
}

} // namespace

std::optional<ClockReading> readingOf(std::span<const RoundTrip> trips)
{
    const auto shortest = std::ranges::min_element(trips, {}, &RoundTrip::length);
    if (shortest == trips.end() || shortest->length() < 0) {
        return std::nullopt;
    }
    const std::int64_t half = (shortest->length() + 1) / 2;
    const std::int64_t middle = shortest->sentNs + shortest->length() / 2;
    // While the message was on its way the clocks drifted, too: by much less than a thousandth of that time.
    return ClockReading{middle, shortest->remoteNs - middle, half + half / 1000 + 1};
}

void ClockOffset::add(const ClockReading& measured)
{
    const auto at = std::ranges::lower_bound(m_readings, measured.atNs, {}, &ClockReading::atNs);
    if (at != m_readings.end() && at->atNs == measured.atNs) {
        *at = measured;
    } else {
        m_readings.insert(at, measured);
    }
}

double ClockOffset::rateOf(std::size_t segment) const
{
    const ClockReading& from = m_readings[segment];
    const ClockReading& to = m_readings[segment + 1];
    return static_cast<double>(to.offsetNs - from.offsetNs) / static_cast<double>(to.atNs - from.atNs);
}

ClockOffset::Segment ClockOffset::segmentOf(std::size_t segment) const
{
    const std::size_t last = m_readings.size() - 2;
    double slowest = rateOf(segment);
    double fastest = slowest;
    for (std::size_t i = segment == 0 ? 0 : segment - 1; i <= std::min(segment + 1, last); ++i) {
        slowest = std::min(slowest, rateOf(i));
        fastest = std::max(fastest, rateOf(i));
    }
    return {rateOf(segment), fastest - slowest + Wander};
}

ClockReading ClockOffset::between(std::size_t segment, std::int64_t ownNs) const
{
    const ClockReading& from = m_readings[segment];
    const ClockReading& to = m_readings[segment + 1];
    const Segment line = segmentOf(segment);
    const auto length = static_cast<double>(to.atNs - from.atNs);
    const auto passed = static_cast<double>(ownNs - from.atNs);
    const double share = passed / length;
    const double measured = static_cast<double>(from.errorNs) * (1.0 - share) + static_cast<double>(to.errorNs) * share;
    const double drift = line.wander * passed * (1.0 - share);
    return {ownNs, from.offsetNs + rounded(line.rate * passed), roundedUp(measured + drift + 0.5)};
}

ClockReading ClockOffset::beyond(std::size_t reading, std::int64_t ownNs) const
{
    const ClockReading& nearest = m_readings[reading];
    double rate = 0.0;
    double slack = MostDrift;
    if (m_readings.size() > 1) {
        const std::size_t segment = reading == 0 ? 0 : reading - 1;
        const ClockReading& from = m_readings[segment];
        const ClockReading& to = m_readings[segment + 1];
        const Segment line = segmentOf(segment);
        const double unsure
            = line.wander + static_cast<double>(from.errorNs + to.errorNs) / static_cast<double>(to.atNs - from.atNs);
        if (unsure < MostDrift) {
            rate = line.rate;
            slack = unsure;
        }
    }
    const auto away = static_cast<double>(ownNs - nearest.atNs);
    return {ownNs, nearest.offsetNs + rounded(rate * away),
        nearest.errorNs + roundedUp(slack * std::abs(away) + (away == 0.0 ? 0.0 : 0.5))};
}

ClockReading ClockOffset::at(std::int64_t ownNs) const
{
    if (m_readings.empty()) {
        return {ownNs, 0, 0};
    }
    const auto after = std::ranges::lower_bound(m_readings, ownNs, {}, &ClockReading::atNs);
    const auto place = static_cast<std::size_t>(after - m_readings.begin());
    if (after != m_readings.end() && after->atNs == ownNs) {
        return *after;
    }
    if (place == 0) {
        return beyond(0, ownNs);
    }
    return place == m_readings.size() ? beyond(place - 1, ownNs) : between(place - 1, ownNs);
}

} // namespace lockstep
