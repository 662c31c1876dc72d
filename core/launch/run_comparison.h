// Which runs take turns (measure.interleave), and whether they can be alive together.
#pragma once

#include "launch/run_job.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::launch {

/// Memory of a rank process that loads LibTorch, beside its tensors.
inline constexpr std::int64_t BytesOfARank = 160'000'000;
/// The same on a GPU: what CUDA keeps there for a process.
inline constexpr std::int64_t DeviceBytesOfARank = 500'000'000;

/// Orders the runs seed by seed and numbers those that take turns: the variants of one experiment and repeat, two or
/// more, if all have `measure.interleave`. The sweeps of a repeat follow the runs that train, and take their own turns.
void arrange(std::vector<RunJob::Setup>& jobs);

/// Whether other work on this machine would disturb some of these runs more than others: they have different numbers of
/// ranks, all here.
[[nodiscard]] bool needQuiet(std::span<const RunJob::Setup> jobs);

/// Why these runs cannot be alive together: a sentence with figures; nothing if they can. Looks at the machine's memory
/// and, for runs on GPUs, at the driver's figures. A rank of a user's own program counts without its tensors.
[[nodiscard]] std::optional<Text> whyNotTogether(std::span<const RunJob::Setup> jobs);

/// All of these runs.
[[nodiscard]] Crowd crowdOf(std::span<const RunJob::Setup> jobs);

} // namespace lockstep::launch
