// What the workbench asks of a running job, and what ranks answer. Fields are described as in messages.h.
#pragma once

#include "base/field.h"

#include <cstdint>

namespace lockstep::wire {

/// SetStraggler: extra milliseconds per step. SetStragglerFactor: slowdown factor of the computation. SetLink: extra
/// microseconds per message. SetLinkBandwidth: 10^6 bit/s, 0 for no limit. RunSteps: run that many steps, then hold (a
/// block, whose number is the control's `rank`); below 0: run up to the run's last step, then hold. A run that was sent
/// RunSteps continues after its last step, to measure, until Stop.
enum class Command : std::uint8_t {
    Pause,
    Resume,
    Stop,
    SetStraggler,
    SetLink,
    Checkpoint,
    SetStragglerFactor,
    SetLinkBandwidth,
    RunSteps
};

/// Steps after a hold, an evaluation or a checkpoint that a block does not count: caches are cold, ranks start apart.
inline constexpr std::int64_t UncountedSteps = 3;

/// Sent to rank 0, which publishes it with the step at which every rank applies it.
struct Control {
    Command command = Command::Pause;
    std::int32_t rank = -1;
    double value = 0.0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("command"), &Control::command);
        visit(Field("rank"), &Control::rank);
        visit(Field("value"), &Control::value);
    }
    bool operator==(const Control&) const = default;
};

/// A control command has taken effect at the start of `step` (the agreed one).
struct Applied {
    Command command = Command::Pause;
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    std::int32_t rank = -1; ///< the rank that it concerns, -1: all
    double value = 0.0;

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("command"), &Applied::command);
        visit(Field("step").notNegative(), &Applied::step);
        visit(Field("time_ns"), &Applied::timeNs);
        visit(Field("rank").storedAs("target"), &Applied::rank);
        visit(Field("value"), &Applied::value);
    }
    bool operator==(const Applied&) const = default;
};

/// The rank holds, because its run takes turns with others (Command::RunSteps): with the block that it has just run.
struct Held {
    std::int64_t step = 0; ///< the last one done
    std::int64_t timeNs = 0; ///< since when it holds
    std::int64_t block
        = 0; ///< its number, as the command gave it; 0: no block, or one that only finds the block's size
    std::int64_t startNs = 0; ///< of the block
    std::int64_t steps = 0; ///< that the block counts
    std::int64_t wallNs = 0; ///< of the counted steps, as in StepRow
    std::int64_t samples = 0; ///< of the counted steps on this rank

    template <typename Visit>
    static constexpr void fields(Visit&& visit)
    {
        visit(Field("step").notNegative(), &Held::step);
        visit(Field("time_ns").notNegative(), &Held::timeNs);
        visit(Field("block").notNegative(), &Held::block);
        visit(Field("start_ns").notNegative(), &Held::startNs);
        visit(Field("steps").notNegative(), &Held::steps);
        visit(Field("wall_ns").notNegative(), &Held::wallNs);
        visit(Field("samples").notNegative(), &Held::samples);
    }
    bool operator==(const Held&) const = default;
};

/// The last value of the enum; higher ones are unknown.
[[nodiscard]] constexpr Command lastOf(Command)
{
    return Command::RunSteps;
}

} // namespace lockstep::wire
