#include "engine/data/dataset.h"

#include "base/text.h"
#include "datasets/registry.h"
#include "engine/data/kept_datasets.h"
#include "engine/data/text.h"
#include "engine/memory/memory_account.h"

#include <fmt/format.h>

#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

namespace {

/// Pixels as the reader has left them, without a copy; booked, since LibTorch's allocator did not make them.
struct ReadPixels {
    std::vector<std::uint8_t> bytes;
    ForeignMemory booked;
};

LabelledInputs toTensors(datasets::LabelledBytes part)
{
    LabelledInputs result;
    result.labels = at::empty({part.count}, at::kLong);
    std::copy_n(part.labels.begin(), part.count, result.labels.data_ptr<std::int64_t>());
    const at::IntArrayRef::value_type sizes[] = {part.count, part.channels, part.rows, part.columns};
    part.pixels.resize(static_cast<std::size_t>(part.count * part.imageBytes()));
    auto pixels = std::make_shared<ReadPixels>();
    pixels->booked = ForeignMemory(MemoryKind::Data, std::ssize(part.pixels));
    pixels->bytes = std::move(part.pixels);
    result.inputs = at::from_blob(
        pixels->bytes.data(), sizes, [pixels](void*) mutable { pixels.reset(); }, at::kByte);
    return result;
}

/// `28 x 28`, or `3 x 32 x 32` with channels.
std::string sizeOf(const datasets::LabelledBytes& images)
{
    return (images.channels > 1 ? fmt::format("{} x ", images.channels) : "")
        + fmt::format("{} x {}", images.rows, images.columns);
}

Result<Dataset> readImages(const experiment::RunSpec& run, const datasets::DataSet& set)
{
    LOCKSTEP_TRY_ASSIGN(const auto files, datasets::filesOf(run));
    LOCKSTEP_TRY_ASSIGN(auto images, set.read(run, files));
    LOCKSTEP_TRY_ASSIGN(images.train.count,
        datasets::samplesToKeep(
            &experiment::DatasetSettings::trainSamples, run.settings->dataset.trainSamples, images.train.count));
    LOCKSTEP_TRY_ASSIGN(images.test.count,
        datasets::samplesToKeep(
            &experiment::DatasetSettings::testSamples, run.settings->dataset.testSamples, images.test.count));
    Dataset dataset;
    dataset.classes = experiment::dataFactsOf(run).classes;
    dataset.description = {LS_TR("Messages", "%1, %2 + %3 images of %4"),
        {verbatim(set.title), verbatim(groupedDigits(images.train.count)), verbatim(groupedDigits(images.test.count)),
            verbatim(sizeOf(images.train))}};
    dataset.train = toTensors(std::move(images.train));
    dataset.test = toTensors(std::move(images.test));
    return dataset;
}

Result<Dataset> readSet(const experiment::RunSpec& run)
{
    const datasets::DataSet& set = datasets::dataSetOf(run);
    if (set.read == nullptr) {
        return readText(run);
    }
    // A rank has these already; other callers, which load data directly, do not.
    experiment::RunSpec described = run;
    LOCKSTEP_TRY(datasets::describe(described));
    return readImages(described, set);
}

} // namespace

Result<Dataset> loadDataset(const experiment::RunSpec& run)
{
    const MemoryScope scope(MemoryKind::Data);
    auto dataset = keptDataset(run);
    if (!dataset) {
        LOCKSTEP_TRY_ASSIGN(dataset, readSet(run));
    }
    LOCKSTEP_TRY(experiment::checkBatch(run, dataset->train.size()));
    return std::move(*dataset);
}

} // namespace lockstep::engine
