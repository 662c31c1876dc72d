// The names of a checkpoint's files, which ranks write and the workbench looks for, and what is said of one that is
// lost:
//
//     step-00000500/rank-0.safetensors, rank-1.safetensors, ..., manifest.json
#pragma once

#include "base/text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// Written last: with it the checkpoint is complete.
inline constexpr const char* CheckpointManifest = "manifest.json";

/// `rank-2.safetensors`
[[nodiscard]] std::string checkpointFileName(int rank);
/// `step-00000500`: at least eight digits.
[[nodiscard]] std::string checkpointName(std::int64_t step);
/// The step of a folder that is named like this.
[[nodiscard]] std::optional<std::int64_t> checkpointStep(std::string_view name);

/// What a log says of a checkpoint that is lost, with its step and why. The workbench looks for these lines.
inline constexpr const char* CheckpointNotWritten
    = LS_TR("Messages", "the checkpoint of step %1 could not be written: %2");
inline constexpr const char* CheckpointNotSent = LS_TR("Messages", "the checkpoint of step %1 could not be sent: %2");
inline constexpr const char* CheckpointNotGathered
    = LS_TR("Messages", "the checkpoint of step %1 could not be gathered: %2");
[[nodiscard]] bool isOfLostCheckpoint(const Text& line);

} // namespace lockstep
