// ZeRO: data parallelism whose ranks each keep only a part of the model's states (Rajbhandari, Rasley, Ruwase and He,
// "ZeRO: memory optimizations toward training trillion parameter models", 2020). Which rank keeps what, and the cost.
#pragma once

#include "base/memory_kind.h"
#include "experiment/choices.h"
#include "experiment/spec.h"
#include "plan/slices.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::plan {

/// What is divided among the ranks; each stage divides more than the one before.
enum class ZeroStage : std::uint8_t {
    None, ///< data parallelism: every rank has it all
    OptimizerState,
    Gradients,
    Parameters
};

/// `zero.stage` of a run under strategy.name zero, and None of every other.
[[nodiscard]] ZeroStage zeroStage(const experiment::RunSpec& run);

/// `zero.offload` of a run under strategy.name zero, and None of every other.
[[nodiscard]] experiment::Offload offloadOf(const experiment::RunSpec& run);

/// Optimizer state on disk is read, updated and written in chunks of at most this many elements.
inline constexpr std::int64_t OffloadChunkElements = std::int64_t{1} << 16;
/// One that is read, one that is updated, one that is written.
inline constexpr std::int64_t OffloadChunksInMemory = 3;

/// Numbers that an optimizer keeps for each weight: Adam's two moments, the one of momentum.
[[nodiscard]] int optimizerNumbers(experiment::OptimizerName optimizer);

/// Bytes of weights, gradients and optimizer state that a rank keeps between two steps. In float32 with Adam: 4 + 4 + 8
/// = 16 per parameter without ZeRO, then 8 + 8/N, 4 + 12/N and 16/N (section 5, figure 1, without the half-precision
/// copies of the paper).
[[nodiscard]] MemoryBytes stateBytes(
    std::int64_t parameters, std::int64_t numberBytes, int optimizerNumbers, ZeroStage stage, int ranks);

/// The next multiple.
[[nodiscard]] constexpr std::int64_t roundedUp(std::int64_t count, std::int64_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

/// Splits a buffer of `total` numbers, a multiple of `ranks`, into pieces to send at once: at most `most` numbers, or
/// one per rank, each a multiple of the ranks.
[[nodiscard]] std::vector<Slice> piecesOf(std::int64_t total, int ranks, std::int64_t most);

/// Rank `rank`'s part of a piece, whose length is a multiple of the ranks.
[[nodiscard]] constexpr Slice shardOf(const Slice& piece, int rank, int ranks)
{
    const std::int64_t count = piece.count / ranks;
    return {piece.first + rank * count, count};
}

/// The intersection of two slices; count 0 if empty.
[[nodiscard]] constexpr Slice common(const Slice& a, const Slice& b)
{
    const std::int64_t first = a.first > b.first ? a.first : b.first;
    const std::int64_t endA = a.first + a.count;
    const std::int64_t endB = b.first + b.count;
    const std::int64_t end = endA < endB ? endA : endB;
    return {first, end > first ? end - first : 0};
}

} // namespace lockstep::plan
