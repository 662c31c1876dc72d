#include "plan/pipeline/schedule.h"

#include "base/translate.h"
#include "experiment/settings.h"
#include "plan/pipeline/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace lockstep::plan {

namespace {

constexpr std::array Kinds{ScheduleKind{"gpipe", gpipe}, ScheduleKind{"1f1b", oneForwardOneBackward},
    ScheduleKind{"interleaved", interleaved, true}};

using Kind = PipelineAction::Kind;

constexpr double NotYet = -1.0;

/// When each message of a step was sent.
class SendTimes {
public:
    explicit SendTimes(const PipelineShape& shape)
        : m_shape(shape)
        , m_activations(static_cast<std::size_t>(shape.stages * shape.chunks * shape.microBatches), NotYet)
        , m_gradients(m_activations)
    { }

    /// Of the message that `stage` sends or receives with `action`.
    [[nodiscard]] double& of(const PipelineAction& action, int stage)
    {
        const int part = action.chunk * m_shape.stages + stage;
        switch (action.kind) {
        case Kind::SendActivation:
            return m_activations[at(part + 1, action.microBatch)];
        case Kind::ReceiveActivation:
            return m_activations[at(part, action.microBatch)];
        case Kind::SendGradient:
            return m_gradients[at(part - 1, action.microBatch)];
        default:
            return m_gradients[at(part, action.microBatch)];
        }
    }

private:
    /// `part` is the one that receives.
    [[nodiscard]] std::size_t at(int part, int microBatch) const
    {
        return static_cast<std::size_t>(part * m_shape.microBatches + microBatch);
    }

    PipelineShape m_shape;
    std::vector<double> m_activations;
    std::vector<double> m_gradients;
};

/// A stage that simulate() has taken through the first `next` of its actions.
struct SimulatedStage {
    std::vector<PipelineAction> actions;
    std::size_t next = 0;
    double now = 0.0;

    [[nodiscard]] bool isDone() const { return next == actions.size(); }
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
        return refusal(nameOf(&experiment::PipelineSettings::microBatches),
            LS_TR("Refusals", "%1 is not a multiple of the number of stages, %2, as the interleaved schedule needs"),
            {shape.microBatches, shape.stages});
    }
    if (kind.isInterleaved && shape.stages < 2) {
        return refusal(nameOf(&experiment::PipelineSettings::schedule),
            LS_TR("Refusals", "interleaved needs at least 2 stages; this pipeline has 1"));
    }
    return {};
}

double idealBubble(const PipelineShape& shape)
{
    const double others = shape.stages - 1;
    return others / (static_cast<double>(shape.chunks) * shape.microBatches + others);
}

Result<std::vector<PipelineSpan>> simulate(const ScheduleKind& kind, const PipelineShape& shape,
    std::span<const double> forward, std::span<const double> backward)
{
    std::vector<SimulatedStage> stages;
    for (int stage = 0; stage < shape.stages; ++stage) {
        stages.push_back({kind.actions(stage, shape)});
    }
    std::vector<PipelineSpan> spans;
    SendTimes sent(shape);
    /// False while the message that the action receives is not sent.
    const auto carryOut = [&](int stage, double& now, const PipelineAction& action) {
        const auto part = static_cast<std::size_t>(action.chunk * shape.stages + stage);
        switch (action.kind) {
        case Kind::ReceiveActivation:
        case Kind::ReceiveGradient:
            now = std::max(now, sent.of(action, stage));
            return sent.of(action, stage) != NotYet;
        case Kind::Forward:
        case Kind::Backward: {
            const double start = std::exchange(now, now + (action.kind == Kind::Forward ? forward : backward)[part]);
            spans.push_back({stage, action, start, now});
            return true;
        }
        case Kind::SendActivation:
        case Kind::SendGradient:
            sent.of(action, stage) = now;
            return true;
        case Kind::Wait:
        case Kind::Update:
            return true;
        }
        return true;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (int number = 0; number < shape.stages; ++number) {
            SimulatedStage& stage = stages[static_cast<std::size_t>(number)];
            while (!stage.isDone() && carryOut(number, stage.now, stage.actions[stage.next])) {
                ++stage.next;
                moved = true;
            }
        }
    }
    const auto stuck = std::find_if_not(stages.begin(), stages.end(), std::mem_fn(&SimulatedStage::isDone));
    if (stuck != stages.end()) {
        return refusal(nameOf(&experiment::PipelineSettings::schedule), LS_TR("Messages", "%1 deadlocks at stage %2"),
            {verbatim(kind.name), std::distance(stages.begin(), stuck)});
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
