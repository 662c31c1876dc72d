#include "ui/models/charts/chart_model.h"

#include "analysis/numbers.h"
#include "ui/models/charts/chart_frames.h"
#include "ui/models/charts/communication_charts.h"
#include "ui/models/charts/curve_cache.h"
#include "ui/models/charts/memory_charts.h"
#include "ui/models/palette.h"
#include "ui/models/charts/partition_charts.h"
#include "ui/models/charts/scaling_charts.h"
#include "ui/models/charts/throughput_chart.h"
#include "ui/models/charts/traffic_chart.h"
#include "ui/models/timeline_marks.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

namespace lockstep::ui {

namespace {

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

} // namespace

class ChartModel::Private {
public:
    Kind kind;
    ChartOptions options;
    std::vector<QPointer<RunFeed>> feeds;
    mutable std::map<RunId, CurveCache> caches;
    mutable ScalingStudies studies;

    [[nodiscard]] ChartSpec chart(const ChartWindow* window) const;
    [[nodiscard]] Feeds all() const;

private:
    [[nodiscard]] ChartSpec frame() const;
    [[nodiscard]] Feeds visible() const;
    void addLoss(ChartSpec& chart, const ChartWindow* window) const;
    void addAccuracy(ChartSpec& chart) const;
    void addTime(ChartSpec& chart) const;
    void addMarks(ChartSpec& chart, XAxis axis) const;
    [[nodiscard]] AxisSpec xAxis() const;
    [[nodiscard]] CurveCache& cacheOf(const RunFeed& feed) const;
    [[nodiscard]] static SeriesSpec hidden(const RunFeed& feed, const QString& tail, SeriesStyle style, int marker);
    [[nodiscard]] SeriesSpec series(const RunFeed& feed, const std::vector<double>& values,
        const std::vector<std::uint32_t>& points, SeriesStyle style, const QString& tail) const;
    [[nodiscard]] std::vector<std::uint32_t> pointsOf(const RunFeed& feed, const std::vector<double>& values,
        const Envelope& envelope, const ChartWindow* window) const;
};

AxisSpec ChartModel::Private::xAxis() const
{
    AxisSpec axis;
    axis.scale = options.xScale;
    switch (options.x) {
    case XAxis::Step:
        axis.label = tr("Step");
        break;
    case XAxis::Epoch:
        axis.label = tr("Epoch");
        break;
    case XAxis::Seconds:
        axis.label = tr("Time");
        axis.unit = QStringLiteral("s");
        break;
    }
    return axis;
}

ChartSpec ChartModel::Private::frame() const
{
    ChartSpec chart = frameOf(kind);
    if (isOverTime(kind)) {
        chart.x = xAxis();
        chart.y.scale = options.yScale;
    }
    const bool isWaiting = std::any_of(feeds.begin(), feeds.end(),
        [](const auto& feed) { return feed != nullptr && !analysis::isFinal(feed->record().status); });
    if (isWaiting && chart.emptyText.isEmpty()) {
        chart.emptyText = tr("Waiting for the first numbers…");
    } else if (chart.emptyText.isEmpty()) {
        chart.emptyText = tr("Press Run to see the first curve.");
    }
    return chart;
}

Feeds ChartModel::Private::visible() const
{
    Feeds shown;
    for (const auto& feed : feeds) {
        if (feed != nullptr && feed->isVisible()) {
            shown.push_back(feed);
        }
    }
    return shown;
}

Feeds ChartModel::Private::all() const
{
    Feeds list;
    std::ranges::copy_if(feeds, std::back_inserter(list), [](const RunFeed* feed) { return feed != nullptr; });
    return list;
}

CurveCache& ChartModel::Private::cacheOf(const RunFeed& feed) const
{
    CurveCache& cache = caches.try_emplace(feed.id(), options.smoothing).first->second;
    cache.setSmoothing(options.smoothing);
    cache.extend(feed.loss());
    return cache;
}

SeriesSpec ChartModel::Private::series(const RunFeed& feed, const std::vector<double>& values,
    const std::vector<std::uint32_t>& points, SeriesStyle style, const QString& tail) const
{
    SeriesSpec result;
    result.key = QString::fromStdString(feed.id().text) + tail;
    result.color = feed.color();
    result.style = style;
    result.total = values.size();
    result.x.reserve(points.size());
    result.y.reserve(points.size());
    for (const std::uint32_t i : points) {
        result.x.push_back(xOf(feed.loss(), options.x, i));
        result.y.push_back(values[i]);
    }
    return result;
}

std::vector<std::uint32_t> ChartModel::Private::pointsOf(
    const RunFeed& feed, const std::vector<double>& values, const Envelope& envelope, const ChartWindow* window) const
{
    if (window == nullptr) {
        return decimated(values, 0, values.size(), values.size() + 1);
    }
    if (window->xMaximum <= window->xMinimum) {
        return envelope.indices();
    }
    const Range range = inWindow(feed.loss(), options.x, *window);
    const auto buckets = std::max(FewestBuckets, static_cast<std::size_t>(std::max(1, window->pixels)));
    return decimated(values, range.first, range.last, buckets);
}

/// What is left of a run that has been switched off: its place in the legend.
SeriesSpec ChartModel::Private::hidden(const RunFeed& feed, const QString& tail, SeriesStyle style, int marker)
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

void ChartModel::Private::addLoss(ChartSpec& chart, const ChartWindow* window) const
{
    std::size_t drawn = 0;
    std::size_t total = 0;
    int marker = 0;
    for (const auto& feed : feeds) {
        if (feed == nullptr || feed->loss().size() == 0) {
            continue;
        }
        const int sign = marker++;
        if (!feed->isVisible()) {
            chart.series.push_back(hidden(*feed, QStringLiteral("/loss"), SeriesStyle::Line, sign));
            continue;
        }
        const CurveCache& cache = cacheOf(*feed);
        const auto& raw = feed->loss().value;
        const auto style = cache.isSmoothed() ? SeriesStyle::FaintLine : SeriesStyle::Line;
        SeriesSpec trace
            = series(*feed, raw, pointsOf(*feed, raw, cache.rawEnvelope(), window), style, QStringLiteral("/loss"));
        drawn += trace.x.size();
        total += trace.total;
        if (!cache.isSmoothed()) {
            trace.name = feed->displayName();
            trace.width = 1.5;
            trace.marker = sign;
            chart.series.push_back(std::move(trace));
            continue;
        }
        SeriesSpec smooth
            = series(*feed, cache.smoothed(), pointsOf(*feed, cache.smoothed(), cache.smoothedEnvelope(), window),
                SeriesStyle::Line, QStringLiteral("/loss-smoothed"));
        smooth.name = feed->displayName();
        smooth.width = 2.0;
        smooth.marker = sign;
        chart.series.push_back(std::move(trace));
        chart.series.push_back(std::move(smooth));
    }
    // Raw traces lie under all smoothed ones.
    std::stable_partition(chart.series.begin(), chart.series.end(),
        [](const SeriesSpec& each) { return each.style == SeriesStyle::FaintLine; });
    const bool isWhole = window == nullptr || window->xMaximum <= window->xMinimum;
    if (isWhole && drawn < total) {
        chart.note = tr("%1 of %2 points drawn (min–max)")
                         .arg(QString::fromStdString(analysis::grouped(static_cast<long long>(drawn))),
                             QString::fromStdString(analysis::grouped(static_cast<long long>(total))));
    }
}

void ChartModel::Private::addAccuracy(ChartSpec& chart) const
{
    int marker = 0;
    for (const auto& feed : feeds) {
        if (feed == nullptr || feed->accuracy().step.empty()) {
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
            each.x.push_back(xOf(curve, options.x, i));
            each.y.push_back(curve.value[i] * 100.0);
        }
        chart.series.push_back(std::move(each));
    }
}

void ChartModel::Private::addTime(ChartSpec& chart) const
{
    std::vector<const RunFeed*> shown;
    for (const auto& feed : feeds) {
        if (feed != nullptr && feed->isVisible() && feed->loss().size() > 0) {
            shown.push_back(feed);
            chart.x.categories.push_back(feed->displayName());
        }
    }
    for (const PhaseText& text : PhaseTexts) {
        SeriesSpec bars;
        bars.key = QStringLiteral("phase/") + QString::fromLatin1(lockstep::nameOf(text.phase).data());
        bars.name = QCoreApplication::translate("ChartModel", text.name);
        bars.color = phaseColor(text.phase);
        bars.style = SeriesStyle::StackedBars;
        double sum = 0.0;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            bars.x.push_back(static_cast<double>(i));
            bars.y.push_back(shown[i]->phaseMsPerStep()[static_cast<std::size_t>(text.phase)]);
            sum += bars.y.back();
        }
        bars.total = bars.x.size();
        if (sum > 0.0) {
            chart.series.push_back(std::move(bars));
        }
    }
}

void ChartModel::Private::addMarks(ChartSpec& chart, XAxis axis) const
{
    for (const auto& feed : feeds) {
        if (feed == nullptr || !feed->isVisible()) {
            continue;
        }
        const double stepsPerEpoch = static_cast<double>(std::max<std::int64_t>(1, feed->facts().stepsPerEpoch));
        const std::vector<Intervention>& all = feed->interventions();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Intervention& each = all[i];
            // A slider on its way: where it came to rest counts.
            const bool isPassing = i + 1 < all.size() && all[i + 1].command == each.command
                && all[i + 1].rank == each.rank && all[i + 1].seconds - each.seconds < PassingSeconds;
            if (isPassing) {
                continue;
            }
            const double step = static_cast<double>(each.step);
            const double x = axis == XAxis::Step ? step
                : axis == XAxis::Epoch             ? step / stepsPerEpoch
                                                      : each.seconds;
            chart.marks.push_back({x, feed->displayName() + u' ' + interventionText(each)});
        }
    }
}

/// Without a window: every point.
ChartSpec ChartModel::Private::chart(const ChartWindow* window) const
{
    ChartSpec chart = frame();
    switch (kind) {
    case Kind::Loss:
        addLoss(chart, window);
        addMarks(chart, options.x);
        break;
    case Kind::Accuracy:
        addAccuracy(chart);
        addMarks(chart, options.x);
        break;
    case Kind::Time:
        addTime(chart);
        break;
    case Kind::Labels:
        addLabelMap(chart, visible());
        break;
    case Kind::Shares:
        addShares(chart, visible());
        break;
    case Kind::Skew:
        addSkew(chart, visible());
        break;
    case Kind::Communication:
        addCommunication(chart, visible());
        break;
    case Kind::Ranks:
        addRanks(chart, visible());
        break;
    case Kind::Sweep:
        addSweep(chart, visible());
        break;
    case Kind::Bandwidth:
        addBandwidth(chart, visible());
        break;
    case Kind::SpeedUp:
        addSpeedUp(chart, visible(), studies);
        break;
    case Kind::Efficiency:
        addEfficiency(chart, visible(), studies);
        break;
    case Kind::Throughput:
        if (std::ranges::any_of(visible(), isOfScaling)) {
            addThroughput(chart, visible(), studies);
        } else {
            addThroughputOfVariants(chart, visible());
        }
        break;
    case Kind::Split:
        addSplit(chart, visible(), studies);
        break;
    case Kind::Target:
        addTimeToTarget(chart, visible(), studies);
        break;
    case Kind::Memory:
        addMemory(chart, visible());
        break;
    case Kind::Traffic:
        addTraffic(chart, visible());
        break;
    case Kind::Machine:
        addMachine(chart, all(), options.machine);
        addMarks(chart, XAxis::Seconds);
        break;
    }
    return chart;
}

QString ChartModel::nameOf(Kind kind)
{
    static constexpr std::array<const char*, Kinds.size()> Names{
        "loss", "accuracy", "time", "labels", "shares", "skew", "comm",
        "ranks", "sweep", "bandwidth", "speed-up", "efficiency", "throughput", "split", "target", "memory",
        "traffic", "machine"};
    return QLatin1String(Names[static_cast<std::size_t>(kind)]);
}

ChartModel::ChartModel(Kind kind, QObject* parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>())
{
    m_private->kind = kind;
    if (kind != Kind::Loss) {
        m_private->options.smoothing = 0.0;
    }
}

ChartModel::~ChartModel() = default;

ChartModel::Kind ChartModel::kind() const
{
    return m_private->kind;
}

void ChartModel::setFeeds(std::vector<RunFeed*> feeds)
{
    for (const auto& feed : m_private->feeds) {
        if (feed != nullptr) {
            feed->disconnect(this);
        }
    }
    m_private->feeds.assign(feeds.begin(), feeds.end());
    std::erase_if(m_private->caches, [&](const auto& each) {
        return std::none_of(feeds.begin(), feeds.end(), [&](const RunFeed* feed) { return feed->id() == each.first; });
    });
    for (RunFeed* feed : feeds) {
        connect(feed, &RunFeed::advanced, this, &ChartModel::changed);
        connect(feed, &RunFeed::recordChanged, this, &ChartModel::changed);
    }
    Q_EMIT changed();
}

void ChartModel::setOptions(const ChartOptions& options)
{
    m_private->options = options;
    Q_EMIT changed();
}

const ChartOptions& ChartModel::options() const
{
    return m_private->options;
}

std::vector<MachineValue> ChartModel::machineValues() const
{
    return machineValuesOf(m_private->all());
}

ChartSpec ChartModel::chart(const ChartWindow& window) const
{
    return m_private->chart(&window);
}

ChartSpec ChartModel::fullChart() const
{
    ChartSpec chart = m_private->chart(nullptr);
    QStringList specs;
    for (const auto& feed : m_private->feeds) {
        if (feed != nullptr && feed->isVisible()) {
            specs.append(QString::fromStdString(experiment::toJson(feed->record().spec)));
        }
    }
    chart.specJson = u'[' + specs.join(u',') + u']';
    return chart;
}

} // namespace lockstep::ui
