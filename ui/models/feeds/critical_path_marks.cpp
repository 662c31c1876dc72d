#include "ui/models/feeds/critical_path_marks.h"

#include "ui/models/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace lockstep::ui {

namespace {

class TimelinePathTexts {
    Q_DECLARE_TR_FUNCTIONS(TimelinePath)
};

constexpr std::size_t MostPaths = 40;

/// Steps, evaluations aside, with a span that touches the window.
std::set<std::int32_t> pathStepsIn(const TimelineModel& model, const TimelineWindow& window)
{
    std::set<std::int32_t> steps;
    for (std::size_t lane = 0; lane < model.ranks().size() && steps.size() <= MostPaths; ++lane) {
        const std::vector<TimelineSpan>& spans = model.lane(lane);
        auto span = std::lower_bound(spans.begin(), spans.end(), window.toNs,
            [](const TimelineSpan& each, std::int64_t ns) { return each.startNs < ns; });
        while (span != spans.begin() && steps.size() <= MostPaths) {
            --span;
            if (span->phase == Phase::Evaluate) {
                continue;
            }
            if (span->endNs() <= window.fromNs) {
                break;
            }
            steps.insert(span->step);
        }
    }
    return steps;
}

/// The newest step, from `first` on, of which this lane's waiting and transferring are here. They come after the lane's
/// other spans, in step order.
std::int32_t newestJoined(const std::vector<TimelineSpan>& spans, std::int32_t first)
{
    auto span = spans.rbegin();
    while (span != spans.rend() && span->step >= first && span->phase != Phase::Communicate
        && span->phase != Phase::Wait) {
        ++span;
    }
    return span == spans.rend() ? -1 : span->step;
}

} // namespace

std::vector<std::vector<analysis::PathPiece>> criticalPathsIn(const TimelineModel& model, const TimelineWindow& window)
{
    const std::set<std::int32_t> steps = pathStepsIn(model, window);
    if (model.ranks().size() < 2 || steps.empty() || steps.size() > MostPaths) {
        return {};
    }
    std::map<std::int32_t, std::vector<analysis::RankPathSpans>> byStep;
    std::int32_t newest = *steps.rbegin();
    for (std::size_t lane = 0; lane < model.ranks().size(); ++lane) {
        const std::vector<TimelineSpan>& spans = model.lane(lane);
        if (model.hasPhase(Phase::Communicate)) {
            newest = std::min(newest, newestJoined(spans, *steps.begin()));
        }
        const auto isEarlier = [](const TimelineSpan& span, std::int32_t step) { return span.step < step; };
        auto span = std::lower_bound(spans.begin(), spans.end(), *steps.begin(), isEarlier);
        for (; span != spans.end() && span->step <= *steps.rbegin(); ++span) {
            if (span->phase == Phase::Evaluate) {
                continue;
            }
            std::vector<analysis::RankPathSpans>& ranks = byStep[span->step];
            if (ranks.empty() || ranks.back().rank != model.ranks()[lane]) {
                ranks.push_back({model.ranks()[lane], {}});
            }
            ranks.back().spans.push_back({span->phase, span->startNs, span->endNs()});
        }
    }
    std::vector<std::vector<analysis::PathPiece>> paths;
    for (const auto& [step, ranks] : byStep) {
        // Otherwise a rank's spans are still to come, or were dropped.
        if (step <= newest && ranks.size() == model.ranks().size()) {
            paths.push_back(analysis::criticalPath(ranks));
        }
    }
    return paths;
}

QStringList pathTexts(const std::vector<std::vector<analysis::PathPiece>>& paths)
{
    analysis::PathSums sums;
    for (const std::vector<analysis::PathPiece>& path : paths) {
        sums.add(path);
    }
    const double whole = sums.wholeNs();
    if (!(whole > 0.0)) {
        return {};
    }
    const auto most = std::max_element(
        sums.rankNs.begin(), sums.rankNs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const double communicated = sums.phaseNs[static_cast<std::size_t>(Phase::Communicate)];
    return {TimelinePathTexts::tr("Critical path: rank %1 accounts for %2 % of it")
                .arg(most->first)
                .arg(percentText(most->second / whole)),
        TimelinePathTexts::tr("communication is %1 % of it").arg(percentText(communicated / whole))};
}

} // namespace lockstep::ui
