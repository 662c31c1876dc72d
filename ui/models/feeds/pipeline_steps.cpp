#include "ui/models/feeds/pipeline_steps.h"

#include "plan/pipeline/parts.h"
#include "ui/models/feeds/run_feed.h"
#include "ui/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {

namespace {

class PipelineStepsTexts {
    Q_DECLARE_TR_FUNCTIONS(PipelineSteps)
};

struct StepRange {
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    std::int32_t last = std::numeric_limits<std::int32_t>::min(); ///< in it
};

using Spans = std::vector<TimelineSpan>;

Spans::const_iterator firstAfter(const Spans& spans, std::int64_t ns)
{
    return std::lower_bound(
        spans.begin(), spans.end(), ns, [](const TimelineSpan& span, std::int64_t at) { return span.startNs < at; });
}

/// Of all lanes in the window: a span that reaches into it began before it.
StepRange stepsIn(const TimelineModel& model, const TimelineWindow& window)
{
    StepRange range;
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const Spans& spans = model.lane(lane);
        auto first = firstAfter(spans, window.fromNs);
        const auto end = firstAfter(spans, window.toNs);
        if (first != spans.begin() && std::prev(first)->endNs() > window.fromNs) {
            --first;
        }
        if (first != end) {
            range.first = std::min(range.first, first->step);
            range.last = std::max(range.last, std::prev(end)->step);
        }
    }
    return range;
}

/// The last step whose passes all ranks have finished: later work has begun.
std::int32_t lastLeftBehind(const TimelineModel& model)
{
    std::int32_t last = std::numeric_limits<std::int32_t>::max();
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const Spans& spans = model.lane(lane);
        if (spans.empty()) {
            return 0;
        }
        const Phase phase = spans.back().phase;
        const bool isBehind = phase == Phase::Optimize || phase == Phase::Evaluate;
        last = std::min(last, spans.back().step - (isBehind ? 0 : 1));
    }
    return last;
}

} // namespace

bool hasPipelineSteps(const RunFeed& feed)
{
    return feed.timeline().microBatches() > 0 && plan::pipelineShape(feed.record().spec).stages > 1;
}

std::vector<PipelineStep> pipelineSteps(const TimelineModel& model, const TimelineWindow& window, int ranks)
{
    if (model.microBatches() == 0) {
        return {};
    }
    StepRange range = stepsIn(model, window);
    range.last = std::min(range.last, lastLeftBehind(model));
    if (range.last < range.first) {
        return {};
    }
    std::vector<PipelineStep> steps(static_cast<std::size_t>(range.last - range.first) + 1);
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const Spans& spans = model.lane(lane);
        // Steps follow each other on a lane, as times do.
        auto span = std::lower_bound(spans.begin(), spans.end(), range.first,
            [](const TimelineSpan& each, std::int32_t step) { return each.step < step; });
        for (; span != spans.end() && span->step <= range.last; ++span) {
            PipelineStep& step = steps[static_cast<std::size_t>(span->step - range.first)];
            step.step = span->step;
            step.passes.add(model.ranks()[lane], span->phase, span->startNs, span->durationNs, span->microBatch);
        }
    }
    std::erase_if(steps, [&](const PipelineStep& step) {
        return !step.passes.isWhole(ranks) || step.passes.lastNs <= window.fromNs || step.passes.firstNs >= window.toNs;
    });
    return steps;
}

double bubbleOf(const std::vector<PipelineStep>& steps, int ranks)
{
    analysis::BubbleSums sums;
    for (const PipelineStep& step : steps) {
        sums.add(step.passes, ranks);
    }
    return sums.bubble();
}

QStringList bubbleTexts(const RunFeed& feed, const std::vector<PipelineStep>& steps, const TimelineWindow& window)
{
    if (!hasPipelineSteps(feed)) {
        return {};
    }
    QStringList texts;
    if (const double whole = feed.record().summary.bubbleFraction; std::isfinite(whole)) {
        texts << PipelineStepsTexts::tr("Bubble: %1 % measured over the run").arg(percentText(whole));
    }
    std::vector<PipelineStep> shown = steps;
    std::erase_if(shown, [&window](const PipelineStep& step) {
        return step.passes.firstNs < window.fromNs || step.passes.lastNs > window.toNs;
    });
    shown = shown.empty() ? steps : shown;
    if (const double here = bubbleOf(shown, analysis::ranksOf(feed.record())); std::isfinite(here)) {
        texts << PipelineStepsTexts::tr("%1 % in the %n step(s) shown", nullptr, static_cast<int>(shown.size()))
                     .arg(percentText(here));
    }
    const plan::PipelineShape shape = plan::pipelineShape(feed.record().spec);
    const QString ideal = percentText(plan::idealBubble(shape));
    texts << (shape.chunks > 1 ? PipelineStepsTexts::tr("%1 % by (p−1)/(v·m+p−1) with p = %2, m = %3, v = %4")
                                     .arg(ideal)
                                     .arg(shape.stages)
                                     .arg(shape.microBatches)
                                     .arg(shape.chunks)
                               : PipelineStepsTexts::tr("%1 % by (p−1)/(m+p−1) with p = %2, m = %3")
                                     .arg(ideal)
                                     .arg(shape.stages)
                                     .arg(shape.microBatches));
    return texts;
}

QString stepBubbleText(const std::vector<PipelineStep>& steps, std::int32_t step, int ranks)
{
    const auto found
        = std::find_if(steps.begin(), steps.end(), [step](const PipelineStep& each) { return each.step == step; });
    return found == steps.end()
        ? QString()
        : PipelineStepsTexts::tr("bubble of this step: %1 %").arg(percentText(bubbleOf({*found}, ranks)));
}

} // namespace lockstep::ui
