// The steps of a pipeline on its timeline: from the first forward to the last backward, and how much of the ranks' time
// in between is idle. GUI thread only.
#pragma once

#include "analysis/timing/bubble.h"
#include "plan/pipeline/schedule.h"
#include "ui/models/feeds/timeline_model.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace lockstep::ui {

class RunFeed;

/// Whether the run's net is cut by layers and its ranks have reported passes.
[[nodiscard]] bool hasPipelineSteps(const RunFeed& feed);

struct PipelineStep {
    std::int32_t step = 0;
    analysis::StepPasses passes;
};

/// The steps with a pass in the window, each with all its passes, also those beside the window. Left out are steps that
/// some rank is still at work on, or that have lost spans, as analysis::BubbleBuilder does (which never takes the last
/// step of a run).
[[nodiscard]] std::vector<PipelineStep> pipelineSteps(
    const TimelineModel& model, const TimelineWindow& window, int ranks);

/// Over these steps; NaN without one.
[[nodiscard]] double bubbleOf(const std::vector<PipelineStep>& steps, int ranks);

/// A run's bubble, in words: measured over the run (the store's figure), measured in the steps that are fully in the
/// window (in all if none is), and by the schedule's formula. Empty if the run is not a pipeline.
[[nodiscard]] QStringList bubbleTexts(
    const RunFeed& feed, const std::vector<PipelineStep>& steps, const TimelineWindow& window);

/// "bubble of this step: 21.3 %"; empty where the step is not among them.
[[nodiscard]] QString stepBubbleText(const std::vector<PipelineStep>& steps, std::int32_t step, int ranks);

} // namespace lockstep::ui
