#include "engine/model/attention.h"

#include "plan/attention_blocks.h"

#include <ATen/ATen.h>
#include <torch/autograd.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

// LibTorch has a fused kernel for the CPU; before, scaled_dot_product_attention() made all scores.
#define LOCKSTEP_FUSED_ATTENTION (TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2))

namespace lockstep::engine {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Bytes of scores that are computed at once on the CPU: about a core's second-level cache.
constexpr std::int64_t ScoreBytes = std::int64_t{1} << 20;

double scaleOf(std::int64_t perHead)
{
    return 1.0 / std::sqrt(static_cast<double>(perHead));
}

/// [tokens, tokens]: 0, and minus infinity where a token would look ahead.
torch::Tensor causalMask(std::int64_t tokens, const at::TensorOptions& options)
{
    return at::full({tokens, tokens}, -std::numeric_limits<double>::infinity(), options).triu_(1);
}

/// [3, samples, heads, tokens, perHead], in the memory of `projected`.
torch::Tensor splitHeads(const torch::Tensor& projected, const AttentionShape& shape)
{
    return projected.view({shape.samples, shape.tokens, 3, shape.heads, shape.perHead}).permute({2, 0, 3, 1, 4});
}

/// [3, samples * heads, tokens, perHead], each head contiguous, as the matrix products need it.
torch::Tensor byHead(torch::Tensor projected, const AttentionShape& shape)
{
    return splitHeads(projected, shape)
        .contiguous()
        .view({3, shape.samples * shape.heads, shape.tokens, shape.perHead});
}

/// The inverse for the heads' outputs: [samples * heads, tokens, perHead] or [samples, heads, tokens, perHead] ->
/// [samples * tokens, heads * perHead].
torch::Tensor joinedHeads(const torch::Tensor& output, const AttentionShape& shape)
{
    return output.view({shape.samples, shape.heads, shape.tokens, shape.perHead})
        .transpose(1, 2)
        .reshape({shape.samples * shape.tokens, shape.heads * shape.perHead});
}

torch::Tensor allScores(torch::Tensor projected, const AttentionShape& shape)
{
    const torch::Tensor parts = byHead(std::move(projected), shape);
    const torch::Tensor mask = causalMask(shape.tokens, parts.options());
    const torch::Tensor scores = at::baddbmm(mask, parts[0], parts[1].transpose(1, 2), 1.0, scaleOf(shape.perHead));
    return joinedHeads(at::bmm(at::softmax(scores, -1), parts[2]), shape);
}

bool isLowPrecision(at::ScalarType type)
{
    return type == at::kBFloat16 || type == at::kHalf;
}

/// out <- a b in the type of a and b, which has fewer digits than `out` under autocast.
void multiply(torch::Tensor out, const torch::Tensor& a, const torch::Tensor& b)
{
    if (a.scalar_type() == out.scalar_type()) {
        at::bmm_out(out, a, b);
    } else {
        out.copy_(at::bmm(a, b));
    }
}

/// sum <- sum + a b.
void addProduct(torch::Tensor sum, const torch::Tensor& a, const torch::Tensor& b)
{
    if (a.scalar_type() == sum.scalar_type()) {
        sum.baddbmm_(a, b);
    } else {
        sum.add_(at::bmm(a, b));
    }
}

/// Some rows of queries of some heads, with the keys and values that they see. The last keys are the rows' own.
struct QueryBlock {
    torch::Tensor queries; ///< [heads, rows, perHead], times 1 / sqrt(perHead)
    torch::Tensor keys; ///< [heads, keys, perHead]
    torch::Tensor values; ///< as keys
    std::int64_t firstHead = 0;
    std::int64_t firstRow = 0;

    [[nodiscard]] std::int64_t heads() const { return queries.size(0); }
    [[nodiscard]] std::int64_t rows() const { return queries.size(1); }
    [[nodiscard]] std::int64_t keyCount() const { return keys.size(1); }

    /// The part of [.., tokens, perHead] that belongs to the rows.
    [[nodiscard]] torch::Tensor rowsOf(const torch::Tensor& all) const
    {
        return all.narrow(0, firstHead, heads()).narrow(1, firstRow, rows());
    }
    /// The part that belongs to the keys.
    [[nodiscard]] torch::Tensor keysOf(const torch::Tensor& all) const
    {
        return all.narrow(0, firstHead, heads()).narrow(1, 0, keyCount());
    }
};

/// Attention over [3, heads, tokens, perHead], a block of queries at a time. Scores, probabilities and sums over blocks
/// are in float32 at least; products are in the type of `parts`.
class BlockedHeads {
public:
    explicit BlockedHeads(const torch::Tensor& parts)
        : m_parts(parts)
        , m_type(parts.scalar_type())
        , m_options(parts.options().dtype(isLowPrecision(m_type) ? at::kFloat : m_type))
        , m_mask(causalMask(std::min(plan::AttentionRows, tokens()), m_options))
    { }

    [[nodiscard]] torch::Tensor output() const
    {
        torch::Tensor output = at::empty_like(m_parts[2]);
        const torch::Tensor space = scratch();
        eachBlock([&](const QueryBlock& block) {
            const torch::Tensor result = block.rowsOf(output);
            multiply(result, probabilities(block, space).to(m_type), block.values);
        });
        return output;
    }

    /// Of `parts`, from that of the output.
    [[nodiscard]] torch::Tensor gradient(const torch::Tensor& ofOutput) const
    {
        torch::Tensor result = at::empty_like(m_parts);
        const torch::Tensor sums = isLowPrecision(m_type) ? at::empty(m_parts.sizes(), m_options) : result;
        const torch::Tensor spaces[] = {scratch(), scratch()};
        eachBlock([&](const QueryBlock& block) {
            const torch::Tensor given = block.rowsOf(ofOutput);
            const torch::Tensor shares = probabilities(block, spaces[0]);
            addOrBegin(block, sums[2], shares.to(m_type), given);
            torch::Tensor ofScores = viewOf(block, spaces[1]);
            multiply(ofScores, given, block.values.transpose(1, 2));
            at::_softmax_backward_data_out(ofScores, ofScores, shares, -1, ofScores.scalar_type());
            const torch::Tensor rounded = ofScores.to(m_type);
            torch::Tensor ofQueries = block.rowsOf(sums[0]);
            multiply(ofQueries, rounded, block.keys);
            ofQueries.mul_(scaleOf(perHead()));
            addOrBegin(block, sums[1], rounded, block.queries);
        });
        return isLowPrecision(m_type) ? result.copy_(sums) : result;
    }

private:
    [[nodiscard]] std::int64_t heads() const { return m_parts.size(1); }
    [[nodiscard]] std::int64_t tokens() const { return m_parts.size(2); }
    [[nodiscard]] std::int64_t perHead() const { return m_parts.size(3); }

    [[nodiscard]] std::int64_t headsAtOnce() const
    {
        const std::int64_t bytes = m_mask.size(0) * tokens() * m_mask.element_size();
        return m_parts.is_cpu() ? std::clamp<std::int64_t>(ScoreBytes / bytes, 1, heads()) : heads();
    }

    /// For one block's scores.
    [[nodiscard]] torch::Tensor scratch() const
    {
        return at::empty({headsAtOnce() * m_mask.size(0) * tokens()}, m_options);
    }

    static torch::Tensor viewOf(const QueryBlock& block, const torch::Tensor& scratch)
    {
        return scratch.narrow(0, 0, block.heads() * block.rows() * block.keyCount())
            .view({block.heads(), block.rows(), block.keyCount()});
    }

    /// Of each group of heads the last rows first, which see all keys.
    template <typename Function>
    void eachBlock(const Function& function) const
    {
        const std::int64_t rowsAtOnce = m_mask.size(0);
        for (std::int64_t head = 0; head < heads(); head += headsAtOnce()) {
            const torch::Tensor own = m_parts.narrow(1, head, std::min(headsAtOnce(), heads() - head));
            for (std::int64_t first = (tokens() - 1) / rowsAtOnce * rowsAtOnce; first >= 0; first -= rowsAtOnce) {
                const std::int64_t end = std::min(first + rowsAtOnce, tokens());
                function(QueryBlock{.queries = own[0].narrow(1, first, end - first) * scaleOf(perHead()),
                    .keys = own[1].narrow(1, 0, end),
                    .values = own[2].narrow(1, 0, end),
                    .firstHead = head,
                    .firstRow = first});
            }
        }
    }

    /// [heads, rows, keys], in `scratch`.
    [[nodiscard]] torch::Tensor probabilities(const QueryBlock& block, const torch::Tensor& scratch) const
    {
        torch::Tensor scores = viewOf(block, scratch);
        multiply(scores, block.queries, block.keys.transpose(1, 2));
        scores.narrow(2, block.firstRow, block.rows())
            .add_(m_mask.narrow(0, 0, block.rows()).narrow(1, 0, block.rows()));
        return at::_softmax_out(scores, scores, -1, /*half_to_float=*/false);
    }

    /// a' b is a term of the gradient of what the block's keys are a part of; the first block has all of them.
    void addOrBegin(
        const QueryBlock& block, const torch::Tensor& gradient, const torch::Tensor& a, const torch::Tensor& b) const
    {
        const torch::Tensor sum = block.keysOf(gradient);
        if (block.keyCount() == tokens()) {
            multiply(sum, a.transpose(1, 2), b);
        } else {
            addProduct(sum, a.transpose(1, 2), b);
        }
    }

    torch::Tensor m_parts;
    at::ScalarType m_type;
    at::TensorOptions m_options; ///< of scores and sums
    torch::Tensor m_mask; ///< of a block's last keys
};

class BlockedAttention : public torch::autograd::Function<BlockedAttention> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& parts)
    {
        const at::AutoDispatchBelowAutograd isForward;
        context->save_for_backward({parts});
        return BlockedHeads(parts).output();
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const at::AutoDispatchBelowAutograd isBackward;
        return {BlockedHeads(context->get_saved_variables().front()).gradient(gradients[0])};
    }
};

#if LOCKSTEP_FUSED_ATTENTION
torch::Tensor fusedAttention(const torch::Tensor& projected, const AttentionShape& shape)
{
    const std::vector<torch::Tensor> parts = splitHeads(projected, shape).unbind();
    return joinedHeads(
        at::scaled_dot_product_attention(parts[0], parts[1], parts[2], {}, 0.0, /*is_causal=*/true), shape);
}
#endif

} // namespace

torch::Tensor causalAttention(torch::Tensor projected, const AttentionShape& shape)
{
    if (shape.tokens <= plan::AttentionRows) {
        return allScores(std::move(projected), shape);
    }
#if LOCKSTEP_FUSED_ATTENTION
    if (projected.is_cpu()) {
        return fusedAttention(projected, shape);
    }
#endif
    return joinedHeads(BlockedAttention::apply(byHead(std::move(projected), shape)), shape);
}

} // namespace lockstep::engine
