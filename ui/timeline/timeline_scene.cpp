#include "ui/timeline/timeline_scene.h"

#include "ui/models/feeds/run_feed.h"

namespace lockstep::ui {

namespace {

/// At the end of the last backward pass of each step: there the engine delays a slow rank.
std::vector<SlowPart> slowPartsOf(const RunFeed& feed, const TimelineWindow& window)
{
    constexpr double NsPerMs = 1e6;
    std::vector<SlowPart> parts;
    const TimelineModel& model = feed.timeline();
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const auto delayNs
            = static_cast<std::int64_t>(NsPerMs * analysis::delayMsOf(feed.record(), model.ranks()[lane]));
        if (delayNs <= 0) {
            continue;
        }
        const TimelineSpan* last = nullptr;
        const auto take = [&] {
            if (last != nullptr && last->endNs() > window.fromNs && last->startNs < window.toNs) {
                parts.push_back({lane, {std::max(last->startNs, last->endNs() - delayNs), last->endNs()}});
            }
        };
        for (const TimelineSpan& span : model.lane(lane)) {
            if (span.phase == Phase::Backward) {
                if (last != nullptr && span.step != last->step) {
                    take();
                }
                last = &span;
            }
        }
        take();
    }
    return parts;
}

} // namespace

TimelineScene timelineScene(
    const RunFeed& feed, const TimelineWindow& window, TimelineColours colours, ShowsPath showsPath)
{
    TimelineScene scene;
    scene.window = window;
    scene.marks = timelineMarks(feed);
    scene.cuts = feed.timeline().breaksIn(window);
    scene.slow = slowPartsOf(feed, window);
    scene.note = timelineNote(feed.timeline(), scene.cuts);
    if (colours == TimelineColours::MicroBatch && hasPipelineSteps(feed)) {
        scene.colours = colours;
        scene.steps = pipelineSteps(feed.timeline(), window, analysis::ranksOf(feed.record()));
        scene.bubble = bubbleTexts(feed, scene.steps, window);
    }
    if (showsPath == ShowsPath::Yes) {
        scene.paths = criticalPathsIn(feed.timeline(), window);
        scene.bubble << pathTexts(scene.paths);
    }
    return scene;
}

} // namespace lockstep::ui
