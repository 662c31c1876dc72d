#include "engine/strategy/job.h"

#include "base/clock.h"
#include "engine/compat/libtorch.h"
#include "engine/data/batch_uploads.h"
#include "engine/data/partitioned.h"
#include "engine/gpu/device_memory_use.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/strategy/zero/offload.h"
#include "experiment/choices.h"
#include "plan/activations.h"
#include "plan/grid.h"
#include "plan/memory.h"
#include "plan/pipeline/parts.h"
#include "plan/zero.h"

#include <torch/types.h>

#include <utility>

namespace lockstep::engine {

namespace {

void moveTo(LabelledInputs& part, const torch::Device& device)
{
    part.inputs = part.inputs.to(device);
    part.labels = part.labels.to(device);
}

/// The first samples of the training set: those that lie on the device already are not copied.
LabelledInputs evaluatedOf(const LabelledInputs& train, const torch::Device& device)
{
    const std::int64_t count = plan::evaluatedTrainSamples(train.size());
    LabelledInputs first{train.inputs.narrow(0, 0, count), train.labels.narrow(0, 0, count)};
    moveTo(first, device);
    return first;
}

/// This rank's parts of the net as one net; `parts` maps its layers to them.
Result<Net> makeParts(const experiment::RunSpec& run, const torch::Device& device, const RankContext& context,
    TensorRanks* tensor, std::vector<plan::Slice>& parts)
{
    LOCKSTEP_TRY_ASSIGN(const auto all, plan::pipelineParts(run));
    std::vector<Net> ranges;
    std::int64_t first = 0;
    const plan::GridShape shape = plan::gridShape(run);
    for (auto part = static_cast<std::size_t>(plan::placeOf(context.rank.number, shape).stage); part < all.size();
         part += static_cast<std::size_t>(shape.pipeline)) {
        const plan::Slice& slice = all[part].layers;
        LOCKSTEP_TRY_ASSIGN(auto range, makeNet(run, device, slice.first, slice.first + slice.count, tensor));
        ranges.push_back(std::move(range));
        parts.push_back({first, slice.count});
        first += slice.count;
    }
    return Net::joined(std::move(ranges));
}

struct Model {
    Net net;
    FlatParameters parameters;
    std::vector<plan::Slice> parts;
    std::optional<Shards> shards;
};

/// The net as the strategy cuts it.
Result<Model> makeModel(
    const experiment::RunSpec& run, const torch::Device& device, const RankContext& context, TensorRanks* tensor)
{
    const plan::ZeroStage stage = plan::zeroStage(run);
    if (stage >= plan::ZeroStage::Gradients) {
        auto made = makeShardedNet(run, device, context.rank.number, context.worldSize);
        return made ? Result<Model>(Model{std::move(made->net), std::move(made->kept), {}, std::move(made->shards)})
                    : Result<Model>(made.error());
    }
    const bool isZero = stage == plan::ZeroStage::OptimizerState;
    std::vector<plan::Slice> parts;
    LOCKSTEP_TRY_ASSIGN(auto net,
        plan::dividesModel(run) && !isZero ? makeParts(run, device, context, tensor, parts) : makeNet(run, device));
    if (is(run, experiment::Recompute::Layer)) {
        net.setSegments(plan::layerSegmentsOf(run));
    }
    // The ranks that share the optimizer's state: all, or in a grid the copies of this rank's part.
    const plan::GridShape shape = plan::gridShape(run);
    const bool isDivided = isZero || plan::copiesShareState(run);
    FlatParameters parameters(net, isDivided ? shape.data : 1);
    std::optional<Shards> shards;
    if (isDivided) {
        shards = shardsOf(net, parameters, plan::placeOf(context.rank.number, shape).data, shape.data);
    }
    return Model{std::move(net), std::move(parameters), std::move(parts), std::move(shards)};
}

/// What `train.precision` asks for and this device or strategy does not have.
Result<void> checkPrecision(const experiment::RunSpec& run, const torch::Device& device)
{
    const auto type = autocastOf(run);
    if (type && device.is_cpu() && !computesOnCpu(*type)) {
        return refusal(nameOf(&experiment::TrainSettings::precision),
            LS_TR("Messages", "LibTorch %1 has no float16 arithmetic on the CPU: use bfloat16 or float32, or a GPU"),
            {verbatim(TORCH_VERSION)});
    }
    if (type == at::kHalf && run.settings->aggregation.algorithm == experiment::Algorithm::ParameterServerAsync
        && run.settings->rank.strategy == experiment::Strategy::Data) {
        return refusal(nameOf(&experiment::TrainSettings::precision),
            LS_TR("Messages",
                "float16 needs one decision on every step, whether it overflowed, which an asynchronous parameter "
                "server does not make: use bfloat16 or float32, or a synchronous aggregation"));
    }
    return {};
}

Result<std::unique_ptr<Optimizer>> optimizerOf(
    const experiment::RunSpec& run, Model& model, const torch::Device& device, const DeviceStream* stream)
{
    const std::vector<torch::Tensor> weights
        = model.shards ? model.shards->weights : std::vector<torch::Tensor>{model.parameters.weights()};
    const auto place = plan::offloadOf(run);
    if (place == experiment::Offload::None) {
        return makeOptimizer(run, weights);
    }
    if (place == experiment::Offload::Host && device.is_cpu()) {
        return refusal(nameOf(&experiment::ZeroSettings::offload),
            LS_TR("Messages",
                "host moves the optimizer state from a GPU to the host's memory, where this rank on the CPU has it "
                "already; use none or disk"));
    }
    return makeOffloadedOptimizer(
        run, weights, {place, run.settings->zero.offloadPath, plan::OffloadChunkElements, !device.is_cpu(), stream});
}

} // namespace

Result<std::unique_ptr<Job>> prepare(
    const experiment::RunSpec& run, const RankContext& context, const plan::Placement& placement)
{
    LOCKSTEP_TRY_ASSIGN(const auto device, openDevice(placement, context));
    LOCKSTEP_TRY(checkPrecision(run, device));
    if (const std::int64_t limit = plan::memoryLimitOf(run); limit > 0) {
        boundMemory(device, limit);
    }
    auto stream = std::make_unique<DeviceStream>(device);
    chooseKernels(device, run.settings->verify.isOn);
    const std::int64_t begin = monotonicNs();
    LOCKSTEP_TRY_ASSIGN(auto data, loadDataset(run));
    const plan::GridShape shape = plan::gridShape(run);
    LOCKSTEP_TRY_ASSIGN(auto partition, partitioned(run, shape.data, data));
    // Once for the whole run; a set too large for the device stays here and is copied batch by batch.
    if (fitsOnDevice(device, static_cast<std::int64_t>(data.train.inputs.nbytes()), plan::memoryLimitOf(run))) {
        moveTo(data.train, device);
    }
    moveTo(data.test, device);
    LabelledInputs evaluated = evaluatedOf(data.train, device);
    const std::int64_t dataNs = monotonicNs() - begin;
    const plan::GridPlace place = plan::placeOf(context.rank.number, shape);
    auto tensor = shape.tensor > 1 ? std::make_unique<TensorRanks>(place.part, shape.tensor) : nullptr;
    LOCKSTEP_TRY_ASSIGN(auto model, makeModel(run, device, context, tensor.get()));
    LOCKSTEP_TRY_ASSIGN(auto optimizer, optimizerOf(run, model, device, stream.get()));
    const bool isRecordable = data.train.inputs.is_cuda();
    const plan::StepPlan plan = plan::stepPlan(run, partition.sampler->samplesPerEpoch());
    return std::make_unique<Job>(
        Job{std::move(stream), std::move(data), dataNs, device, std::move(tensor), std::move(model.net),
            std::move(model.parameters), std::move(optimizer), std::move(partition), plan, std::move(model.parts),
            std::move(model.shards), autocastOf(run) == at::kHalf ? std::optional(LossScaler{}) : std::nullopt,
            std::move(evaluated), isRecordable ? makePassRecorder : std::function<std::unique_ptr<PassRecorder>()>()});
}

} // namespace lockstep::engine
