#include "ui/models/charts/repeat_curves.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace lockstep::ui {

namespace {

class RepeatTexts {
    Q_DECLARE_TR_FUNCTIONS(ChartModel)
};

} // namespace

double xOf(const analysis::Curve& columns, XAxis axis, std::size_t i)
{
    switch (axis) {
    case XAxis::Step:
        return static_cast<double>(columns.step[i]);
    case XAxis::Epoch:
        return columns.epoch[i];
    case XAxis::Seconds:
        return columns.seconds[i];
    }
    return 0.0;
}

QString keyOf(const Feeds& runs, const QString& tail)
{
    QStringList ids;
    for (const RunFeed* feed : runs) {
        ids += QString::fromStdString(feed->id().text);
    }
    return ids.join(u'+') + tail;
}

std::vector<FeedGroup> curvesOf(const ChartInput& input)
{
    if (!input.options.showsSeeds) {
        return curveGroupsOf(input.all, input.options.interfered);
    }
    std::vector<FeedGroup> each;
    for (const RunFeed* feed : input.all) {
        if (hasLoss(*feed)) {
            each.push_back({feed->displayName(), {feed}});
        }
    }
    return each;
}

Feeds visibleOf(const Feeds& feeds)
{
    Feeds visible;
    std::ranges::copy_if(feeds, std::back_inserter(visible), &RunFeed::isVisible);
    return visible;
}

SeriesSpec hidden(const FeedGroup& group, const QString& tail, SeriesStyle style)
{
    SeriesSpec entry;
    entry.key = keyOf(group.feeds, tail);
    entry.name = group.feeds.size() > 1 ? group.name : group.feeds.front()->displayName();
    entry.setLook(group.feeds.front()->look());
    entry.style = style;
    entry.isVisible = false;
    return entry;
}

SeriesSpec meanSeries(const FeedGroup& group, const Feeds& shown, const QString& tail)
{
    SeriesSpec line;
    line.key = keyOf(group.feeds, tail);
    line.name = countedName({group.name, shown});
    line.setLook(shown.front()->look());
    line.width = 2.0;
    return line;
}

void addPoint(SeriesSpec& series, const MeanCurve& mean, XAxis axis, std::size_t i, double scale)
{
    series.x.push_back(xOf(mean.curve, axis, i));
    series.y.push_back(mean.curve.value[i] * scale);
    series.low.push_back(mean.low[i] * scale);
    series.high.push_back(mean.high[i] * scale);
}

void addEvaluations(ChartSpec& chart, const ChartInput& input, const EvaluatedFigure& figure)
{
    for (const FeedGroup& group : curvesOf(input)) {
        const auto isEvaluated
            = [&](const RunFeed* feed) { return (feed->account().evaluated().*figure.curve).size() > 0; };
        if (std::ranges::none_of(group.feeds, isEvaluated)) {
            continue;
        }
        const Feeds shown = visibleOf(group.feeds);
        if (shown.empty()) {
            chart.series.push_back(hidden(group, figure.tail, SeriesStyle::LineAndMarkers));
            continue;
        }
        SeriesSpec line;
        if (shown.size() > 1) {
            std::vector<const analysis::Curve*> curves;
            for (const RunFeed* feed : shown) {
                curves.push_back(&(feed->account().evaluated().*figure.curve));
            }
            // Few points: made each time.
            const MeanCurve mean = meanCurveOf(curves, {}, figure.band);
            line = meanSeries(group, shown, figure.tail + QStringLiteral("-mean"));
            for (std::size_t i = 0; i < mean.curve.size(); ++i) {
                addPoint(line, mean, input.options.x, i, figure.scale);
            }
        } else {
            const RunFeed& feed = *shown.front();
            const analysis::Curve& curve = feed.account().evaluated().*figure.curve;
            line.key = keyOf({&feed}, figure.tail);
            line.name = feed.displayName();
            line.setLook(feed.look());
            line.width = 2.0;
            for (std::size_t i = 0; i < curve.size(); ++i) {
                line.x.push_back(xOf(curve, input.options.x, i));
                line.y.push_back(curve.value[i] * figure.scale);
            }
        }
        line.style = SeriesStyle::LineAndMarkers;
        chart.series.push_back(std::move(line));
    }
}

void addMeansRemark(ChartSpec& chart, const ChartInput& input)
{
    const bool hasMean = std::ranges::any_of(chart.series,
        [](const SeriesSpec& each) { return each.isVisible && each.key.endsWith(QLatin1String("-mean")); });
    if (hasMean) {
        chart.remark = input.options.x == XAxis::Seconds
            ? RepeatTexts::tr("Mean over repeats with its 95 % band, at the mean time of each step")
            : RepeatTexts::tr("Mean over repeats with its 95 % band");
    }
}

} // namespace lockstep::ui
