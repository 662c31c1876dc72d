#include "engine/model/tensor_group.h"

#include <torch/autograd.h>
#include <torch/types.h>

namespace lockstep::engine {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* Group = "group";

void keep(AutogradContext* context, TensorGroup& group)
{
    context->saved_data[Group] = reinterpret_cast<std::int64_t>(&group);
}

TensorGroup& kept(AutogradContext* context)
{
    return *reinterpret_cast<TensorGroup*>(context->saved_data[Group].toInt());
}

class CopyToParts : public torch::autograd::Function<CopyToParts> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& input, TensorGroup& group)
    {
        keep(context, group);
        return input.view_as(input);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients)
    {
        // Into a separate tensor: others may read the input.
        const torch::Tensor sum = gradients[0].clone(at::MemoryFormat::Contiguous);
        kept(context).sum(sum);
        return {sum, torch::Tensor()};
    }
};

class SumOverParts : public torch::autograd::Function<SumOverParts> {
public:
    static torch::Tensor forward(AutogradContext* context, torch::Tensor input, TensorGroup& group)
    {
        group.sum(input);
        context->mark_dirty({input});
        return input;
    }

    static variable_list backward(AutogradContext*, variable_list gradients) { return {gradients[0], torch::Tensor()}; }
};

} // namespace

torch::Tensor copyToParts(const torch::Tensor& input, TensorGroup* group)
{
    return group != nullptr && input.requires_grad() ? CopyToParts::apply(input, *group) : input;
}

torch::Tensor sumOverParts(const torch::Tensor& input, TensorGroup* group)
{
    return group != nullptr ? SumOverParts::apply(input.contiguous(), *group) : input;
}

} // namespace lockstep::engine
