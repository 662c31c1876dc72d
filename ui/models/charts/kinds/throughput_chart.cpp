#include "ui/models/charts/kinds/throughput_chart.h"

#include "analysis/statistics/paired_rounds.h"
#include "analysis/statistics/statistics.h"
#include "ui/models/charts/kinds/scaling_charts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lockstep::ui {

namespace {

class ThroughputTexts {
    Q_DECLARE_TR_FUNCTIONS(ThroughputChart)
};

/// A bar in a separate colour for each category: series without values at the other categories.
void spread(std::vector<SeriesSpec>& bars)
{
    constexpr double Nothing = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < bars.size(); ++i) {
        SeriesSpec& bar = bars[i];
        for (std::vector<double>* column : {&bar.y, &bar.low, &bar.high}) {
            const double value = column->front();
            column->assign(bars.size(), Nothing);
            (*column)[i] = value;
        }
        bar.labels.insert(bar.labels.begin(), i, QString());
        if (!bar.hasWhiskers) {
            bar.low.clear();
            bar.high.clear();
        }
        bar.x.resize(bars.size());
        std::iota(bar.x.begin(), bar.x.end(), 0.0);
    }
}

/// Of one run, with the interval of samples per second over its blocks.
analysis::PositiveInterval ofBlocks(double rate, const RunFeed& feed)
{
    std::vector<double> rates;
    for (const analysis::MeasuredBlock& block : feed.account().rankSums().blocks().kept()) {
        rates.push_back(block.samplesPerSecond);
    }
    return analysis::scaledTo(rate, analysis::meanOfBlocks(rates));
}

/// One bar a variant in its colour: the geometric mean over repeats, with the 95 % interval.
void addVariants(ChartSpec& chart, const ChartInput& input)
{
    chart.title = ThroughputTexts::tr("Throughput by variant");
    chart.x = {};
    bool hasBlocks = false;
    for (const FeedGroup& group : groupsOf(input.visible, input.options.interfered)) {
        analysis::MeanEstimate rate = estimateOf(&analysis::Summary::samplesPerSecondTypical, group);
        const QString label = meanText(&analysis::Summary::samplesPerSecondTypical, rate);
        if (rate.n == 1) {
            rate = ofBlocks(rate.mean, *group.feeds.front());
            hasBlocks = hasBlocks || rate.hasInterval();
        }
        if (!std::isfinite(rate.mean)) {
            continue;
        }
        const RunFeed& first = *group.feeds.front();
        SeriesSpec bar;
        bar.key = QString::fromStdString(first.id().text) + QStringLiteral("/throughput");
        bar.color = first.color();
        bar.style = SeriesStyle::StackedBars;
        bar.y = {rate.mean};
        bar.labels = {label};
        bar.low = {rate.low};
        bar.high = {rate.high};
        bar.hasWhiskers = rate.hasInterval();
        chart.x.categories.push_back(
            ranksOf(first) > 1 ? ThroughputTexts::tr("%1\n%2 ranks").arg(group.name).arg(ranksOf(first)) : group.name);
        chart.series.push_back(std::move(bar));
    }
    spread(chart.series);
    if (hasBlocks) {
        chart.note = ThroughputTexts::tr("Error bars of single runs: 95 % CI over their blocks of steps");
    }
}

} // namespace

void addThroughput(ChartSpec& chart, const ChartInput& input)
{
    if (scalesOf(input.all) != analysis::Scales::None) {
        addThroughputByRanks(chart, input);
    } else {
        addVariants(chart, input);
    }
}

} // namespace lockstep::ui
