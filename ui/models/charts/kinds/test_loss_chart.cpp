#include "ui/models/charts/kinds/test_loss_chart.h"

#include "store/account/run_account.h"
#include "ui/models/charts/kinds/training_charts.h"
#include "ui/models/charts/repeat_curves.h"

#include <QCoreApplication>

namespace lockstep::ui {

namespace {

class TestLossTexts {
    Q_DECLARE_TR_FUNCTIONS(ChartModel)
};

void addOwnLosses(ChartSpec& chart, const RunFeed& feed, XAxis axis)
{
    for (const auto& [rank, curve] : feed.account().ownLosses()) {
        SeriesSpec line;
        line.key = keyOf({&feed}, QStringLiteral("/own-loss-%1").arg(rank));
        line.name = TestLossTexts::tr("%1, rank %2 on its own share").arg(feed.displayName()).arg(rank);
        line.isInLegend = false;
        line.color = feed.color();
        line.style = SeriesStyle::DottedLine;
        line.width = 1.0;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            line.x.push_back(xOf(curve, axis, i));
            line.y.push_back(curve.value[i]);
        }
        chart.series.push_back(std::move(line));
    }
}

} // namespace

void addTestLoss(ChartSpec& chart, const ChartInput& input)
{
    bool hasOwn = false;
    bool hasRepeats = false;
    for (const FeedGroup& group : curvesOf(input)) {
        const Feeds shown = visibleOf(group.feeds);
        if (!shown.empty() && hasShares(*shown.front())) {
            addOwnLosses(chart, *shown.front(), input.options.x);
            hasOwn = true;
            hasRepeats = hasRepeats || shown.size() > 1;
        }
    }
    addEvaluations(
        chart, input, {QStringLiteral("/test-loss"), 1.0, BandOf::Losses, &store::RunAccount::Evaluated::testLoss});
    addMeansRemark(chart, input);
    if (hasOwn) {
        chart.remark += (chart.remark.isEmpty() ? QString() : QStringLiteral(" · "))
            + (hasRepeats ? TestLossTexts::tr("Dotted: each rank on its own share, per epoch (first repeat)")
                          : TestLossTexts::tr("Dotted: each rank on its own share, per epoch"));
    }
    addMarks(chart, input, input.options.x);
}

} // namespace lockstep::ui
