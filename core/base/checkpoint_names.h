// The names of a checkpoint's files, which ranks write and the workbench looks for:
//
//     step-00000500/rank-0.safetensors, rank-1.safetensors, ..., manifest.json
#pragma once

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

} // namespace lockstep
