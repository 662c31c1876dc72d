// The data sets, one row each: their files, what these contain, how they are read and scaled. Used before a run starts
// (a run is refused here, not by each of its ranks), for estimates, and by the ranks. No LibTorch, no Qt.
#pragma once

#include "base/result.h"
#include "datasets/images.h"
#include "experiment/choices.h"
#include "experiment/spec.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::datasets {

struct DataSet {
    experiment::DataSet name; ///< of `dataset.name`, in the parameter's order
    std::string_view title; ///< in the log: `MNIST, 60,000 + 10,000 images of 28 x 28`
    /// The files, in the order in which the data set's identity is computed from them; null if it has no files.
    Result<std::vector<std::string>> (*files)(const experiment::RunSpec& run) = nullptr;
    /// What the files contain, checked as far as possible without reading all of them; null if there are no images.
    Result<experiment::DataFacts> (*facts)(const experiment::RunSpec& run, const std::vector<std::string>& files)
        = nullptr;
    /// The whole data set, training and test part; null if there are none.
    Result<ImageSet> (*read)(const experiment::RunSpec& run, const std::vector<std::string>& files) = nullptr;
    /// One for each channel, or one for all of them.
    std::span<const ChannelScale> scale{};
    /// The identity of a built-in data set; change it whenever the generated data change.
    std::string_view identity{};
    /// Where to download the files; the window downloads MNIST itself.
    std::string_view archive{};
};

[[nodiscard]] std::span<const DataSet> dataSets();
[[nodiscard]] const DataSet& dataSetOf(const experiment::RunSpec& run);

/// The run's files; empty if it reads none.
[[nodiscard]] Result<std::vector<std::string>> filesOf(const experiment::RunSpec& run);

/// Reads facts about the files into `run.data`, and checks the run against them: number of samples, batch, net. Errors
/// begin with the parameter's name. The facts are cached until a file changes. Any thread.
[[nodiscard]] Result<void> describe(experiment::RunSpec& run);
/// describe() for several runs: one error before any process starts, instead of one from each rank.
[[nodiscard]] Result<std::vector<experiment::RunSpec>> described(std::span<const experiment::RunSpec> runs);

/// How many of `there` samples the parameter asks for; 0 asks for all. Refuses more than there are.
[[nodiscard]] Result<std::int64_t> samplesToKeep(
    const experiment::Member& parameter, std::int64_t wanted, std::int64_t there);

/// Path, size and time of modification of each file: equal unless a file was written to.
[[nodiscard]] std::string stampOf(std::span<const std::string> files);

} // namespace lockstep::datasets
