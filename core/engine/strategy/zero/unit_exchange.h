// ZeRO's second and third stage between the ranks, unit by unit of the net. A unit's gradients are there from its
// backward until they have been added up where they belong, which goes on during the backward of the unit before. Under
// stage 3 a unit's weights are there while it works: gathered before, given back after, those of the next unit on their
// way meanwhile (Zhao et al., "PyTorch FSDP: experiences on scaling fully sharded data parallel", 2023, sections 3 and
// 4). No more than two units' weights and two units' gradients are there at once, besides a unit that shares a weight
// with the last: it stays, as the root unit of FSDP does.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/model/net.h"
#include "engine/strategy/zero/shards.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::engine {

class UnitExchange {
public:
    enum class Prefetch { No, Yes };
    enum class Pass { Forward, Backward };

    /// All must outlive this. Every rank makes the same calls in the same order.
    UnitExchange(Shards& shards, Net& net, comm::Communicator& group, plan::ZeroStage stage, Prefetch prefetch);

    /// Whether need() would not have to wait.
    [[nodiscard]] bool isHere(std::size_t unit) const;
    /// Waits for the weights of `unit`; those of `next` are on their way then.
    [[nodiscard]] Result<void> need(std::size_t unit, std::optional<std::size_t> next);
    /// After the unit's pass, which may want to keep it for what follows.
    void release(std::size_t unit, Pass after);

    /// Makes room for the unit's gradients, for the next backward to write; does nothing where there is some.
    [[nodiscard]] Result<void> openGradients(std::size_t unit);
    /// For a rank without samples.
    void zeroGradients(std::size_t unit) { m_gradients[unit].zero_(); }
    /// What happens to the sum over the ranks: it replaces the rank's part of the gradient, or is added to it.
    enum class Sum { Replaces, Adds };
    /// The unit's gradients of this rank are complete: they go into the sum.
    void reduce(std::size_t unit, Sum sum);
    /// Waits until every sum is there.
    [[nodiscard]] Result<void> finish();

    /// Stage 2: every rank's parts of the weights are everyone's.
    [[nodiscard]] Result<void> gatherAll();

    /// Time since the last call in which something was under way while no rank waited for it.
    [[nodiscard]] std::int64_t takeHiddenNs();

private:
    struct Span {
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0;
    };
    struct Reduction {
        std::size_t unit = 0;
        torch::Tensor toAdd; ///< the sum, where it is added to what is there; otherwise undefined
        std::unique_ptr<comm::Work> work;
    };

    void fetch(std::size_t unit);
    [[nodiscard]] std::unique_ptr<comm::Work> startGather(std::size_t unit);
    [[nodiscard]] Result<void> await(comm::Work& work);
    [[nodiscard]] Result<void> awaitOldestReduction();

    Shards& m_shards;
    Net& m_net;
    comm::Communicator& m_group;
    bool m_freesWeights;
    Prefetch m_prefetch;
    std::vector<bool> m_isGathered; ///< by unit, or about to be
    std::vector<torch::Tensor> m_gradients; ///< by unit: of all ranks' parts, between its backward and its sum
    std::vector<std::unique_ptr<comm::Work>> m_gathers; ///< by unit: under way
    std::deque<Reduction> m_reductions; ///< under way, the oldest first
    std::vector<Span> m_underWay; ///< what has been waited for since takeHiddenNs(), in order
    std::vector<Span> m_waits; ///< the waiting
};

} // namespace lockstep::engine
