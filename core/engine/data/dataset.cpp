#include "engine/data/dataset.h"

#include "base/text.h"
#include "engine/data/cifar10.h"
#include "engine/data/digits.h"
#include "engine/data/kept_datasets.h"
#include "engine/data/normalise.h"
#include "engine/data/text.h"
#include "engine/memory/memory_account.h"
#include "experiment/choices.h"
#include "experiment/dataset_folder.h"
#include "plan/steps.h"

#include <fmt/format.h>

#include <ATen/ATen.h>

#include <algorithm>
#include <span>

namespace lockstep::engine {

namespace {

struct Parts {
    LabelledBytes train;
    LabelledBytes test;
};

Result<void> keepFirst(const experiment::RunSpec& run, LabelledBytes& part, const char* parameter)
{
    LOCKSTEP_TRY_ASSIGN(part.count, samplesToKeep(run, parameter, part.count));
    return {};
}

Result<Parts> readIdx(const experiment::RunSpec& run)
{
    const std::string folder = experiment::imageFolder(run);
    LOCKSTEP_TRY_ASSIGN(auto train, readLabelledImages(folder, "train"));
    LOCKSTEP_TRY_ASSIGN(auto test, readLabelledImages(folder, "t10k"));
    if (train.rows != test.rows || train.columns != test.columns) {
        return Error{fmt::format("dataset.path: {} has training images of {} x {} but test images of {} x {}", folder,
            train.rows, train.columns, test.rows, test.columns)};
    }
    if (train.rows != DigitsSide || train.columns != DigitsSide) {
        return Error{fmt::format(
            "dataset.path: {} has images of {} x {}; the nets take 28 x 28", folder, train.rows, train.columns)};
    }
    return Parts{std::move(train), std::move(test)};
}

Result<Parts> readFolder(const experiment::RunSpec& run)
{
    const auto readCifar = [&run]() -> Result<Parts> {
        const std::string folder = experiment::imageFolder(run);
        LOCKSTEP_TRY_ASSIGN(auto train, readCifar10(folder, experiment::Cifar10TrainFiles));
        LOCKSTEP_TRY_ASSIGN(auto test, readCifar10(folder, experiment::Cifar10TestFiles));
        return Parts{std::move(train), std::move(test)};
    };
    LOCKSTEP_TRY_ASSIGN(auto parts, is(run, experiment::DataSet::Cifar10) ? readCifar() : readIdx(run));
    LOCKSTEP_TRY(keepFirst(run, parts.train, "dataset.train_samples"));
    LOCKSTEP_TRY(keepFirst(run, parts.test, "dataset.test_samples"));
    return parts;
}

Parts drawDigits(const experiment::RunSpec& run)
{
    const Seed seed{static_cast<std::uint64_t>(run.integer("dataset.seed"))};
    return {makeDigits(seed, DigitsPart::Train, plan::knownTrainSamples(run)),
        makeDigits(seed, DigitsPart::Test, plan::knownTestSamples(run))};
}

LabelledInputs toTensors(const LabelledBytes& part, at::ScalarType dtype)
{
    const auto plane = static_cast<std::size_t>(part.rows * part.columns);
    const auto pixels = std::span(part.pixels).first(static_cast<std::size_t>(part.count * part.channels) * plane);
    const std::span<const ChannelScale> scale
        = part.channels == 1 ? std::span<const ChannelScale>(MnistScale) : std::span<const ChannelScale>(Cifar10Scale);
    LabelledInputs result;
    result.inputs = at::empty({part.count, part.channels, part.rows, part.columns}, dtype);
    if (dtype == at::kDouble) {
        normalise(pixels, scale, plane, result.inputs.data_ptr<double>());
    } else {
        normalise(pixels, scale, plane, result.inputs.data_ptr<float>());
    }
    result.labels = at::empty({part.count}, at::kLong);
    std::copy_n(part.labels.begin(), part.count, result.labels.data_ptr<std::int64_t>());
    return result;
}

std::string nameOf(const experiment::RunSpec& run)
{
    switch (experiment::choice<experiment::DataSet>(run)) {
    case experiment::DataSet::Mnist:
        return "MNIST";
    case experiment::DataSet::Cifar10:
        return "CIFAR-10";
    case experiment::DataSet::Idx:
        return "IDX";
    case experiment::DataSet::Digits:
    case experiment::DataSet::Text:
        break;
    }
    return "digits";
}

/// `28 x 28`, or `3 x 32 x 32` with channels.
std::string sizeOf(const LabelledBytes& images)
{
    return (images.channels > 1 ? fmt::format("{} x ", images.channels) : "")
        + fmt::format("{} x {}", images.rows, images.columns);
}

Result<Dataset> readImages(const experiment::RunSpec& run)
{
    LOCKSTEP_TRY_ASSIGN(
        auto parts, is(run, experiment::DataSet::Digits) ? Result<Parts>(drawDigits(run)) : readFolder(run));
    const at::ScalarType dtype = is(run, experiment::WeightType::Float64) ? at::kDouble : at::kFloat;
    Dataset dataset;
    dataset.train = toTensors(parts.train, dtype);
    dataset.test = toTensors(parts.test, dtype);
    dataset.description = nameOf(run) + ", " + groupedDigits(parts.train.count) + " + "
        + groupedDigits(parts.test.count) + " images of " + sizeOf(parts.train);
    return dataset;
}

} // namespace

Result<std::int64_t> samplesToKeep(const experiment::RunSpec& run, const char* parameter, std::int64_t there)
{
    const std::int64_t wanted = run.integer(parameter);
    if (wanted > there) {
        return Error{fmt::format("{}: {} is more than the {} samples available", parameter, wanted, there)};
    }
    return wanted == 0 ? there : wanted;
}

Result<Dataset> loadDataset(const experiment::RunSpec& run)
{
    const MemoryScope scope(MemoryKind::Data);
    auto dataset = keptDataset(run);
    if (!dataset) {
        LOCKSTEP_TRY_ASSIGN(dataset, is(run, experiment::DataSet::Text) ? readText(run) : readImages(run));
    }
    LOCKSTEP_TRY(experiment::checkBatch(run, dataset->train.size()));
    return std::move(*dataset);
}

} // namespace lockstep::engine
