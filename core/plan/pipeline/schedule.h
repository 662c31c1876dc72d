// The order in which pipeline stages process the micro-batches of a step.
//
// A stage is a contiguous part of the net on one rank; an interleaved pipeline gives each rank several such parts, its
// chunks: chunk c of rank r is the net's part c * stages + r. Backward passes come in the order of the micro-batches in
// every schedule, so that gradients add up as in one process that takes the micro-batches in turn.
#pragma once

#include "base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::plan {

struct PipelineShape {
    int stages = 1; ///< ranks
    int microBatches = 1;
    int chunks = 1; ///< of each rank
};

/// One thing that a stage does. Messages go to the parts of the net before and after its own.
struct PipelineAction {
    enum class Kind {
        ReceiveActivation, ///< the part's input
        Forward,
        SendActivation, ///< the part's output
        ReceiveGradient, ///< of the part's output
        Backward,
        SendGradient, ///< of the part's input
        Wait, ///< until everything is sent
        Update, ///< the optimizer's step; the last of a step's actions
    };

    Kind kind = Kind::Forward;
    int microBatch = 0; ///< 0 .. microBatches - 1; of Wait and Update: -1
    int chunk = 0; ///< 0 .. chunks - 1

    bool operator==(const PipelineAction&) const = default;
};

/// One value of `pipeline.schedule`.
struct ScheduleKind {
    std::string_view name;
    /// What `stage` does in a step, one after the other. The shape has passed checkShape.
    std::vector<PipelineAction> (*actions)(int stage, const PipelineShape& shape);
    bool isInterleaved = false; ///< takes more than one chunk
};

[[nodiscard]] std::span<const ScheduleKind> scheduleKinds();
/// nullptr for an unknown name.
[[nodiscard]] const ScheduleKind* scheduleKind(std::string_view name);

/// The message begins with the parameter that does not fit.
[[nodiscard]] Result<void> checkShape(const ScheduleKind& kind, const PipelineShape& shape);

/// Share of the ranks' time that is idle when all parts take the same time: (p - 1) / (m + p - 1) for fill-drain and
/// 1F1B (Huang et al., "GPipe", 2019, section 2.3; Narayanan et al., "PipeDream-2BW", 2021), (p - 1) / (v m + p - 1)
/// with v chunks (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM",
/// 2021, section 2.2).
[[nodiscard]] double idealBubble(const PipelineShape& shape);

struct PipelineSpan {
    int stage = 0;
    PipelineAction action; ///< Forward or Backward
    double start = 0.0;
    double end = 0.0;
};

/// Times of the passes if each action begins as soon as the one before has ended, and messages take no time. Times of a
/// part's forward and backward by part: chunks * stages of each. An error if the schedule deadlocks.
[[nodiscard]] Result<std::vector<PipelineSpan>> simulate(const ScheduleKind& kind, const PipelineShape& shape,
    std::span<const double> forward, std::span<const double> backward);

/// 1 - busy time / (stages * (last end - first start)).
[[nodiscard]] double bubbleOf(std::span<const PipelineSpan> spans, int stages);

} // namespace lockstep::plan
