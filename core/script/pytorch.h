// A run as a script for torch.distributed, as a course would print it, with the same losses.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::script {

/// What a script needs beside the run: the numbers of `lockstep-rank --script-files`, which writes them into
/// contents.json beside its files, and what the run's row of core/datasets has.
struct Contents {
    std::int64_t trainSamples = 0;
    std::int64_t testSamples = 0;
    std::int64_t steps = 0;
    std::int64_t stepsPerEpoch = 0;
    std::int64_t batch = 0; ///< samples of a full step over all ranks
    bool hasEqualBatches = false; ///< all ranks have as many samples in each step
    bool hasFullBatches = false; ///< every rank has some in each step
    std::vector<std::string> files{}; ///< of the data set: datasets::filesOf()
    std::vector<double> mean{}; ///< of each channel, from 0 to 1
    std::vector<double> deviation{};
};

[[nodiscard]] Result<Contents> parseContents(std::string_view json);

/// Whether a script can carry the run out. The error begins with the parameter's name and says why not.
[[nodiscard]] Result<void> checkPytorch(const experiment::RunSpec& run);

/// Who runs the script.
enum class Reader {
    People, ///< it prints its losses
    Workbench, ///< it reports them to the workbench, too: a user's own program (rank.program)
};

/// The script, for a file named `stem`.py with the folder `stem`.data beside it. Checked: see checkPytorch(). Settings
/// that change no loss and that the script does not carry out are named at its top.
[[nodiscard]] std::string pytorchScript(
    const experiment::RunSpec& run, const Contents& contents, const std::string& stem, Reader reader = Reader::People);

/// How many processes it starts: the run's ranks, and with RPC a master that calls them.
[[nodiscard]] std::int32_t processesOf(const experiment::RunSpec& run);

/// Whether `text` can be the stem: it becomes part of the script.
[[nodiscard]] bool isStem(std::string_view text);

} // namespace lockstep::script
