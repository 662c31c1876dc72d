#include "ui/models/charts/chart_model.h"

#include "ui/models/charts/coincidence.h"
#include "ui/models/charts/curve_cache.h"
#include "ui/models/charts/mean_curves.h"
#include "ui/models/charts/scaling_charts.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

namespace lockstep::ui {

namespace {

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

} // namespace

class ChartModel::Private {
public:
    explicit Private(const ChartKind& which)
        : kind(which)
    { }

    [[nodiscard]] ChartSpec chart(const ChartWindow* window) const;
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
        chart.emptyText = isWaiting ? tr("Waiting for the first numbers…") : tr("Press Run to see the first curve.");
    }
    return chart;
}

Feeds ChartModel::Private::all() const
{
    Feeds list;
    std::ranges::copy_if(feeds, std::back_inserter(list), [](const RunFeed* feed) { return feed != nullptr; });
    return list;
}

ChartSpec ChartModel::Private::chart(const ChartWindow* window) const
{
    const Feeds everyone = all();
    Feeds visible;
    std::ranges::copy_if(everyone, std::back_inserter(visible), &RunFeed::isVisible);
    ChartSpec chart = frame(everyone);
    kind.add(chart, {everyone, visible, options, window, curves, means, studies});
    const bool hasMeans = std::ranges::any_of(
        chart.series, [](const SeriesSpec& each) { return each.key.endsWith(QLatin1String("-mean")); });
    markCoincident(chart, kind.isOverTime && !hasMeans);
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
    for (const auto& feed : m_private->feeds) {
        if (feed != nullptr) {
            feed->disconnect(this);
        }
    }
    m_private->feeds.assign(feeds.begin(), feeds.end());
    m_private->curves.keepOnly(m_private->all());
    m_private->means.clear();
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
