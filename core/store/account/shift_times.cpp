#include "store/account/shift_times.h"

#include <type_traits>

namespace lockstep::store {

namespace {

void shift(std::int64_t& time, std::int64_t ns)
{
    time += time == 0 ? 0 : ns;
}

/// Of a message, or of a row of one.
template <typename T>
void shiftPart(T& part, std::int64_t ns)
{
    if constexpr (requires { part.startNs; }) {
        shift(part.startNs, ns);
    }
    if constexpr (requires { part.endNs; }) {
        shift(part.endNs, ns);
    }
    if constexpr (requires { part.timeNs; }) {
        shift(part.timeNs, ns);
    }
    if constexpr (std::is_same_v<T, wire::ClockSample>) {
        part.offsetNs -= ns; // the clock of all stays where it is
    }
    if constexpr (requires { part.arrivalNs; }) {
        shift(part.arrivalNs, ns);
    }
    if constexpr (requires { part.enteredNs; }) {
        shift(part.enteredNs, ns);
        shift(part.waitedNs, ns);
        shift(part.leftNs, ns);
    }
    if constexpr (requires { part.rows; }) {
        for (auto& row : part.rows) {
            shiftPart(row, ns);
        }
    }
}

} // namespace

void shiftTimes(wire::Message& message, std::int64_t ns)
{
    std::visit([ns](auto& part) { shiftPart(part, ns); }, message);
}

wire::Message withShiftedTimes(wire::Message message, std::int64_t ns)
{
    shiftTimes(message, ns);
    return message;
}

} // namespace lockstep::store
