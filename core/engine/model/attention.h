// Causal self-attention: softmax(Q K' / sqrt(d) + mask) V in each head, where no token sees a later one (Vaswani et al.
// 2017, section 3.2).
//
// Up to plan::AttentionRows tokens all scores of a head are computed at once. Longer contexts take that many queries at
// a time against the keys up to them, and compute the probabilities again in backward instead of keeping them (Dao et
// al., "FlashAttention", 2022, section 3.1): memory grows with the tokens, not with their square. On the CPU, LibTorch
// 2.2 and later do the same in one kernel; on GPUs the gradients of that kernel depend on the order of threads.
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

struct AttentionShape {
    std::int64_t samples = 0;
    std::int64_t tokens = 0;
    std::int64_t heads = 0;
    std::int64_t perHead = 0; ///< d
};

/// `projected`: [samples * tokens, 3 * heads * perHead], the queries of all heads, then keys, then values. Gives
/// [samples * tokens, heads * perHead] in the same type. Equal inputs give equal bits on the CPU, output and gradient.
[[nodiscard]] torch::Tensor causalAttention(torch::Tensor projected, const AttentionShape& shape);

} // namespace lockstep::engine
