#include "engine/model/loss.h"

#include <torch/autograd.h>
#include <torch/types.h>
#include <torch/utils.h>

namespace lockstep::engine {

torch::Tensor crossEntropy(const torch::Tensor& scores, const torch::Tensor& labels, Reduce reduce)
{
    const auto reduction = reduce == Reduce::Mean ? at::Reduction::Mean : at::Reduction::Sum;
    if (labels.dim() == 1) {
        return torch::cross_entropy_loss(scores, labels, {}, reduction);
    }
    return torch::cross_entropy_loss(scores.flatten(0, -2), labels.flatten(), {}, reduction);
}

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class PartedCrossEntropy : public torch::autograd::Function<PartedCrossEntropy> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& scores, const torch::Tensor& labels,
        const plan::Slice& here, TensorGroup& group)
    {
        const torch::Tensor most = std::get<0>(scores.max(1));
        group.maximum(most);
        const torch::Tensor powers = (scores - most.unsqueeze(1)).exp_();
        const torch::Tensor places = labels - here.first;
        const torch::Tensor isHere = places.ge(0).logical_and_(places.lt(here.count)).to(scores.scalar_type());
        const torch::Tensor safe = places.clamp(0, here.count - 1).unsqueeze(1);
        // Both sums in one message: of the exponentials, and the score of the label from the part that has it.
        const torch::Tensor sums
            = torch::stack({powers.sum(1), scores.gather(1, safe).squeeze(1).sub_(most).mul_(isHere)});
        group.sum(sums);
        context->save_for_backward({powers.div_(sums[0].unsqueeze(1)), safe, isHere});
        return sums[0].log() - sums[1];
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        const auto saved = context->get_saved_variables();
        torch::Tensor gradient = saved[0].clone(); // of a label: its class's probability less 1
        gradient.scatter_add_(1, saved[1], saved[2].neg().unsqueeze(1));
        return {gradient.mul_(gradients[0].unsqueeze(1)), torch::Tensor(), torch::Tensor(), torch::Tensor()};
    }
};

} // namespace

torch::Tensor crossEntropyOfParts(const torch::Tensor& scores, const torch::Tensor& labels, const plan::Slice& here,
    TensorGroup& group, Reduce reduce)
{
    const torch::Tensor each
        = PartedCrossEntropy::apply(scores.reshape({-1, scores.size(-1)}), labels.flatten(), here, group);
    return reduce == Reduce::Mean ? each.mean() : each.sum();
}

torch::Tensor joinScores(const torch::Tensor& scores, std::int64_t classes, const plan::Slice& here, TensorGroup& group)
{
    const torch::NoGradGuard noGrad;
    auto sizes = scores.sizes().vec();
    sizes.back() = classes;
    const torch::Tensor all = torch::zeros(sizes, scores.options());
    all.narrow(-1, here.first, here.count).copy_(scores);
    group.sum(all);
    return all;
}

} // namespace lockstep::engine
