// Passes rank 0's commands to the other ranks of its machine in shared memory, with the step at which every rank
// applies them. A rank checks at the start of a step, at the cost of one load when nothing is new.
//
// Why every rank sees a command in time: rank 0 publishes it before it takes part in a collective, and no rank can end
// that collective, let alone reach the step after it, without rank 0's part.
#pragma once

#include "base/result.h"
#include "engine/comm/shm/handout.h"
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
    /// Of all ranks that give the same name. Returns once every rank has it.
    [[nodiscard]] static Result<std::unique_ptr<ControlBoard>> join(const comm::Rendezvous& rendezvous);
    ~ControlBoard();
    ControlBoard(const ControlBoard&) = delete;
    ControlBoard& operator=(const ControlBoard&) = delete;

    /// Rank 0: every rank applies `control` at the start of `step`. False while the slowest rank has too many to read.
    [[nodiscard]] bool publish(const wire::Control& control, std::int64_t step);
    /// The next command that this rank has not received yet, if its step has come.
    [[nodiscard]] std::optional<wire::Control> take(std::int64_t step);

    /// This rank begins `step`.
    void announce(std::int64_t step);
    /// The furthest step that any rank has begun.
    [[nodiscard]] std::int64_t furthestStep() const;

    /// For a rank that waits for a command: read the bell, look for what is new, then sleep until the bell has been
    /// rung since. Every rank's is rung by publish(); `ring` rings this rank's own, from any thread.
    [[nodiscard]] std::uint32_t bell() const;
    void sleepUntilRung(std::uint32_t since) const;
    void ring();

    /// Rank 0: the run is paused or held, so no rank is late.
    void setPaused(bool isPaused);
    [[nodiscard]] bool isPaused() const;

    /// Rank 0: every rank records its messages of `step`; `step` as in publish().
    void sampleTraffic(std::int64_t step);
    [[nodiscard]] bool isTrafficSampled(std::int64_t step) const;

private:
    struct Shared;
    ControlBoard(Shared* shared, int rank, int ranks);
    [[nodiscard]] static Result<std::unique_ptr<ControlBoard>> over(int descriptor, int rank, int ranks);

    Shared* m_shared;
    int m_rank;
    int m_ranks;
};

} // namespace lockstep::engine
