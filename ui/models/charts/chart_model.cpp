#include "ui/models/charts/chart_model.h"

#include "analysis/study/parameter_study.h"
#include "analysis/timing/summary.h"
#include "ui/models/chart_axes.h"
#include "ui/models/charts/annotations.h"
#include "ui/models/charts/busy_note.h"
#include "ui/models/charts/coincidence.h"
#include "ui/models/charts/curve_cache.h"
#include "ui/models/charts/kinds/machine_charts.h"
#include "ui/models/charts/kinds/parameter_charts.h"
#include "ui/models/charts/kinds/scaling_charts.h"
#include "ui/models/charts/mean_curves.h"
#include "ui/models/charts/resumed_remark.h"
#include "ui/models/form/parameter_text.h"
#include "ui/models/runs/run_columns.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace lockstep::ui {

namespace {

/// More would be too small to read.
constexpr std::size_t MostRankPanels = 16;

/// That are smoothed while a chart is made: some milliseconds.
constexpr std::size_t PointsAChart = 300'000;

QString translated(const char* text)
{
    return *text == '\0' ? QString() : QCoreApplication::translate("ChartModel", text);
}

AxisSpec axisOf(const AxisRow& row)
{
    AxisSpec axis;
    axis.label = translated(row.label);
    axis.unit = translated(row.unit);
    axis.scale = row.scale;
    axis.minimum = row.minimum;
    return axis;
}

/// Charts are compared by eye: all have the range that holds the curves of each.
void shareAxes(std::vector<ChartPart>& parts, const ChartWindow* window)
{
    AxisRange x{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    AxisRange y = x;
    const auto include = [](AxisRange& range, const AxisRange& other) {
        range = {std::min(range.low, other.low), std::max(range.high, other.high)};
    };
    for (const ChartPart& part : parts) {
        // Others would add the default range.
        const bool isDrawn = std::ranges::any_of(
            part.chart.series, [](const SeriesSpec& each) { return each.isVisible && !each.x.empty(); });
        if (isDrawn) {
            const ChartRanges ranges = fittedRanges(part.chart);
            include(x, ranges.x);
            include(y, ranges.y);
        }
    }
    if (window != nullptr && window->xMaximum > window->xMinimum) {
        x = {window->xMinimum, window->xMaximum};
    }
    if (!(x.low < x.high) || !(y.low < y.high)) {
        return;
    }
    for (ChartPart& part : parts) {
        part.chart.x.minimum = x.low;
        part.chart.x.maximum = x.high;
        part.chart.y.minimum = y.low;
        part.chart.y.maximum = y.high;
    }
}

/// Of one run, or the repeats of one variant: a chart for each rank, and one for what is of no rank, as of the whole
/// machine. Empty: it has no two ranks, or too many.
std::vector<ChartPart> rankParts(ChartSpec whole, const ChartWindow* window)
{
    std::vector<SeriesSpec> series = std::move(whole.series);
    whole.series.clear();
    std::map<int, ChartPart> ranks;
    ChartPart others{QString(), whole};
    for (SeriesSpec& each : series) {
        if (each.rank.has_value()) {
            const auto at = ranks.try_emplace(*each.rank, ChartPart{each.name, whole}).first;
            each.isInLegend = each.isInLegend && each.name != at->second.title;
            at->second.chart.series.push_back(std::move(each));
        } else {
            others.chart.series.push_back(std::move(each));
        }
    }
    std::vector<ChartPart> parts;
    if (ranks.size() < 2 || ranks.size() > MostRankPanels) {
        return parts;
    }
    for (auto& [rank, part] : ranks) {
        part.chart.title = part.title;
        part.chart.note = parts.empty() ? part.chart.note : QString();
        part.chart.remark = others.chart.series.empty() && parts.empty() ? part.chart.remark : QString();
        parts.push_back(std::move(part));
    }
    shareAxes(parts, window);
    if (!others.chart.series.empty()) {
        others.chart.note.clear();
        others.chart.x = parts.front().chart.x;
        parts.push_back(std::move(others));
    }
    return parts;
}

} // namespace

class ChartModel::Private {
public:
    explicit Private(const ChartKind& which)
        : kind(which)
    { }

    [[nodiscard]] ChartSpec chart(const Feeds& everyone, const ChartWindow* window) const;
    [[nodiscard]] Feeds all() const;

    const ChartKind& kind;
    ChartOptions options;
    std::vector<QPointer<RunFeed>> feeds;
    mutable CurveCaches curves;
    mutable MeanCurves means;
    mutable ScalingStudies studies;

private:
    [[nodiscard]] ChartSpec frame(const Feeds& all) const;
    [[nodiscard]] AxisSpec timeAxis() const;
};

AxisSpec ChartModel::Private::timeAxis() const
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

/// An empty chart, with the sentence that says what would fill it.
ChartSpec ChartModel::Private::frame(const Feeds& all) const
{
    ChartSpec chart;
    chart.id = QLatin1String(kind.id);
    chart.title = translated(kind.title);
    chart.x = kind.isOverTime ? timeAxis() : axisOf(kind.x);
    chart.y = axisOf(kind.y);
    if (kind.isOverTime) {
        chart.y.scale = options.yScale;
    }
    chart.namesLineEnds = kind.isOverTime && options.namesLineEnds;
    const bool isLoading = std::ranges::any_of(all, [](const RunFeed* feed) {
        return analysis::isFinal(feed->record().status) && feed->record().summary.steps > 0 && feed->loss().size() == 0;
    });
    chart.emptyText = isLoading ? tr("Loading the runs…") : translated(kind.emptyText);
    if (chart.emptyText.isEmpty()) {
        const bool isWaiting
            = std::ranges::any_of(all, [](const RunFeed* feed) { return !analysis::isFinal(feed->record().status); });
        chart.emptyText = isWaiting ? tr("Waiting for the first numbers…")
            : all.empty()           ? tr("Press Run to see the first curve.")
                                    : tr("These runs ended without values for this chart.");
    }
    return chart;
}

Feeds ChartModel::Private::all() const
{
    Feeds list;
    std::ranges::copy_if(feeds, std::back_inserter(list), [](const RunFeed* feed) { return feed != nullptr; });
    return list;
}

ChartSpec ChartModel::Private::chart(const Feeds& everyone, const ChartWindow* window) const
{
    Feeds visible;
    std::ranges::copy_if(everyone, std::back_inserter(visible), &RunFeed::isVisible);
    const std::size_t ticked = visible.size();
    if (kind.isOfTimes) {
        std::erase_if(visible, [](const RunFeed* feed) { return !isMeasured(*feed); });
    }
    ChartSpec chart = frame(everyone);
    Feeds drawn = everyone;
    Feeds shown = visible;
    if (kind.isOverTime && options.x == XAxis::Seconds) {
        const auto hasNoPlace = [](const RunFeed* feed) { return isTimeUnknown(*feed); };
        std::erase_if(drawn, hasNoPlace);
        std::erase_if(shown, hasNoPlace);
    }
    kind.add(chart, {drawn, shown, options, window, curves, means, studies});
    if (const auto others = static_cast<int>(ticked - visible.size()); others > 0) {
        const QString note = tr("%n runs have no bar: failed, or fewer steps than the warm-up (%1)", nullptr, others)
                                 .arg(analysis::WarmUpSteps);
        chart.note = chart.note.isEmpty() ? note : chart.note + QStringLiteral(" · ") + note;
    }
    const bool hasMeans = std::ranges::any_of(
        chart.series, [](const SeriesSpec& each) { return each.key.endsWith(QLatin1String("-mean")); });
    markCoincident(chart, kind.isOverTime && !hasMeans);
    if (kind.isOverTime) {
        addAnnotations(chart, visible, options);
        const QString more = resumedRemark(visible, options.x);
        chart.remark += (chart.remark.isEmpty() || more.isEmpty() ? QString() : QStringLiteral(" · ")) + more;
    }
    if (const QString busy = busyNote(visible); kind.page == Page::Time && !busy.isEmpty() && !chart.series.empty()) {
        chart.note += (chart.note.isEmpty() ? QString() : QStringLiteral(" · ")) + busy;
    }
    return chart;
}

ChartModel::ChartModel(const ChartKind& kind, QObject* parent)
    : QObject(parent)
    , m_private(std::make_unique<Private>(kind))
{
    if (!kind.isSmoothed) {
        m_private->options.smoothing = 0.0;
    }
}

ChartModel::~ChartModel() = default;

const ChartKind& ChartModel::kind() const
{
    return m_private->kind;
}

void ChartModel::setFeeds(std::vector<RunFeed*> feeds)
{
    const std::set<const RunFeed*> wanted(feeds.begin(), feeds.end());
    std::set<const RunFeed*> former;
    for (const auto& feed : m_private->feeds) {
        if (feed != nullptr && !wanted.contains(feed)) {
            feed->disconnect(this);
        }
        former.insert(feed);
    }
    m_private->feeds.assign(feeds.begin(), feeds.end());
    m_private->curves.keepOnly(m_private->all());
    m_private->means.clear();
    for (RunFeed* feed : feeds) {
        if (!former.contains(feed)) {
            connect(feed, &RunFeed::advanced, this, [this, feed] {
                // Against parameters stand the figures of finished runs, and what a run under way brings changes
                // nothing.
                if (m_private->kind.parameters == nullptr || analysis::isFinal(feed->record().status)) {
                    Q_EMIT changed();
                }
            });
            connect(feed, &RunFeed::recordChanged, this, &ChartModel::changed);
        }
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

std::vector<ChartChoice> ChartModel::choices() const
{
    const ChartChoices* offered = m_private->kind.choices;
    return offered == nullptr ? std::vector<ChartChoice>() : offered->of(m_private->all());
}

ParameterChoices ChartModel::parameters() const
{
    const auto offered = m_private->kind.parameters;
    return offered == nullptr ? ParameterChoices() : offered(m_private->all(), m_private->options);
}

ParameterChoices ChartModel::varied() const
{
    const Feeds all = m_private->all();
    ParameterChoices choices = parameterChoices(all, m_private->options);
    Feeds visible;
    std::ranges::copy_if(all, std::back_inserter(visible), &RunFeed::isVisible);
    if (m_private->kind.hasRankPanels && isOneVariant(visible) && ranksOf(*visible.front()) > 1) {
        choices.offered.push_back({RankPanels, tr("Rank")});
    }
    return choices;
}

std::string ChartModel::experiment() const
{
    const Feeds all = m_private->all();
    return all.empty() ? std::string() : all.back()->record().spec.experiment;
}

bool ChartModel::isBehind() const
{
    return m_private->curves.isBehind();
}

ChartSpec ChartModel::chart(const ChartWindow& window) const
{
    m_private->curves.begin(PointsAChart);
    return m_private->chart(m_private->all(), &window);
}

std::vector<ChartPart> ChartModel::parts(const ChartWindow* window) const
{
    const Feeds all = m_private->all();
    if (m_private->kind.hasRankPanels && m_private->options.panelsBy == RankPanels) {
        m_private->curves.begin(window == nullptr ? CurveCaches::All : PointsAChart);
        return rankParts(m_private->chart(all, window), window);
    }
    analysis::RunPointers records;
    std::ranges::transform(all, std::back_inserter(records), [](const RunFeed* feed) { return &feed->record(); });
    const std::string by = m_private->options.panelsBy.toStdString();
    const auto differing = by.empty() ? std::vector<analysis::StudyParameter>() : analysis::studyParameters(records);
    const auto divides
        = std::ranges::find_if(differing, [&by](const auto& each) { return each.parameter->name == by; });
    std::vector<ChartPart> parts;
    if (divides == differing.end()) {
        return parts;
    }
    m_private->curves.begin(window == nullptr ? CurveCaches::All : PointsAChart);
    const experiment::Parameter& parameter = *divides->parameter;
    for (const experiment::Value& value : divides->values) {
        Feeds feeds;
        std::ranges::copy_if(all, std::back_inserter(feeds),
            [&](const RunFeed* feed) { return analysis::studyValue(feed->record(), parameter) == value; });
        parts.push_back({tr("%1: %2", "parameter, its value")
                             .arg(translatedLabel(parameter), settingText(parameter, experiment::toText(value))),
            m_private->chart(feeds, window)});
        parts.back().chart.title = parts.back().title;
    }
    shareAxes(parts, window);
    return parts;
}

ChartSpec ChartModel::fullChart() const
{
    m_private->curves.begin();
    ChartSpec chart = m_private->chart(m_private->all(), nullptr);
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
