#include "store/account/clock_correction.h"

#include <type_traits>

namespace lockstep::store {

namespace {

/// Calls `move` for each time of CLOCK_MONOTONIC in a message, or in a row of one, that is set.
template <typename T, typename Move>
void eachTimeIn(T& part, const Move& move)
{
    const auto unlessUnset = [&move](std::int64_t& time) {
        if (time != 0) {
            move(time);
        }
    };
    if constexpr (requires { part.startNs; }) {
        unlessUnset(part.startNs);
    }
    if constexpr (requires { part.endNs; }) {
        unlessUnset(part.endNs);
    }
    if constexpr (requires { part.timeNs; }) {
        unlessUnset(part.timeNs);
    }
    if constexpr (requires { part.arrivalNs; }) {
        unlessUnset(part.arrivalNs);
    }
    if constexpr (requires { part.enteredNs; }) {
        unlessUnset(part.enteredNs);
        unlessUnset(part.waitedNs);
        unlessUnset(part.leftNs);
    }
    if constexpr (requires { part.rows; }) {
        for (auto& row : part.rows) {
            eachTimeIn(row, move);
        }
    }
}

} // namespace

void ClockCorrection::learn(const wire::ClockSample& sample)
{
    m_clocks.add(sample.ranks, {sample.timeNs, sample.offsetNs, sample.errorNs}, sample.trips);
}

void ClockCorrection::learn(const Delta& delta)
{
    for (const auto& [rank, sample] : delta.clocks) {
        learn(sample);
    }
}

void ClockCorrection::apply(Delta& delta) const
{
    if (!isNeeded()) {
        return;
    }
    Delta::parts([&]<typename Entry>(const char*, std::vector<Entry> Delta::*part) {
        // A measurement of the clocks stays as it is: it says how far they are apart.
        constexpr bool IsMoved = !std::is_same_v<Entry, FromRank<wire::ClockSample>>;
        if constexpr (IsMoved && requires(Entry entry) { entry.what; }) {
            for (auto& [rank, what] : delta.*part) {
                eachTimeIn(what, [this, of = rank](std::int64_t& time) {
                    const auto offset = m_clocks.at(of, time);
                    time += offset ? offset->offsetNs : 0;
                });
            }
        }
    });
}

Delta ClockCorrection::applied(const Delta& delta) const
{
    Delta moved = delta;
    apply(moved);
    return moved;
}

wire::Message withShiftedTimes(wire::Message message, std::int64_t ns)
{
    std::visit([ns](auto& part) { eachTimeIn(part, [ns](std::int64_t& time) { time += ns; }); }, message);
    if (auto* sample = std::get_if<wire::ClockSample>(&message)) {
        sample->offsetNs -= ns; // the clock of all stays where it is
    }
    return message;
}

} // namespace lockstep::store
