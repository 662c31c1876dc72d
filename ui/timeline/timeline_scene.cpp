#include "ui/timeline/timeline_scene.h"

#include "ui/models/feeds/run_feed.h"

namespace lockstep::ui {

TimelineScene timelineScene(
    const RunFeed& feed, const TimelineWindow& window, TimelineColours colours, ShowsPath showsPath)
{
    TimelineScene scene;
    scene.window = window;
    scene.marks = timelineMarks(feed);
    scene.cuts = feed.timeline().breaksIn(window);
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
