// How much of the square of scores causal attention computes and keeps.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lockstep::plan {

/// Queries of a head that attention takes at a time. Up to as many tokens it keeps its probabilities for backward;
/// longer contexts compute them again.
inline constexpr std::int64_t AttentionRows = 64;

/// Scores of a head that exist at the same time.
[[nodiscard]] constexpr std::int64_t scoresAtOnce(std::int64_t tokens)
{
    return std::min(tokens, AttentionRows) * tokens;
}

/// Numbers of a head that are kept for backward beside queries, keys, values and output. Above AttentionRows LibTorch's
/// fused kernel keeps the logarithm of each row's sum; ours keeps none.
[[nodiscard]] constexpr std::int64_t keptScores(std::int64_t tokens)
{
    return tokens <= AttentionRows ? tokens * tokens : tokens;
}

/// Pairs of tokens whose score is computed in forward: each block of rows with all keys up to its end.
[[nodiscard]] constexpr std::int64_t scoredPairs(std::int64_t tokens)
{
    const std::int64_t blocks = tokens / AttentionRows;
    const std::int64_t rest = tokens % AttentionRows;
    return AttentionRows * AttentionRows * blocks * (blocks + 1) / 2 + rest * tokens;
}

} // namespace lockstep::plan
