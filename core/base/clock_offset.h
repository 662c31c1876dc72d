// How far another clock is ahead of this one, from messages that went there and back, and how far off that can be.
//
// Of one message the other clock's reading came while it was on its way: the offset is the reading less the middle of
// the trip, and wrong by at most half of the trip. Between two measurements the offset is taken from the line between
// them; its error is theirs, and what the clocks drift beside the line: with rates that differ by at most w while a
// time T passes, at most w x (T - x) / T after x of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// Nanoseconds: sent and received on this clock, the reading on the other.
struct RoundTrip {
    std::int64_t sentNs = 0;
    std::int64_t remoteNs = 0;
    std::int64_t receivedNs = 0;

    [[nodiscard]] std::int64_t length() const { return receivedNs - sentNs; }
};

struct ClockReading {
    std::int64_t atNs = 0; ///< on this clock
    std::int64_t offsetNs = 0; ///< the other clock less this one
    std::int64_t errorNs = 0; ///< of the offset, to both sides

    bool operator==(const ClockReading&) const = default;
};

/// From the shortest of the trips; nothing where there is none.
[[nodiscard]] std::optional<ClockReading> readingOf(std::span<const RoundTrip> trips);

class ClockOffset {
public:
    /// By how much the rates may differ beside what is measured, while a line is drawn between two measurements.
    static constexpr double Wander = 1e-6;
    /// The rate of a clock that has been measured once, or not long enough to know its rate better.
    static constexpr double MostDrift = 1e-4;

    /// In any order. A second measurement of one moment replaces the first.
    void add(const ClockReading& measured);
    [[nodiscard]] const std::vector<ClockReading>& measurements() const { return m_readings; }
    [[nodiscard]] bool isEmpty() const { return m_readings.empty(); }
    /// Holds as long as within a segment the rate stays between the lowest and the highest that were measured there and
    /// in the segments beside it, widened by Wander; outside of the measurements, MostDrift. Zero without measurements.
    [[nodiscard]] ClockReading at(std::int64_t ownNs) const;

private:
    /// Between two neighbouring measurements.
    struct Segment {
        double rate = 0.0;
        double wander = 0.0;
    };

    [[nodiscard]] double rateOf(std::size_t segment) const;
    [[nodiscard]] Segment segmentOf(std::size_t segment) const;
    [[nodiscard]] ClockReading between(std::size_t segment, std::int64_t ownNs) const;
    /// Before the first or after the last measurement.
    [[nodiscard]] ClockReading beyond(std::size_t reading, std::int64_t ownNs) const;

    std::vector<ClockReading> m_readings; ///< by time
};

} // namespace lockstep
