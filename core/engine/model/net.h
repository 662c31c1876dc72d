// A net is a list of layers. Any contiguous range can be built alone, with the same weights as in the whole, because
// each layer draws its weights from a generator seeded with (train.seed, index of the layer).
#pragma once

#include "base/random.h"
#include "base/result.h"
#include "engine/data/input_scale.h"
#include "engine/model/tensor_group.h"
#include "experiment/spec.h"
#include "plan/activations.h"
#include "plan/slices.h"

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::engine {

/// Where a rank's part of a parameter is in the whole: consecutive slices of one dimension.
struct TensorPiece {
    std::int64_t dimension = 0;
    std::int64_t whole = 0; ///< size of that dimension in the whole
    std::vector<plan::Slice> slices;
};

struct NamedTensor {
    std::string name; ///< "0.weight": index of the layer in the whole net, then the parameter
    torch::Tensor tensor;
    std::optional<TensorPiece> piece{}; ///< none: this is all of it
};

/// One layer: a function with (perhaps no) parameters. Backward comes from autograd.
class Layer {
public:
    virtual ~Layer() = default;
    [[nodiscard]] virtual torch::Tensor forward(const torch::Tensor& input) = 0;
    [[nodiscard]] virtual std::vector<NamedTensor> parameters() const { return {}; } ///< names without the index
    [[nodiscard]] virtual std::string description() const = 0; ///< "linear 784 -> 128"
    /// Which of `parameters()` another layer of the whole net uses as well. A layer that was given that layer's own
    /// tensor lists no such parameter.
    [[nodiscard]] virtual std::optional<std::size_t> tiedParameter() const { return std::nullopt; }
    /// Which of the last dimension of its output is here, where a tensor-parallel group shares that.
    [[nodiscard]] virtual std::optional<plan::Slice> outputPiece() const { return std::nullopt; }
    /// The next backward overwrites the gradients instead of adding to them.
    virtual void clearGradients();
};

/// How a net computes. Its weights, inputs and outputs keep the run's dtype.
struct Arithmetic {
    std::optional<at::ScalarType> autocast{}; ///< matrix products and convolutions in this type
    bool isChannelsLast = false; ///< images are in NHWC order, which convolutions on GPUs prefer
};

class Net {
public:
    Net(std::vector<std::unique_ptr<Layer>> layers, std::size_t firstIndex);

    /// One net of several ranges of the whole one, in their order.
    [[nodiscard]] static Net joined(std::vector<Net> ranges);

    [[nodiscard]] torch::Tensor forward(const torch::Tensor& input);
    /// Through layers [first, first + count) of those that are here.
    [[nodiscard]] torch::Tensor forward(const torch::Tensor& input, std::size_t first, std::size_t count);
    /// The same, recomputed in backward from the input. The net must not move until then.
    [[nodiscard]] torch::Tensor forwardRecomputed(const torch::Tensor& input, std::size_t first, std::size_t count);
    /// What forward() of the whole net recomputes; they follow each other.
    void setSegments(std::vector<plan::LayerSegment> segments) { m_segments = std::move(segments); }
    void setArithmetic(const Arithmetic& arithmetic) { m_arithmetic = arithmetic; }
    /// How bytes become the input of the first layer.
    void setScale(InputScale scale) { m_scale = std::move(scale); }
    /// Samples that evaluation takes at once: plan::mostEvaluatedAtOnce().
    void setEvaluatedAtOnce(std::int64_t samples) { m_evaluatedAtOnce = samples; }
    [[nodiscard]] std::int64_t evaluatedAtOnce() const { return m_evaluatedAtOnce; }
    /// In layer order, named as in the whole net.
    [[nodiscard]] const std::vector<NamedTensor>& parameters() const { return m_parameters; }
    [[nodiscard]] std::int64_t parameterCount() const;
    /// Which of `parameters()` is the weight that the first and the last layer share. A range with both has it once,
    /// and its gradient is the sum of both uses. A range with one of the two has a copy with the same initial numbers;
    /// to stay equal, the two ranges must add up their gradients of it. Others have none.
    [[nodiscard]] std::optional<std::size_t> tiedParameter() const { return m_tiedParameter; }
    [[nodiscard]] std::size_t layerCount() const { return m_layers.size(); }
    [[nodiscard]] const Layer& layer(std::size_t i) const { return *m_layers[i]; }
    [[nodiscard]] Layer& layer(std::size_t i) { return *m_layers[i]; }

private:
    /// Through a range of layers, in the types that these give.
    [[nodiscard]] torch::Tensor pass(const torch::Tensor& input, const plan::Slice& layers);
    [[nodiscard]] torch::Tensor recomputedPass(const torch::Tensor& input, const plan::Slice& layers);
    [[nodiscard]] torch::Tensor toWeightsType(const torch::Tensor& value) const;

    std::vector<std::unique_ptr<Layer>> m_layers;
    std::vector<plan::LayerSegment> m_segments; ///< empty: nothing is recomputed
    std::vector<NamedTensor> m_parameters;
    std::optional<std::size_t> m_tiedParameter;
    Arithmetic m_arithmetic;
    std::optional<InputScale> m_scale;
    std::int64_t m_evaluatedAtOnce = 1;
};

/// Layers [first, last) of `net.name`; last = -1: to the end. Weights as PyTorch initialises such layers (Kaiming
/// uniform, a = sqrt(5); biases uniform in 1/sqrt(fan in)), the GPT's as GPT-2's, in the run's dtype, on `device`.
/// With a `group`, which must outlive the net: this rank's part of each layer.
[[nodiscard]] Result<Net> makeNet(const experiment::RunSpec& run, torch::Device device, std::int64_t first = 0,
    std::int64_t last = -1, TensorGroup* group = nullptr);

/// The same as a continuation of `begin`, layer 0 of the net: a weight shared with layer 0 is the same tensor, even if
/// the range does not hold that layer.
[[nodiscard]] Result<Net> makeNetAfter(
    const Layer& begin, const experiment::RunSpec& run, torch::Device device, std::int64_t first, std::int64_t last);

/// The type of matrix products under `train.precision`; none for that of the weights.
[[nodiscard]] std::optional<at::ScalarType> autocastOf(const experiment::RunSpec& run);

/// Number of layers of the whole net.
[[nodiscard]] Result<std::int64_t> layerCount(const experiment::RunSpec& run);

} // namespace lockstep::engine
