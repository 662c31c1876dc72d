// A run as a PyTorch script on disk: NAME.py and the folder NAME.data with its initial weights, its order of samples
// and generated images.
#pragma once

#include "base/result.h"
#include "exchange/export/file_set.h"
#include "experiment/spec.h"
#include "script/pytorch.h"

#include <QString>

#include <vector>

namespace lockstep::exchange {

/// Both as files below the folder of NAME.py. Starts lockstep-rank and waits for it, about a second: for another thread
/// than the window's.
[[nodiscard]] Result<std::vector<NewFile>> pytorchFiles(
    const experiment::RunSpec& run, const QString& name, script::Reader reader = script::Reader::People);

/// Writes them all or none; files of the same names are replaced. `path`: ends with .py. Error: a run that no script
/// can repeat, a name that is none, a full disk.
[[nodiscard]] Result<void> writePytorch(
    const experiment::RunSpec& run, const QString& path, script::Reader reader = script::Reader::People);

/// The variant's name, with what cannot be in a script's name replaced.
[[nodiscard]] QString scriptName(const experiment::RunSpec& run);

/// Writes the script below `folder`, for the workbench to start: a run of a user's own program (rank.program), to be
/// compared with `run`. The caller confirms it before the start (launch/trust.h).
[[nodiscard]] Result<experiment::RunSpec> writeScriptRun(const experiment::RunSpec& run, const QString& folder);

} // namespace lockstep::exchange
