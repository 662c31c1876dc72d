// How the ranks of a run communicate: the backend, the links on it, and the board of agreed commands.
#pragma once

#include "engine/comm/link/watched_communicator.h"
#include "engine/ranks/control_board.h"
#include "engine/ranks/rank_context.h"
#include "engine/ranks/stragglers.h"
#include "plan/placement.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::rendezvous {
struct Network;
}

namespace lockstep::engine {

/// Values of `comm.backend` that can be carried out.
[[nodiscard]] std::vector<std::string_view> backendNames();

struct RankGroup {
    std::unique_ptr<comm::WatchedCommunicator> communicator;
    std::shared_ptr<ControlBoard> board;
    Stragglers stragglers;
    std::shared_ptr<comm::RankCalls> calls; ///< of all the ranks' groups; null where ranks are on several hosts
    std::shared_ptr<rendezvous::Network> network{}; ///< of ranks on several hosts
    Text backendReason{}; ///< plan::Placement::inBrackets(): "shm (the ranks run on the CPU)"

    [[nodiscard]] std::shared_ptr<comm::CallRecord> callRecord() const { return calls ? calls->record : nullptr; }
    /// Sets the stragglers' links on the communicator; call after every change.
    void applyLinks();
    /// Adds up the ranks' numbers.
    [[nodiscard]] Result<void> allReduceSum(std::span<double> numbers) const;
};

/// Meets the other ranks over the backend of `placement`. Every rank calls it; returns once all have come.
[[nodiscard]] Result<std::unique_ptr<RankGroup>> joinRanks(
    const experiment::RunSpec& run, const RankContext& context, const plan::Placement& placement);

} // namespace lockstep::engine
