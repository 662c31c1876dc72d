// Passes rank 0's commands to the other ranks of its machine in shared memory, with the step at which every rank
// applies them. A rank checks at the start of a step, at the cost of one load when nothing is new.
//
// Why every rank sees a command in time: rank 0 publishes it before it takes part in a collective, and no rank can end
// that collective, let alone reach the step after it, without rank 0's part.
#pragma once

#include "base/result.h"
#include "engine/comm/shm/share_descriptor.h"
#include "wire/messages.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace lockstep::engine {

class ControlBoard {
public:
    /// For a run of one rank.
    [[nodiscard]] static Result<std::unique_ptr<ControlBoard>> alone();
    /// Of all ranks of one machine that give the same name. Returns once every rank has it.
    [[nodiscard]] static Result<std::unique_ptr<ControlBoard>> join(const comm::Rendezvous& rendezvous);
    virtual ~ControlBoard() = default;
    ControlBoard(const ControlBoard&) = delete;
    ControlBoard& operator=(const ControlBoard&) = delete;

    /// Rank 0: every rank applies `control` at the start of `step`. False while the slowest rank has too many to read.
    [[nodiscard]] virtual bool publish(const wire::Control& control, std::int64_t step) = 0;
    /// The next command that this rank has not received yet, if its step has come.
    [[nodiscard]] virtual std::optional<wire::Control> take(std::int64_t step) = 0;

    /// This rank begins `step`.
    virtual void announce(std::int64_t step) = 0;
    /// The furthest step that any rank has begun; between hosts only this rank's is known.
    [[nodiscard]] virtual std::int64_t furthestStep() const = 0;

    /// For a rank that waits for a command: read the bell, look for what is new, then sleep until the bell has been
    /// rung since. Every rank's is rung by publish(); `ring` rings this rank's own, from any thread.
    [[nodiscard]] virtual std::uint32_t bell() const = 0;
    virtual void sleepUntilRung(std::uint32_t since) const = 0;
    virtual void ring() = 0;

    /// Rank 0: the run is paused or held, so no rank is late.
    virtual void setPaused(bool isPaused) = 0;
    [[nodiscard]] virtual bool isPaused() const = 0;

    /// A rank on another host is lost, so a wait must end; ranks on this host are watched by their processes.
    [[nodiscard]] virtual bool isRankLost() const { return false; }

    /// Rank 0: every rank records its messages of `step`; `step` as in publish().
    virtual void sampleTraffic(std::int64_t step) = 0;
    [[nodiscard]] virtual bool isTrafficSampled(std::int64_t step) const = 0;

protected:
    ControlBoard() = default;
};

} // namespace lockstep::engine
