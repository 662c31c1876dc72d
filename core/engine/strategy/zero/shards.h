// What a rank keeps of a net's weights and gradients under ZeRO (plan/zero.h), and nets that are built that way.
//
// All weights form one virtual buffer, cut into pieces; every rank of the group has an equal part of each piece, in
// rank order. Under stage 1 the buffers exist as a whole and a piece is sent at once. Under stages 2 and 3 a piece is a
// unit of the net (plan/net.h).
#pragma once

#include "engine/model/flat_parameters.h"
#include "engine/model/net.h"
#include "plan/slices.h"
#include "plan/zero.h"

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace lockstep::engine {

struct ShardedUnit {
    plan::Slice layers; ///< of the net
    std::vector<torch::Tensor> parameters; ///< of those layers, views of `weights`
    FlatLayout layout; ///< of the parameters in `weights`
    torch::Tensor weights; ///< of all ranks; under stage 3 without memory unless they are gathered
    bool isShared = false; ///< the last unit also uses one of its weights
};

struct Shards {
    int rank = 0;
    int ranks = 1;
    std::vector<plan::Slice> pieces{}; ///< of the buffer of all weights: they follow each other, the ranks divide each
    std::vector<torch::Tensor> weights{}; ///< by piece, this rank's part, which its optimizer updates
    std::vector<torch::Tensor> gradients{}; ///< the same of the gradients
    std::vector<NamedTensor> named{}; ///< `weights` by parameter, for checkpoints: "0.weight@first element", flat
    std::vector<ShardedUnit> units{}; ///< by piece under stages 2 and 3; empty under stage 1

    /// Of a piece, this rank's part.
    [[nodiscard]] plan::Slice own(const plan::Slice& piece) const { return plan::shardOf(piece, rank, ranks); }
};

/// Stage 1, among any ranks that have the same net: views of buffers whose size is a multiple of `ranks`.
[[nodiscard]] Shards shardsOf(const Net& net, FlatParameters& parameters, int rank, int ranks);

/// A net, and what this rank keeps of it: all weights and its gradients' parts under stage 2, parts of both under
/// stage 3.
struct ShardedNet {
    Net net;
    FlatParameters kept;
    Shards shards;
};

/// Under stages 2 and 3. Unit by unit, so that no rank ever holds more than one unit besides what it keeps.
[[nodiscard]] Result<ShardedNet> makeShardedNet(
    const experiment::RunSpec& run, const torch::Device& device, int rank, int ranks);

/// Frees a tensor's memory, also for its views and for tensors saved for backward, and allocates it again,
/// uninitialised. The tensor begins where its storage does, in the CPU's memory.
void giveMemoryBack(const torch::Tensor& tensor);
void takeMemory(const torch::Tensor& tensor);

} // namespace lockstep::engine
