// ZeRO's second and third stage between the ranks, unit by unit of the net. A unit's gradients exist from its backward
// until they are reduced to their ranks, during the backward of the previous unit. Under stage 3 a unit's weights exist
// while it runs: gathered before, freed after, while those of the next unit are gathered (Zhao et al., "PyTorch FSDP:
// experiences on scaling fully sharded data parallel", 2023, sections 3 and 4). Ranks that share a GPU copy a unit's
// weights from each other's memory without meeting: a part changes only after the gradients of the first unit have been
// reduced, which is a meeting after all copies. At most two units' weights and two units' gradients exist at once,
// besides a unit that shares a weight with the last: it stays, like FSDP's root unit.
#pragma once

#include "engine/comm/link/watched_communicator.h"
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
    UnitExchange(Shards& shards, Net& net, comm::WatchedCommunicator& group, plan::ZeroStage stage, Prefetch prefetch);

    /// Stage 3: moves this rank's parts of the weights to memory that all ranks can read, where there is such memory.
    /// From then on each rank copies a unit's parts from there, and the ranks meet once after each change of the
    /// weights instead of once for each unit. Every rank calls it, before the first need().
    [[nodiscard]] Result<void> shareWeights();
    /// This rank's parts have changed: before the next copy all ranks meet.
    void weightsChanged() { m_isPublished = false; }
    /// Of weights, by copies since the last call; as an all-gather counts them.
    [[nodiscard]] std::int64_t takeBytesCopied() { return std::exchange(m_bytesCopied, 0); }

    /// Whether need() would return at once.
    [[nodiscard]] bool isHere(std::size_t unit) const;
    /// Waits for the weights of `unit` and starts to gather those of `next`.
    [[nodiscard]] Result<void> need(std::size_t unit, std::optional<std::size_t> next);
    /// Call after the unit's pass, which may keep it for what follows.
    void release(std::size_t unit, Pass after);

    /// Allocates the unit's gradients for the next backward, unless they exist.
    [[nodiscard]] Result<void> openGradients(std::size_t unit);
    /// For a rank without samples.
    void zeroGradients(std::size_t unit) { m_gradients[unit].zero_(); }
    /// What happens to the sum over the ranks: it replaces the rank's part of the gradient, or is added to it.
    enum class Sum { Replaces, Adds };
    /// This rank's gradients of the unit are complete: adds them to the sum.
    void reduce(std::size_t unit, Sum sum);
    /// Waits until every sum is done.
    [[nodiscard]] Result<void> finish();

    /// Stage 2: gathers every rank's parts of the weights on all.
    [[nodiscard]] Result<void> gatherAll();

    /// Time since the last call in which a transfer ran while this rank did not wait for it.
    [[nodiscard]] std::int64_t takeHiddenNs();

private:
    struct Span {
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0;
    };
    struct Reduction {
        std::size_t unit = 0;
        torch::Tensor toAdd; ///< the sum, if it is added to the gradient; otherwise undefined
        std::unique_ptr<comm::Work> work;
    };

    [[nodiscard]] Result<void> fetch(std::size_t unit);
    [[nodiscard]] std::unique_ptr<comm::Work> startGather(std::size_t unit);
    /// Copies the unit's parts from the ranks' shared memory.
    [[nodiscard]] Result<void> copyParts(std::size_t unit);
    [[nodiscard]] Result<void> await(comm::Work& work);
    [[nodiscard]] Result<void> awaitOldestReduction();

    Shards& m_shards;
    Net& m_net;
    comm::WatchedCommunicator& m_group;
    bool m_freesWeights;
    Prefetch m_prefetch;
    std::shared_ptr<comm::SharedArray> m_sharedWeights; ///< null: each rank's parts are in its own memory
    bool m_isPublished = false; ///< every rank may read the others' parts
    std::int64_t m_bytesCopied = 0;
    std::vector<bool> m_isGathered; ///< by unit, or about to be
    std::vector<torch::Tensor> m_gradients; ///< by unit: of all ranks' parts, between its backward and its sum
    std::vector<std::unique_ptr<comm::Work>> m_gathers; ///< by unit: under way
    std::deque<Reduction> m_reductions; ///< under way, the oldest first
    std::vector<Span> m_underWay; ///< what has been waited for since takeHiddenNs(), in order
    std::vector<Span> m_waits; ///< the waiting
};

} // namespace lockstep::engine
