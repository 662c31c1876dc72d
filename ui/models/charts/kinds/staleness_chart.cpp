#include "ui/models/charts/kinds/staleness_chart.h"

#include "analysis/findings/staleness.h"
#include "analysis/numbers.h"
#include "ui/models/palette.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockstep::ui {

namespace {

class StalenessTexts {
    Q_DECLARE_TR_FUNCTIONS(StalenessChart)
};

SeriesSpec sharesOf(const analysis::RankStaleness& staleness, const QString& key, const QString& name, int marker)
{
    SeriesSpec series;
    series.key = key;
    series.name = name;
    series.style = SeriesStyle::LineAndMarkers;
    series.width = 2.0;
    series.marker = marker;
    for (std::size_t i = 0; i < staleness.counts.size(); ++i) {
        series.x.push_back(static_cast<double>(i));
        series.y.push_back(100.0 * static_cast<double>(staleness.counts[i]) / static_cast<double>(staleness.gradients));
    }
    return series;
}

QString meanStaleness(double mean)
{
    return QString::fromStdString(analysis::threeDigits(mean));
}

} // namespace

void addStaleness(ChartSpec& chart, const ChartInput& input)
{
    Feeds feeds;
    std::copy_if(input.visible.begin(), input.visible.end(), std::back_inserter(feeds),
        [](const RunFeed* feed) { return !feed->record().staleness.empty(); });
    chart.x.isCount = true;
    QStringList means;
    int marker = 0;
    for (const RunFeed* feed : feeds) {
        const auto& ranks = feed->record().staleness;
        const QString key = QString::fromStdString(feed->id().text) + QStringLiteral("/staleness");
        if (feeds.size() > 1) {
            const analysis::RankStaleness all = analysis::joined(ranks);
            chart.series.push_back(sharesOf(all, key, feed->displayName(), 0));
            chart.series.back().setLook(feed->look());
            means += StalenessTexts::tr("%1 %2", "run or rank, its mean")
                         .arg(feed->displayName(), meanStaleness(all.mean()));
            continue;
        }
        for (const analysis::RankStaleness& rank : ranks) {
            const QString name = StalenessTexts::tr("rank %1").arg(rank.rank);
            chart.series.push_back(sharesOf(rank, key + u'/' + QString::number(rank.rank), name, marker++));
            chart.series.back().color = rankColor(rank.rank);
            means += StalenessTexts::tr("%1 %2", "run or rank, its mean").arg(name, meanStaleness(rank.mean()));
        }
    }
    if (!means.isEmpty()) {
        chart.note = StalenessTexts::tr("Means: %1").arg(means.join(QStringLiteral(", ")));
    }
}

} // namespace lockstep::ui
