#include "ui/models/charts/training_charts.h"

#include "analysis/numbers.h"
#include "ui/models/charts/curve_cache.h"
#include "ui/models/charts/wait_note.h"
#include "ui/models/palette.h"
#include "ui/models/timeline_marks.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace lockstep::ui {

namespace {

class TrainingTexts {
    Q_DECLARE_TR_FUNCTIONS(ChartModel)
};

constexpr std::size_t FewestBuckets = 256;
constexpr double PassingSeconds = 1.0;

struct PhaseText {
    Phase phase;
    const char* name;
};

constexpr PhaseText PhaseTexts[] = {{Phase::Data, QT_TRANSLATE_NOOP("ChartModel", "data")},
    {Phase::Forward, QT_TRANSLATE_NOOP("ChartModel", "forward")},
    {Phase::Backward, QT_TRANSLATE_NOOP("ChartModel", "backward")},
    {Phase::Communicate, QT_TRANSLATE_NOOP("ChartModel", "communicate")},
    {Phase::Wait, QT_TRANSLATE_NOOP("ChartModel", "wait")},
    {Phase::Optimize, QT_TRANSLATE_NOOP("ChartModel", "optimize")}};

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

struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// The points inside the window and one beyond at each side, so that lines reach the frame.
Range inWindow(const analysis::Curve& columns, XAxis axis, const ChartWindow& window)
{
    const std::size_t count = columns.size();
    const auto positions = std::views::iota(std::size_t{0}, count);
    const auto firstNotBelow = [&](double x) {
        const auto xAt = [&](std::size_t i) { return xOf(columns, axis, i); };
        return static_cast<std::size_t>(std::ranges::lower_bound(positions, x, {}, xAt) - positions.begin());
    };
    const std::size_t first = firstNotBelow(window.xMinimum);
    const std::size_t last = firstNotBelow(window.xMaximum);
    return {first > 0 ? first - 1 : 0, std::min(count, last + 2)};
}

SeriesSpec series(const RunFeed& feed, XAxis axis, const std::vector<double>& values,
    const std::vector<std::uint32_t>& points, SeriesStyle style, const QString& tail)
{
    SeriesSpec result;
    result.key = QString::fromStdString(feed.id().text) + tail;
    result.color = feed.color();
    result.style = style;
    result.total = values.size();
    result.x.reserve(points.size());
    result.y.reserve(points.size());
    for (const std::uint32_t i : points) {
        result.x.push_back(xOf(feed.loss(), axis, i));
        result.y.push_back(values[i]);
    }
    return result;
}

std::vector<std::uint32_t> pointsOf(
    const RunFeed& feed, const std::vector<double>& values, const Envelope& envelope, const ChartInput& input)
{
    const ChartWindow* window = input.window;
    if (window == nullptr) {
        return decimated(values, 0, values.size(), values.size() + 1);
    }
    if (window->xMaximum <= window->xMinimum) {
        return envelope.indices();
    }
    const Range range = inWindow(feed.loss(), input.options.x, *window);
    const auto buckets = std::max(FewestBuckets, static_cast<std::size_t>(std::max(1, window->pixels)));
    return decimated(values, range.first, range.last, buckets);
}

/// A hidden run: only its place in the legend.
SeriesSpec hidden(const RunFeed& feed, const QString& tail, SeriesStyle style, int marker)
{
    SeriesSpec entry;
    entry.key = QString::fromStdString(feed.id().text) + tail;
    entry.name = feed.displayName();
    entry.color = feed.color();
    entry.style = style;
    entry.marker = marker;
    entry.isVisible = false;
    return entry;
}

} // namespace

void addLoss(ChartSpec& chart, const ChartInput& input)
{
    std::size_t drawn = 0;
    std::size_t total = 0;
    int marker = 0;
    for (const RunFeed* feed : input.all) {
        if (feed->loss().size() == 0) {
            continue;
        }
        const int sign = marker++;
        if (!feed->isVisible()) {
            chart.series.push_back(hidden(*feed, QStringLiteral("/loss"), SeriesStyle::Line, sign));
            continue;
        }
        const CurveCache& cache = input.curves.of(*feed, input.options.smoothing);
        const auto& raw = feed->loss().value;
        const auto style = cache.isSmoothed() ? SeriesStyle::FaintLine : SeriesStyle::Line;
        SeriesSpec trace = series(*feed, input.options.x, raw, pointsOf(*feed, raw, cache.rawEnvelope(), input), style,
            QStringLiteral("/loss"));
        drawn += trace.x.size();
        total += trace.total;
        if (!cache.isSmoothed()) {
            trace.name = feed->displayName();
            trace.width = 1.5;
            trace.marker = sign;
            chart.series.push_back(std::move(trace));
            continue;
        }
        SeriesSpec smooth = series(*feed, input.options.x, cache.smoothed(),
            pointsOf(*feed, cache.smoothed(), cache.smoothedEnvelope(), input), SeriesStyle::Line,
            QStringLiteral("/loss-smoothed"));
        smooth.name = feed->displayName();
        smooth.width = 2.0;
        smooth.marker = sign;
        chart.series.push_back(std::move(trace));
        chart.series.push_back(std::move(smooth));
    }
    // Raw traces lie under all smoothed ones.
    std::stable_partition(chart.series.begin(), chart.series.end(),
        [](const SeriesSpec& each) { return each.style == SeriesStyle::FaintLine; });
    const bool isWhole = input.window == nullptr || input.window->xMaximum <= input.window->xMinimum;
    if (isWhole && drawn < total) {
        chart.note = TrainingTexts::tr("%1 of %2 points drawn (min–max)")
                         .arg(QString::fromStdString(analysis::grouped(static_cast<long long>(drawn))),
                             QString::fromStdString(analysis::grouped(static_cast<long long>(total))));
    }
    addMarks(chart, input, input.options.x);
}

void addAccuracy(ChartSpec& chart, const ChartInput& input)
{
    int marker = 0;
    for (const RunFeed* feed : input.all) {
        if (feed->accuracy().step.empty()) {
            continue;
        }
        if (!feed->isVisible()) {
            chart.series.push_back(hidden(*feed, QStringLiteral("/accuracy"), SeriesStyle::LineAndMarkers, marker++));
            continue;
        }
        const analysis::Curve& curve = feed->accuracy();
        SeriesSpec each;
        each.key = QString::fromStdString(feed->id().text) + QStringLiteral("/accuracy");
        each.name = feed->displayName();
        each.color = feed->color();
        each.style = SeriesStyle::LineAndMarkers;
        each.width = 2.0;
        each.marker = marker++;
        each.total = curve.step.size();
        for (std::size_t i = 0; i < curve.step.size(); ++i) {
            each.x.push_back(xOf(curve, input.options.x, i));
            each.y.push_back(curve.value[i] * 100.0);
        }
        chart.series.push_back(std::move(each));
    }
    addMarks(chart, input, input.options.x);
}

void addTime(ChartSpec& chart, const ChartInput& input)
{
    Feeds shown;
    QStringList untold;
    for (const RunFeed* feed : input.visible) {
        if (feed->loss().size() > 0) {
            shown.push_back(feed);
            chart.x.categories.push_back(feed->displayName());
            const double wait = feed->phaseMsPerStep()[static_cast<std::size_t>(Phase::Wait)];
            untold += std::isnan(wait) ? QStringList(feed->displayName()) : QStringList();
        }
    }
    chart.note = waitNote(untold);
    for (const PhaseText& text : PhaseTexts) {
        SeriesSpec bars;
        bars.key = QStringLiteral("phase/") + QString::fromLatin1(lockstep::nameOf(text.phase).data());
        bars.name = TrainingTexts::tr(text.name);
        bars.color = phaseColor(text.phase);
        bars.style = SeriesStyle::StackedBars;
        double sum = 0.0;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            bars.x.push_back(static_cast<double>(i));
            bars.y.push_back(shown[i]->phaseMsPerStep()[static_cast<std::size_t>(text.phase)]);
            sum += std::isnan(bars.y.back()) ? 0.0 : bars.y.back();
        }
        bars.total = bars.x.size();
        if (sum > 0.0) {
            chart.series.push_back(std::move(bars));
        }
    }
}

void addMarks(ChartSpec& chart, const ChartInput& input, XAxis axis)
{
    for (const RunFeed* feed : input.visible) {
        const double stepsPerEpoch = static_cast<double>(std::max<std::int64_t>(1, feed->facts().stepsPerEpoch));
        const std::vector<Intervention>& all = feed->interventions();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Intervention& each = all[i];
            // A slider being dragged: only its last value counts.
            const bool isPassing = i + 1 < all.size() && all[i + 1].command == each.command
                && all[i + 1].rank == each.rank && all[i + 1].seconds - each.seconds < PassingSeconds;
            if (isPassing) {
                continue;
            }
            const double step = static_cast<double>(each.step);
            const double x = axis == XAxis::Step ? step : axis == XAxis::Epoch ? step / stepsPerEpoch : each.seconds;
            chart.marks.push_back({x, feed->displayName() + u' ' + interventionText(each)});
        }
    }
}

} // namespace lockstep::ui
