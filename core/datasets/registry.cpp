#include "datasets/registry.h"

#include "base/translate.h"
#include "datasets/cifar.h"
#include "datasets/csv.h"
#include "datasets/data_file.h"
#include "datasets/digits.h"
#include "datasets/idx.h"
#include "datasets/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <mutex>
#include <sys/stat.h>

namespace lockstep::datasets {

namespace {

constexpr std::array MnistScale{ChannelScale{0.1307, 0.3081}};
constexpr std::array Cifar10Scale{
    ChannelScale{0.4914, 0.2470}, ChannelScale{0.4822, 0.2435}, ChannelScale{0.4465, 0.2616}};
constexpr std::array Cifar100Scale{
    ChannelScale{0.5071, 0.2673}, ChannelScale{0.4865, 0.2564}, ChannelScale{0.4409, 0.2762}};

Result<ImageSet> drawDigits(const experiment::RunSpec& run, const std::vector<std::string>&)
{
    const experiment::DataFacts standard = experiment::dataFactsOf(run);
    const experiment::DatasetSettings& asked = run.settings->dataset;
    const auto countOf = [](std::int64_t wanted, std::int64_t all) { return wanted == 0 ? all : wanted; };
    const Seed seed{static_cast<std::uint64_t>(asked.seed)};
    return ImageSet{makeDigits(seed, DigitsPart::Train, countOf(asked.trainSamples, standard.trainSamples)),
        makeDigits(seed, DigitsPart::Test, countOf(asked.testSamples, standard.testSamples))};
}

/// None for the built-in text.
Result<std::vector<std::string>> textFile(const experiment::RunSpec& run)
{
    const std::string& path = run.settings->dataset.path;
    if (path.empty()) {
        return std::vector<std::string>();
    }
    return isFile(path) ? Result<std::vector<std::string>>(std::vector<std::string>{path})
                        : refusal(nameOf(&experiment::DatasetSettings::path),
                            LS_TR("Refusals", "the file \"%1\" does not exist; choose a text file, or leave it empty"),
                            {verbatim(path)});
}

constexpr std::array Rows{
    DataSet{.name = experiment::DataSet::Digits,
        .title = "digits",
        .read = drawDigits,
        .scale = MnistScale,
        .identity = "digits 1"},
    DataSet{.name = experiment::DataSet::Mnist,
        .title = "MNIST",
        .files = idxFiles,
        .facts = idxFacts,
        .read = readIdx,
        .scale = MnistScale},
    DataSet{.name = experiment::DataSet::Cifar10,
        .title = "CIFAR-10",
        .files = cifarFiles,
        .facts = cifarFacts,
        .read = readCifar,
        .scale = Cifar10Scale,
        .archive = Cifar10Archive},
    DataSet{.name = experiment::DataSet::Cifar100,
        .title = "CIFAR-100",
        .files = cifarFiles,
        .facts = cifarFacts,
        .read = readCifar,
        .scale = Cifar100Scale,
        .archive = Cifar100Archive},
    DataSet{.name = experiment::DataSet::Idx,
        .title = "IDX",
        .files = idxFiles,
        .facts = idxFacts,
        .read = readIdx,
        .scale = MnistScale},
    DataSet{.name = experiment::DataSet::Npz,
        .title = "npz",
        .files = npzFiles,
        .facts = npzFacts,
        .read = readNpz,
        .scale = MnistScale},
    DataSet{.name = experiment::DataSet::Csv,
        .title = "CSV",
        .files = csvFiles,
        .facts = csvFacts,
        .read = readCsv,
        .scale = MnistScale},
    DataSet{.name = experiment::DataSet::Text, .title = "text", .files = textFile},
};

/// The facts read by this process, by the files' stamp.
struct ReadFacts {
    std::mutex mutex;
    std::map<std::string, experiment::DataFacts> facts;
};

ReadFacts& readFacts()
{
    static ReadFacts facts;
    return facts;
}

Result<experiment::DataFacts> factsOf(const experiment::RunSpec& run, const DataSet& set)
{
    LOCKSTEP_TRY_ASSIGN(const auto files, filesOf(run));
    const std::string key = fmt::format(
        "{}\n{}\n{}", nameOf(run.settings->dataset.name), nameOf(run.settings->dataset.labels), stampOf(files));
    ReadFacts& kept = readFacts();
    {
        const std::lock_guard lock(kept.mutex);
        if (const auto found = kept.facts.find(key); found != kept.facts.end()) {
            return found->second;
        }
    }
    LOCKSTEP_TRY_ASSIGN(const auto facts, set.facts(run, files));
    const std::lock_guard lock(kept.mutex);
    kept.facts[key] = facts;
    return facts;
}

} // namespace

std::span<const DataSet> dataSets()
{
    return Rows;
}

const DataSet& dataSetOf(const experiment::RunSpec& run)
{
    const auto found = std::find_if(Rows.begin(), Rows.end(), [&](const DataSet& row) { return is(run, row.name); });
    assert(found != Rows.end());
    return *found;
}

Result<std::vector<std::string>> filesOf(const experiment::RunSpec& run)
{
    const DataSet& set = dataSetOf(run);
    return set.files == nullptr ? Result<std::vector<std::string>>(std::vector<std::string>()) : set.files(run);
}

Result<void> describe(experiment::RunSpec& run)
{
    const DataSet& set = dataSetOf(run);
    if (experiment::isSweep(run) || set.files == nullptr) {
        return {};
    }
    if (set.facts == nullptr) {
        LOCKSTEP_TRY(filesOf(run));
        return {};
    }
    LOCKSTEP_TRY_ASSIGN(const auto facts, factsOf(run, set));
    run.data = facts;
    LOCKSTEP_TRY(samplesToKeep(
        &experiment::DatasetSettings::trainSamples, run.settings->dataset.trainSamples, facts.trainSamples));
    LOCKSTEP_TRY(
        samplesToKeep(&experiment::DatasetSettings::testSamples, run.settings->dataset.testSamples, facts.testSamples));
    return experiment::validate(run);
}

Result<std::vector<experiment::RunSpec>> described(std::span<const experiment::RunSpec> runs)
{
    std::vector<experiment::RunSpec> all(runs.begin(), runs.end());
    for (experiment::RunSpec& run : all) {
        LOCKSTEP_TRY(describe(run));
    }
    return all;
}

Result<std::int64_t> samplesToKeep(const experiment::Member& parameter, std::int64_t wanted, std::int64_t there)
{
    if (wanted > there) {
        return refusal(
            nameOf(parameter), LS_TR("Refusals", "%1 is more than the %2 samples available"), {wanted, there});
    }
    return wanted == 0 ? there : wanted;
}

std::string stampOf(std::span<const std::string> files)
{
    std::string stamp;
    for (const std::string& file : files) {
        struct stat facts { };
        if (stat(file.c_str(), &facts) == 0) {
            stamp += fmt::format("{} {} {}.{:09}\n", file, static_cast<std::int64_t>(facts.st_size),
                facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
        }
    }
    return stamp;
}

} // namespace lockstep::datasets
