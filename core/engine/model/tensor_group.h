// The ranks that share the layers of a net, as the layers see them.
#pragma once

#include "plan/slices.h"

#include <torch/types.h>

#include <cstdint>
#include <span>

namespace lockstep::engine {

class TensorGroup {
public:
    TensorGroup(int part, int parts)
        : m_part(part)
        , m_parts(parts)
    { }
    virtual ~TensorGroup() = default;
    TensorGroup(const TensorGroup&) = delete;
    TensorGroup& operator=(const TensorGroup&) = delete;

    [[nodiscard]] int part() const { return m_part; }
    [[nodiscard]] int parts() const { return m_parts; }
    /// What this part has of `total` columns, rows, heads or letters.
    [[nodiscard]] plan::Slice shareOf(std::int64_t total) const { return plan::sliceOf(total, m_part, m_parts); }

    /// Over all parts, element by element, in place; bitwise equal on every part. `values` is contiguous. Throws
    /// std::runtime_error, in one line, if another rank has gone.
    virtual void sum(const torch::Tensor& values) = 0;
    virtual void maximum(const torch::Tensor& values) = 0;

private:
    int m_part;
    int m_parts;
};

/// Identity in forward; backward sums the gradients of all parts. Goes before a layer that is shared by its outputs (f
/// in Shoeybi et al., "Megatron-LM", 2019, section 3). `group` may be null: there is nothing to share.
[[nodiscard]] torch::Tensor copyToParts(const torch::Tensor& input, TensorGroup* group);
/// Forward sums the parts, in place; identity in backward. Goes after a layer that is shared by its inputs (g there).
/// `input` must not be needed for its own gradient.
[[nodiscard]] torch::Tensor sumOverParts(const torch::Tensor& input, TensorGroup* group);

} // namespace lockstep::engine
