// One rank's run, from its spec to its goodbye.
#pragma once

#include "engine/gpu/device_marks.h"
#include "engine/ranks/rank_context.h"
#include "engine/telemetry/recorder.h"
#include "experiment/spec.h"
#include "wire/messages.h"

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <memory>

namespace lockstep::engine {

struct Job;

/// Hooks for tests into a run.
struct TrainingHooks {
    std::function<void(Job& job)> onPrepared{}; ///< before the ranks meet
    std::function<void(const torch::Tensor& weights)> onEnd{}; ///< after the last step
    std::function<void(std::int64_t step, torch::Tensor& gradients)> onGradient{};
    /// The test's own device time line.
    std::function<std::unique_ptr<DeviceMarks>()> marks{};
};

/// Carries out the run and returns the goodbye to send: finished, stopped, failed (with the step) or refused (bad
/// input, with the parameter's name). Equal specs give equal losses to the last bit on the CPU with equal rank.threads.
[[nodiscard]] wire::Goodbye train(
    const experiment::RunSpec& run, const RankContext& context, Recorder& recorder, const TrainingHooks& hooks = {});

} // namespace lockstep::engine
