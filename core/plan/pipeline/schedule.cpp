#include "plan/pipeline/schedule.h"

#include "base/translate.h"
#include "plan/pipeline/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace lockstep::plan {

namespace {

constexpr std::array Kinds{ScheduleKind{"gpipe", fillDrain}, ScheduleKind{"1f1b", oneForwardOneBackward},
    ScheduleKind{"interleaved", interleaved, true}};

constexpr double NotYet = -1.0;

/// When the passes of each part and micro-batch have ended.
class Ends {
public:
    explicit Ends(const PipelineShape& shape)
        : m_shape(shape)
        , m_forward(static_cast<std::size_t>(shape.stages * shape.chunks * shape.microBatches), NotYet)
        , m_backward(m_forward)
    { }

    [[nodiscard]] double& forward(int part, int microBatch) { return m_forward[at(part, microBatch)]; }
    [[nodiscard]] double& backward(int part, int microBatch) { return m_backward[at(part, microBatch)]; }

    /// When the action's inputs are ready; NotYet until then.
    [[nodiscard]] double ready(const PipelineAction& action, int part)
    {
        const int last = m_shape.stages * m_shape.chunks - 1;
        if (action.kind == PipelineAction::Kind::Forward) {
            return part == 0 ? 0.0 : forward(part - 1, action.microBatch);
        }
        return part == last ? forward(last, action.microBatch) : backward(part + 1, action.microBatch);
    }

private:
    [[nodiscard]] std::size_t at(int part, int microBatch) const
    {
        return static_cast<std::size_t>(part * m_shape.microBatches + microBatch);
    }

    PipelineShape m_shape;
    std::vector<double> m_forward;
    std::vector<double> m_backward;
};

} // namespace

std::span<const ScheduleKind> scheduleKinds()
{
    return Kinds;
}

const ScheduleKind* scheduleKind(std::string_view name)
{
    const auto found
        = std::find_if(Kinds.begin(), Kinds.end(), [name](const ScheduleKind& kind) { return kind.name == name; });
    return found == Kinds.end() ? nullptr : &*found;
}

Result<void> checkShape(const ScheduleKind& kind, const PipelineShape& shape)
{
    if (kind.isInterleaved && shape.microBatches % shape.stages != 0) {
        return refusal("pipeline.microbatches",
            LS_TR("Refusals", "%1 is not a multiple of the number of stages, %2, as the interleaved schedule needs"),
            {std::to_string(shape.microBatches), std::to_string(shape.stages)});
    }
    if (kind.isInterleaved && shape.stages < 2) {
        return refusal(
            "pipeline.schedule", LS_TR("Refusals", "interleaved needs at least 2 stages; this pipeline has 1"));
    }
    return {};
}

double idealBubble(const PipelineShape& shape)
{
    const double others = shape.stages - 1;
    return others / (static_cast<double>(shape.chunks) * shape.microBatches + others);
}

int mostInFlight(std::span<const PipelineAction> actions)
{
    int held = 0;
    int most = 0;
    for (const PipelineAction& action : actions) {
        held += action.kind == PipelineAction::Kind::Forward ? 1 : -1;
        most = std::max(most, held);
    }
    return most;
}

Result<std::vector<PipelineSpan>> simulate(const ScheduleKind& kind, const PipelineShape& shape,
    std::span<const double> forward, std::span<const double> backward)
{
    std::vector<std::vector<PipelineAction>> actions;
    for (int stage = 0; stage < shape.stages; ++stage) {
        actions.push_back(kind.actions(stage, shape));
    }
    std::vector<std::size_t> next(actions.size(), 0);
    std::vector<double> free(actions.size(), 0.0);
    std::vector<PipelineSpan> spans;
    Ends ends(shape);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t stage = 0; stage < actions.size(); ++stage) {
            while (next[stage] < actions[stage].size()) {
                const PipelineAction& action = actions[stage][next[stage]];
                const int part = action.chunk * shape.stages + static_cast<int>(stage);
                const double ready = ends.ready(action, part);
                if (ready == NotYet) {
                    break;
                }
                const bool isForward = action.kind == PipelineAction::Kind::Forward;
                const double start = std::max(ready, free[stage]);
                const double end = start + (isForward ? forward : backward)[static_cast<std::size_t>(part)];
                (isForward ? ends.forward(part, action.microBatch) : ends.backward(part, action.microBatch)) = end;
                spans.push_back({static_cast<int>(stage), action, start, end});
                free[stage] = end;
                ++next[stage];
                moved = true;
            }
        }
    }
    for (std::size_t stage = 0; stage < actions.size(); ++stage) {
        if (next[stage] < actions[stage].size()) {
            return Error{fmt::format("pipeline.schedule: {} deadlocks at stage {}", kind.name, stage)};
        }
    }
    return spans;
}

double bubbleOf(std::span<const PipelineSpan> spans, int stages)
{
    double busy = 0.0;
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    for (const PipelineSpan& span : spans) {
        busy += span.end - span.start;
        first = std::min(first, span.start);
        last = std::max(last, span.end);
    }
    return spans.empty() ? 0.0 : 1.0 - busy / (stages * (last - first));
}

} // namespace lockstep::plan
