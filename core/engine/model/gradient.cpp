#include "engine/model/gradient.h"

#include "engine/model/loss.h"

#include <torch/types.h>

#include <algorithm>

namespace lockstep::engine {

/// Scaling the number that backward starts from costs nothing; scaling the gradient is a pass over all of it.
void backward(const torch::Tensor& loss, double scale)
{
    if (scale == 1.0) {
        loss.backward();
    } else {
        loss.backward(torch::full({}, scale, loss.options().requires_grad(false)));
    }
}

torch::Tensor addGradient(Net& net, const Batch& batch, StepClock& clock, double scale)
{
    clock.begin(Phase::Forward);
    const torch::Tensor loss = crossEntropy(net.forward(batch.inputs), batch.labels);
    clock.begin(Phase::Backward);
    backward(loss, scale);
    return loss.detach();
}

torch::Tensor addGradientInChunks(Net& net, const LabelledInputs& data, std::int64_t chunk, StepClock& clock,
    double scale, const std::function<void()>& beforeLast)
{
    const std::int64_t total = data.size();
    torch::Tensor sum;
    for (std::int64_t first = 0; first < total; first += chunk) {
        const std::int64_t count = std::min(chunk, total - first);
        clock.begin(Phase::Data);
        const torch::Tensor part = data.inputs.narrow(0, first, count);
        const torch::Tensor labels = data.labels.narrow(0, first, count);
        clock.begin(Phase::Forward);
        const double share = static_cast<double>(count) / static_cast<double>(total);
        const torch::Tensor loss = crossEntropy(net.forward(part), labels) * share;
        clock.begin(Phase::Backward);
        if (beforeLast && first + chunk >= total) {
            beforeLast();
        }
        backward(loss, scale);
        // Summed in double: a float sum of many chunks would lose digits that the losses of two runs are compared by.
        const torch::Tensor value = loss.detach().to(torch::kDouble);
        sum = sum.defined() ? sum + value : value;
    }
    return sum;
}

} // namespace lockstep::engine
