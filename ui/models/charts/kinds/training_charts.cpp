#include "ui/models/charts/kinds/training_charts.h"

#include "analysis/numbers.h"
#include "ui/models/charts/curve_cache.h"
#include "ui/models/charts/repeat_curves.h"
#include "ui/models/charts/wait_note.h"
#include "ui/models/feeds/timeline_marks.h"
#include "ui/models/palette.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

namespace lockstep::ui {

namespace {

class TrainingTexts {
    Q_DECLARE_TR_FUNCTIONS(ChartModel)
};

constexpr std::size_t FewestBuckets = 256;
constexpr std::size_t BucketsOfAll = 2048; ///< of a curve that is drawn from end to end
/// Of all curves together: with many of them each is drawn from fewer points, so that the chart still moves at once.
constexpr std::size_t MostBuckets = 60'000;
constexpr double PassingSeconds = 1.0;
const QString OutlineTail = QStringLiteral("/loss-outline");

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

struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
};

/// The points inside the window and one beyond at each side, so that lines reach the frame.
Range inWindow(const analysis::Curve& columns, XAxis axis, const ChartWindow& window)
{
    const std::size_t count = columns.size();
    const auto firstNotBelow = [&](double x) {
        std::size_t low = 0;
        for (std::size_t high = count; low < high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (xOf(columns, axis, middle) < x) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    };
    const std::size_t first = firstNotBelow(window.xMinimum);
    const std::size_t last = firstNotBelow(window.xMaximum);
    return {first > 0 ? first - 1 : 0, std::min(count, last + 2)};
}

/// A curve of a run: where its points are, and their values.
struct Line {
    const analysis::Curve& columns;
    const std::vector<double>& values;
    QString tail; ///< of its key
};

SeriesSpec series(const RunFeed& feed, XAxis axis, const Line& line, const std::vector<std::uint32_t>& points)
{
    SeriesSpec result;
    result.key = keyOf({&feed}, line.tail);
    result.setLook(feed.look());
    result.total = line.values.size();
    result.x.reserve(points.size());
    result.y.reserve(points.size());
    const auto add = [&](const auto& column) {
        for (const std::uint32_t i : points) {
            result.x.push_back(static_cast<double>(column[i]));
            result.y.push_back(line.values[i]);
        }
    };
    axis == XAxis::Step ? add(line.columns.step)
                        : add(axis == XAxis::Epoch ? line.columns.epoch : line.columns.seconds);
    return result;
}

/// `indicesOf(first, last, buckets)` gives the points of a stretch.
template <typename IndicesOf>
std::vector<std::uint32_t> pointsOf(const analysis::Curve& columns, const ChartInput& input, IndicesOf indicesOf)
{
    const ChartWindow* window = input.window;
    if (window == nullptr) {
        return indicesOf(std::size_t{0}, columns.size(), columns.size());
    }
    const std::size_t curves = input.visible.size() * (input.options.smoothing > 0.0 && input.options.showsRaw ? 2 : 1);
    const std::size_t most = MostBuckets / std::max<std::size_t>(1, curves);
    if (window->xMaximum <= window->xMinimum) {
        return indicesOf(std::size_t{0}, columns.size(), std::min(BucketsOfAll, most));
    }
    const Range range = inWindow(columns, input.options.x, *window);
    // Stretches have widths that are powers of two: of twice as many none is wider than a pixel.
    const auto buckets = std::max(FewestBuckets, 2 * static_cast<std::size_t>(std::max(1, window->pixels)));
    return indicesOf(range.first, range.last, std::min(buckets, most));
}

std::vector<std::uint32_t> pointsOf(
    const analysis::Curve& columns, const std::vector<double>& values, const Pyramid& pyramid, const ChartInput& input)
{
    return pointsOf(columns, input, [&](std::size_t first, std::size_t last, std::size_t buckets) {
        return pyramid.indices(values, first, last, buckets);
    });
}

/// What is there of a very long run that has not been read, or not been smoothed yet.
void addOutline(ChartSpec& chart, const RunFeed& feed, const ChartInput& input)
{
    const analysis::Curve& outline = *feed.lossOutline()->curve;
    const auto points = pointsOf(outline, input, [&](std::size_t first, std::size_t last, std::size_t buckets) {
        return decimated(outline.value, first, last, buckets);
    });
    SeriesSpec line = series(feed, input.options.x, {outline, outline.value, OutlineTail}, points);
    line.name = feed.displayName();
    line.width = 1.5;
    line.total = feed.lossOutline()->steps;
    chart.series.push_back(std::move(line));
}

/// The raw trace and the smoothed one of a run that is shown by itself.
void addRun(ChartSpec& chart, const RunFeed& feed, const ChartInput& input)
{
    const CurveCache* cache = input.curves.of(feed, input.options.smoothing);
    if (cache == nullptr) {
        addOutline(chart, feed, input);
        return;
    }
    const auto& raw = feed.loss().value;
    SeriesSpec trace = series(feed, input.options.x, {feed.loss(), raw, QStringLiteral("/loss")},
        cache->isSmoothed() && !input.options.showsRaw ? std::vector<std::uint32_t>()
                                                       : pointsOf(feed.loss(), raw, cache->raw(), input));
    if (!cache->isSmoothed()) {
        trace.name = feed.displayName();
        trace.width = 1.5;
        chart.series.push_back(std::move(trace));
        return;
    }
    SeriesSpec smooth
        = series(feed, input.options.x, {feed.loss(), cache->smoothed(), QStringLiteral("/loss-smoothed")},
            pointsOf(feed.loss(), cache->smoothed(), cache->ofSmoothed(), input));
    smooth.name = feed.displayName();
    smooth.width = 2.0;
    if (input.options.showsRaw) {
        trace.style = SeriesStyle::FaintLine;
        chart.series.push_back(std::move(trace));
    }
    chart.series.push_back(std::move(smooth));
}

/// The mean of the smoothed losses of repeats, with its band in the place of the raw traces. Each by itself until all
/// have been read.
void addMean(ChartSpec& chart, const FeedGroup& group, const Feeds& shown, const ChartInput& input)
{
    std::vector<const CurveCache*> caches;
    std::ranges::transform(shown, std::back_inserter(caches),
        [&](const RunFeed* feed) { return input.curves.of(*feed, input.options.smoothing); });
    if (std::ranges::find(caches, nullptr) != caches.end()) {
        std::ranges::for_each(shown, [&](const RunFeed* feed) { addRun(chart, *feed, input); });
        return;
    }
    const MeanCurve& mean = input.means.of(shown, input.options.smoothing, [&] {
        std::vector<const analysis::Curve*> curves;
        std::vector<const std::vector<double>*> values;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            curves.push_back(&shown[i]->loss());
            values.push_back(caches[i]->isSmoothed() ? &caches[i]->smoothed() : &shown[i]->loss().value);
        }
        return meanCurveOf(curves, values, BandOf::Losses);
    });
    SeriesSpec line = meanSeries(group, shown, QStringLiteral("/loss-mean"));
    line.style = SeriesStyle::Line;
    line.total = mean.curve.size();
    for (const std::uint32_t i : pointsOf(mean.curve, mean.curve.value, mean.pyramid, input)) {
        addPoint(line, mean, input.options.x, i, 1.0);
    }
    chart.series.push_back(std::move(line));
}

void sayHowManyPoints(ChartSpec& chart, const ChartInput& input)
{
    std::size_t drawn = 0;
    std::size_t total = 0;
    for (const SeriesSpec& each : chart.series) {
        // A smoothed curve has the points of its raw trace, if that is there too.
        if (each.isVisible && (!input.options.showsRaw || !each.key.endsWith(QLatin1String("/loss-smoothed")))) {
            drawn += each.x.size();
            total += std::max(each.total, each.x.size());
        }
    }
    const auto outlines
        = std::ranges::count_if(chart.series, [](const SeriesSpec& each) { return each.key.endsWith(OutlineTail); });
    if (outlines > 0) {
        chart.note
            = TrainingTexts::tr("Reading runs, %1 left: until then lowest and highest values are drawn, not smoothed")
                  .arg(outlines);
        return;
    }
    const bool isWhole = input.window == nullptr || input.window->xMaximum <= input.window->xMinimum;
    if (isWhole && drawn < total) {
        chart.note = TrainingTexts::tr("%1 of %2 points drawn (min–max)")
                         .arg(QString::fromStdString(analysis::grouped(static_cast<long long>(drawn))),
                             QString::fromStdString(analysis::grouped(static_cast<long long>(total))));
    }
}

/// Whether the later one ends what the earlier one set: for its rank, or for all.
bool isSameKnob(const Intervention& earlier, const Intervention& later)
{
    return later.command == earlier.command && (later.rank == earlier.rank || later.rank < 0);
}

/// Of a slider being dragged only the last value counts.
std::vector<Intervention> settledOf(const std::vector<Intervention>& all)
{
    std::vector<Intervention> settled;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isPassing = i + 1 < all.size() && all[i + 1].command == all[i].command
            && all[i + 1].rank == all[i].rank && all[i + 1].seconds - all[i].seconds < PassingSeconds;
        if (!isPassing) {
            settled.push_back(all[i]);
        }
    }
    return settled;
}

/// Where its loss ends by now.
std::optional<double> endOf(const RunFeed& feed, XAxis axis)
{
    const std::size_t steps = feed.loss().size();
    return steps == 0 ? std::nullopt : std::optional(xOf(feed.loss(), axis, steps - 1));
}

enum TimeChoice { PerStep, PerSample, Shares };

/// A step's samples by the run's own figures; NaN until they are known.
double samplesPerStep(const RunFeed& feed)
{
    const analysis::Summary& summary = feed.record().summary;
    return samplesPerSecondOf(summary) * msPerStepOf(summary) / 1000.0;
}

/// Of each phase, and last of what belongs to none.
using Times = std::array<double, PhaseCount + 1>;

/// Of what is known.
double sumOf(const Times& times)
{
    return std::accumulate(
        times.begin(), times.end(), 0.0, [](double sum, double each) { return sum + (std::isnan(each) ? 0.0 : each); });
}

/// ms per step, together what the run's figure says.
Times timesOf(const RunFeed& feed)
{
    Times times{};
    std::ranges::copy(feed.phaseMsPerStep(), times.begin());
    times.back() = std::max(0.0, msPerStepOf(feed.record().summary) - sumOf(times));
    return times;
}

/// Over the repeats: ms per step, together the group's figure; µs per sample, or percent of the step. NaN where one is.
Times meanTimes(const FeedGroup& group, int choice)
{
    Times means{};
    for (const RunFeed* feed : group.feeds) {
        const Times ms = timesOf(*feed);
        const double factor = choice == PerSample ? 1000.0 / samplesPerStep(*feed)
            : choice == Shares                    ? 100.0 / sumOf(ms)
                                                  : 1.0;
        for (std::size_t i = 0; i < means.size(); ++i) {
            means[i] += ms[i] * factor / static_cast<double>(group.feeds.size());
        }
    }
    const analysis::MeanEstimate figure = estimateOf(&analysis::Summary::msPerStepTypical, group);
    if (const double sum = sumOf(means); choice == PerStep && figure.n == group.feeds.size() && sum > 0.0) {
        std::ranges::for_each(means, [&](double& each) { each *= figure.mean / sum; });
    }
    return means;
}

void nameTimeAxis(ChartSpec& chart, int choice)
{
    if (choice == PerSample) {
        chart.id = QStringLiteral("time-per-sample");
        chart.title = TrainingTexts::tr("Time per sample by phase");
        chart.y.label = TrainingTexts::tr("Time per sample");
        chart.y.unit = QStringLiteral("µs");
    } else if (choice == Shares) {
        chart.id = QStringLiteral("time-shares");
        chart.title = TrainingTexts::tr("Shares of a step by phase");
        chart.y.label = TrainingTexts::tr("Share of a step");
        chart.y.unit = QStringLiteral("%");
    }
}

} // namespace

void addLoss(ChartSpec& chart, const ChartInput& input)
{
    for (const FeedGroup& group : curvesOf(input)) {
        const Feeds shown = visibleOf(group.feeds);
        if (shown.empty()) {
            chart.series.push_back(hidden(group, QStringLiteral("/loss"), SeriesStyle::Line));
        } else if (shown.size() > 1) {
            addMean(chart, group, shown, input);
        } else {
            addRun(chart, *shown.front(), input);
        }
    }
    // Raw traces lie under all smoothed ones.
    std::stable_partition(chart.series.begin(), chart.series.end(),
        [](const SeriesSpec& each) { return each.style == SeriesStyle::FaintLine; });
    sayHowManyPoints(chart, input);
    addMeansRemark(chart, input);
    addMarks(chart, input, input.options.x);
}

void addAccuracy(ChartSpec& chart, const ChartInput& input)
{
    addEvaluations(
        chart, input, {QStringLiteral("/accuracy"), 100.0, BandOf::Shares, &store::RunAccount::Evaluated::accuracy});
    addMeansRemark(chart, input);
    addMarks(chart, input, input.options.x);
}

void addTrainLoss(ChartSpec& chart, const ChartInput& input)
{
    addEvaluations(
        chart, input, {QStringLiteral("/train-loss"), 1.0, BandOf::Losses, &store::RunAccount::Evaluated::trainLoss});
    addMeansRemark(chart, input);
    addMarks(chart, input, input.options.x);
}

std::vector<ChartChoice> timeChoices(const Feeds&)
{
    return {{PerStep, TrainingTexts::tr("per step")}, {PerSample, TrainingTexts::tr("per sample")},
        {Shares, TrainingTexts::tr("shares")}};
}

void addTime(ChartSpec& chart, const ChartInput& input)
{
    const std::vector<FeedGroup> groups = groupsOf(input.visible, input.options.interfered);
    nameTimeAxis(chart, input.options.choice);
    QStringList untold;
    std::vector<Times> times;
    for (const FeedGroup& group : groups) {
        chart.x.categories.push_back(countedName(group));
        times.push_back(meanTimes(group, input.options.choice));
        const bool isKnown = std::isfinite(times.back()[static_cast<std::size_t>(Phase::Wait)]);
        untold += isKnown ? QStringList() : QStringList(group.name);
    }
    chart.note = waitNote(untold);
    const auto add = [&](const char* key, const QString& name, const QColor& color, std::size_t part) {
        SeriesSpec bars;
        bars.key = QStringLiteral("phase/") + QString::fromLatin1(key);
        bars.name = name;
        bars.color = color;
        bars.style = SeriesStyle::StackedBars;
        for (const Times& each : times) {
            bars.x.push_back(static_cast<double>(bars.x.size()));
            bars.y.push_back(each[part]);
        }
        if (std::ranges::any_of(bars.y, [](double y) { return y > 0.0; })) {
            chart.series.push_back(std::move(bars));
        }
    };
    for (const PhaseText& text : PhaseTexts) {
        add(lockstep::nameOf(text.phase).data(), TrainingTexts::tr(text.name), phaseColor(text.phase),
            static_cast<std::size_t>(text.phase));
    }
    add("other", TrainingTexts::tr("other"), memoryColor(MemoryKind::Other), PhaseCount);
}

void addMarks(ChartSpec& chart, const ChartInput& input, XAxis axis)
{
    for (const RunFeed* feed : input.visible) {
        const double stepsPerEpoch = static_cast<double>(std::max<std::int64_t>(1, feed->facts().stepsPerEpoch));
        const auto placeOf = [&](const Intervention& each) {
            const double step = static_cast<double>(each.step);
            return axis == XAxis::Step ? step : axis == XAxis::Epoch ? step / stepsPerEpoch : each.seconds;
        };
        const std::vector<Intervention> all = settledOf(feed->interventions());
        for (std::size_t i = 0; i < all.size(); ++i) {
            MarkSpec mark{placeOf(all[i]), feed->displayName() + u' ' + interventionText(all[i])};
            if (all[i].command == wire::Command::SetStraggler && all[i].value > 0.0) {
                const auto next = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                    [&](const Intervention& later) { return isSameKnob(all[i], later); });
                mark.until = next != all.end() ? placeOf(*next) : endOf(*feed, axis);
            }
            chart.marks.push_back(std::move(mark));
        }
    }
}

} // namespace lockstep::ui
