#include "engine/run/files/script_files.h"

#include "datasets/registry.h"
#include "engine/data/dataset.h"
#include "engine/data/partitioned.h"
#include "engine/model/net.h"
#include "experiment/choices.h"
#include "plan/grid.h"
#include "plan/partition/distributed_sampler.h"
#include "plan/steps.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <span>
#include <vector>

namespace lockstep::engine {

namespace {

static_assert(std::endian::native == std::endian::little, "the files are little-endian");

/// 256 MB of indices.
constexpr std::int64_t MostIndices = 64'000'000;

Result<void> writeBytes(const std::string& path, std::span<const std::byte> bytes)
{
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    return file ? Result<void>()
                : failure(LS_TR("Messages", "%1: cannot be written: %2"), {verbatim(path), systemError()});
}

template <typename T>
Result<void> writeNumbers(const std::string& path, const std::vector<T>& numbers)
{
    return writeBytes(path, std::as_bytes(std::span(numbers)));
}

Result<void> writeWeights(const experiment::RunSpec& run, const std::string& folder)
{
    LOCKSTEP_TRY_ASSIGN(const Net net, makeNet(run, torch::kCPU));
    std::vector<float> weights;
    for (const NamedTensor& parameter : net.parameters()) {
        const torch::Tensor flat = parameter.tensor.detach().to(torch::kFloat).contiguous().flatten();
        weights.insert(weights.end(), flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
    }
    return writeNumbers(folder + "/weights.f32", weights);
}

Result<void> writeDigits(const experiment::RunSpec& run, const std::string& folder)
{
    LOCKSTEP_TRY_ASSIGN(const auto digits, datasets::dataSetOf(run).read(run, {}));
    const auto& [train, test] = digits;
    LOCKSTEP_TRY(writeNumbers(folder + "/train_images.u8", train.pixels));
    LOCKSTEP_TRY(writeNumbers(folder + "/train_labels.u8", train.labels));
    LOCKSTEP_TRY(writeNumbers(folder + "/test_images.u8", test.pixels));
    return writeNumbers(folder + "/test_labels.u8", test.labels);
}

/// Each window's bytes with the one that follows its last.
Result<void> writeWindows(const LabelledInputs& windows, const std::string& path)
{
    const torch::Tensor last = windows.labels.narrow(1, windows.labels.size(1) - 1, 1);
    const torch::Tensor bytes = torch::cat({windows.inputs, last}, 1).to(torch::kByte).contiguous();
    return writeBytes(path, std::as_bytes(std::span(bytes.data_ptr<std::uint8_t>(), bytes.nbytes())));
}

/// How the ranks' batches compare, over all steps.
struct BatchSizes {
    bool areEqual = true; ///< all ranks have as many samples in each step
    bool areFull = true; ///< every rank has some in each step
};

Result<BatchSizes> writeOrder(plan::DistributedSampler& sampler, std::int64_t steps, const std::string& folder)
{
    BatchSizes batches;
    for (int rank = 0; rank < sampler.ranks(); ++rank) {
        std::vector<std::int32_t> sizes;
        std::vector<std::int32_t> order;
        for (std::int64_t step = 1; step <= steps; ++step) {
            const auto indices = sampler.indices(step, rank);
            sizes.push_back(static_cast<std::int32_t>(indices.size()));
            order.insert(order.end(), indices.begin(), indices.end());
            batches.areEqual = batches.areEqual && sampler.count(step, 0) == sizes.back();
            batches.areFull = batches.areFull && !indices.empty();
        }
        LOCKSTEP_TRY(writeNumbers(fmt::format("{}/sizes.{}.i32", folder, rank), sizes));
        LOCKSTEP_TRY(writeNumbers(fmt::format("{}/order.{}.i32", folder, rank), order));
    }
    return batches;
}

} // namespace

Result<void> writeScriptFiles(const experiment::RunSpec& run, const std::string& folder)
{
    LOCKSTEP_TRY_ASSIGN(const Dataset data, loadDataset(run));
    const int ranks = static_cast<int>(plan::gridShape(run).data);
    LOCKSTEP_TRY_ASSIGN(const auto partition, partitioned(run, ranks, data));
    const plan::StepPlan plan = plan::stepPlan(run, partition.sampler->samplesPerEpoch());
    if (plan.totalSteps > MostIndices / plan.batch) {
        return refusal(nameOf(&experiment::TrainSettings::steps),
            LS_TR("Messages",
                "%1 steps of %2 samples are too many to write their order beside a script; at most %3 samples are "
                "allowed: lower train.steps or train.epochs"),
            {plan.totalSteps, plan.batch, MostIndices});
    }
    LOCKSTEP_TRY_ASSIGN(const BatchSizes batches, writeOrder(*partition.sampler, plan.totalSteps, folder));
    LOCKSTEP_TRY(writeWeights(run, folder));
    if (is(run, experiment::DataSet::Digits)) {
        LOCKSTEP_TRY(writeDigits(run, folder));
    }
    if (is(run, experiment::DataSet::Text)) {
        LOCKSTEP_TRY(writeWindows(data.train, folder + "/train_text.u8"));
        LOCKSTEP_TRY(writeWindows(data.test, folder + "/test_text.u8"));
    }
    nlohmann::ordered_json contents;
    contents["version"] = 1;
    contents["train_samples"] = data.train.size();
    contents["test_samples"] = data.test.size();
    contents["steps"] = plan.totalSteps;
    contents["steps_per_epoch"] = plan.stepsPerEpoch;
    contents["batch"] = plan.batch;
    contents["equal_batches"] = batches.areEqual;
    contents["full_batches"] = batches.areFull;
    const std::string text = contents.dump();
    return writeBytes(folder + "/contents.json", std::as_bytes(std::span(text)));
}

} // namespace lockstep::engine
