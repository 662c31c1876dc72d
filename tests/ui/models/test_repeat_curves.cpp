// Repeats in charts over time: their mean with its band, each seed, runs changed by hand, and curves that coincide.
#include "program/test_class.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/repeat_runs.h"
#include "ui/models/runs/runs_table_model.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Runs = std::vector<std::unique_ptr<SampleRun>>;

ui::ChartSpec repeatChart(const char16_t* id, const Runs& runs, ui::ChartOptions options = {})
{
    ui::ChartModel model(*ui::findChart(id));
    model.setOptions(options);
    model.setFeeds(feedsOf(runs));
    return model.fullChart();
}

ui::ChartOptions without(double smoothing)
{
    ui::ChartOptions options;
    options.smoothing = smoothing;
    return options;
}

QStringList namedSeries(const ui::ChartSpec& chart)
{
    QStringList names;
    for (const ui::SeriesSpec& series : chart.series) {
        if (!series.name.isEmpty()) {
            names += series.name;
        }
    }
    return names;
}

Runs threeSeedsOfTwo()
{
    Runs runs;
    for (int i = 0; i < 6; ++i) {
        runs.push_back(repeatRun(i % 2 == 0 ? "SGD" : "Adam", i, 1 + i / 2, i % 2 == 0 ? 2.0 : 1.0));
    }
    return runs;
}

void interfere(SampleRun& run, wire::Command command)
{
    store::Delta delta;
    delta.applied.push_back({0, {command, 5, SampleRun::StartNs, -1, 2.0}});
    run.add(std::move(delta));
}

} // namespace

class TestRepeatCurves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void repeatsAreAMeanWithItsBand()
    {
        const Runs runs = threeSeedsOfTwo();
        const ui::ChartSpec chart = repeatChart(u"loss", runs, without(0.0));
        QCOMPARE(namedSeries(chart), (QStringList{QStringLiteral("SGD (n = 3)"), QStringLiteral("Adam (n = 3)")}));
        const ui::SeriesSpec& sgd = chart.series.front();
        QCOMPARE(sgd.x.size(), std::size_t{100});
        for (std::size_t i = 0; i < sgd.x.size(); ++i) {
            // Of 1.1, 1.2 and 1.3 times a: mean 1.2 a, deviation 0.1 a, t of two degrees 4.303.
            const double a = 2.0 / std::sqrt(sgd.x[i]);
            QVERIFY(std::fabs(sgd.y[i] - 1.2 * a) < 1e-12);
            const double factor = std::exp(4.303 * 0.1 / std::sqrt(3.0) / 1.2); // on the log scale
            QVERIFY(std::fabs(sgd.high[i] - 1.2 * a * factor) < 1e-9);
            QVERIFY(std::fabs(sgd.low[i] - 1.2 * a / factor) < 1e-9);
        }
        QCOMPARE(chart.remark, QStringLiteral("Mean over repeats with its 95 % band"));
    }

    void eachSeedIsShownOnDemand()
    {
        const Runs runs = threeSeedsOfTwo();
        ui::ChartOptions options = without(0.0);
        options.showsSeeds = true;
        const ui::ChartSpec chart = repeatChart(u"loss", runs, options);
        QCOMPARE(namedSeries(chart).size(), 6);
        QVERIFY(namedSeries(chart).contains(QStringLiteral("Adam #3")));
        QVERIFY(chart.remark.isEmpty());
        QVERIFY(std::ranges::all_of(chart.series, [](const ui::SeriesSpec& each) { return each.low.empty(); }));
    }

    void theBandOfAccuraciesStaysBelowAll()
    {
        const Runs runs = threeSeedsOfTwo(); // 0.91, 0.92, 0.93 at first, 0.94 to 0.96 at the end
        const ui::ChartSpec chart = repeatChart(u"accuracy", runs);
        const ui::SeriesSpec& sgd = chart.series.front();
        QCOMPARE(sgd.y.size(), std::size_t{4});
        QVERIFY(std::fabs(sgd.y.front() - 92.0) < 1e-9);
        for (std::size_t i = 0; i < sgd.y.size(); ++i) {
            QVERIFY(sgd.low[i] > 0.0 && sgd.low[i] < sgd.y[i] && sgd.high[i] > sgd.y[i] && sgd.high[i] < 100.0);
            QVERIFY(sgd.y[i] - sgd.low[i] > sgd.high[i] - sgd.y[i]); // further from 100 than towards it
        }
    }

    void runsStillGoingOnAreNoRepeats()
    {
        Runs runs = threeSeedsOfTwo();
        auto going = std::make_unique<SampleRun>("SGD", 7);
        going->setSeed(4);
        going->addSteps(10, [](std::int64_t) { return 1.0; });
        runs.push_back(std::move(going));
        QCOMPARE(namedSeries(repeatChart(u"loss", runs, without(0.0))),
            (QStringList{QStringLiteral("SGD (n = 3)"), QStringLiteral("Adam (n = 3)"), QStringLiteral("SGD #4")}));
    }

    void theSameSeedTwiceIsOneRepeat()
    {
        Runs runs;
        runs.push_back(repeatRun("SGD", 0, 1, 2.0));
        runs.push_back(repeatRun("SGD", 1, 1, 2.0));
        QCOMPARE(namedSeries(repeatChart(u"loss", runs, without(0.0))), QStringList{QStringLiteral("SGD")});
    }

    void runsChangedByHandStandApart()
    {
        const Runs runs = threeSeedsOfTwo();
        interfere(*runs[2], wire::Command::SetStraggler);
        interfere(*runs[3], wire::Command::SetLink);
        interfere(*runs[3], wire::Command::Pause);
        interfere(*runs[5], wire::Command::Checkpoint); // changes no figure
        const QStringList apart{QStringLiteral("SGD (n = 2)"), QStringLiteral("Adam (n = 2)"),
            QStringLiteral("SGD #2 (slowed down)"), QStringLiteral("Adam #2 (paused, link changed)")};
        const QStringList names = namedSeries(repeatChart(u"loss", runs, without(0.0)));
        QCOMPARE(QSet<QString>(names.begin(), names.end()), QSet<QString>(apart.begin(), apart.end()));
        ui::ChartOptions options = without(0.0);
        options.interfered = analysis::Interfered::Include;
        QCOMPARE(namedSeries(repeatChart(u"loss", runs, options)),
            (QStringList{QStringLiteral("SGD (n = 3)"), QStringLiteral("Adam (n = 3)")}));
    }

    void theTableCountsSeedsThatWereNotChanged()
    {
        ui::RunsTableModel table;
        const Runs runs = threeSeedsOfTwo();
        interfere(*runs[2], wire::Command::SetStraggler);
        for (const auto& run : runs) {
            table.upsert(run->feed->record());
        }
        const auto textOf = [&](const SampleRun& run, int column) {
            return table.index(table.rowOf(run.feed->id()), column).data().toString();
        };
        QCOMPARE(textOf(*runs[0], ui::RunsTableModel::Count), QStringLiteral("2"));
        QCOMPARE(textOf(*runs[1], ui::RunsTableModel::Count), QStringLiteral("3"));
        QCOMPARE(textOf(*runs[2], ui::RunsTableModel::Count), QString());
        QCOMPARE(textOf(*runs[2], ui::RunsTableModel::Status), QStringLiteral("finished (slowed down)"));
        table.setInterfered(analysis::Interfered::Include);
        QCOMPARE(textOf(*runs[2], ui::RunsTableModel::Count), QStringLiteral("3"));
    }

    void hiddenRepeatsKeepTheirPlace()
    {
        const Runs runs = threeSeedsOfTwo();
        for (const std::size_t i : {0U, 2U, 4U}) {
            runs[i]->feed->setVisible(false);
        }
        const ui::ChartSpec chart = repeatChart(u"loss", runs, without(0.0));
        QCOMPARE(namedSeries(chart), (QStringList{QStringLiteral("SGD"), QStringLiteral("Adam (n = 3)")}));
        QVERIFY(!chart.series.front().isVisible);
        QCOMPARE(chart.series.front().key.section(u'/', 0, 0).split(u'+').size(), 3); // a click brings all back
    }

    void curvesThatCoincideSaySo()
    {
        Runs runs;
        for (int i = 0; i < 4; ++i) {
            const double scale = i == 3 ? 1.5 : 2.0 + 1e-7 * i; // rounding apart, and one that is elsewhere
            runs.push_back(repeatRun("variant " + std::to_string(i), i, 1, scale));
        }
        const ui::ChartSpec chart = repeatChart(u"loss", runs, without(0.0));
        QCOMPARE(chart.remark, QStringLiteral("3 runs coincide"));
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(chart.series[static_cast<std::size_t>(i)].stripe, i == 3 ? 0 : i);
            QCOMPARE(chart.series[static_cast<std::size_t>(i)].stripes, i == 3 ? 1 : 3);
        }
        // Smoothed, the raw traces take turns too, and are not counted again.
        const ui::ChartSpec smoothed = repeatChart(u"loss", runs, without(0.6));
        QCOMPARE(smoothed.remark, QStringLiteral("3 runs coincide"));
        QCOMPARE(std::ranges::count(smoothed.series, 3, &ui::SeriesSpec::stripes), 6);
        // On time axes, points are not at the same places; hidden runs are not drawn.
        runs[1]->feed->setVisible(false);
        QCOMPARE(repeatChart(u"loss", runs, without(0.0)).remark, QStringLiteral("2 runs coincide"));
        runs[2]->feed->setVisible(false);
        QVERIFY(repeatChart(u"loss", runs, without(0.0)).remark.isEmpty());
    }

    /// In a report a curve that diverges leaves the axis: the others are drawn apart.
    void curvesApartBelowTheAxisEndDoNotCoincide()
    {
        Runs runs;
        for (int i = 0; i < 4; ++i) {
            runs.push_back(repeatRun("variant " + std::to_string(i), i, 1, i == 3 ? 1e6 : 2.0 + 0.5 * i));
        }
        QCOMPARE(repeatChart(u"loss", runs, without(0.0)).remark, QString());
    }

    void meansThatCoincideAreNoRuns()
    {
        Runs runs;
        for (int i = 0; i < 4; ++i) {
            runs.push_back(repeatRun(i % 2 == 0 ? "ring" : "tree", i, 1 + i / 2, 2.0));
        }
        QCOMPARE(repeatChart(u"loss", runs, without(0.0)).remark,
            QStringLiteral("Mean over repeats with its 95 % band · 2 curves coincide"));
    }

    void theTestLossStandsBesideEachRanksOwn()
    {
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        const auto spec = experiment::preset("partitioning");
        analysis::RunRecord record;
        record.id = {"20261120-120010-abcd"};
        record.spec = experiment::expand(*spec)->at(9); // by-label
        record.status = analysis::RunStatus::Running;
        auto delta = std::make_shared<store::Delta>();
        for (std::int32_t rank = 0; rank < 4; ++rank) {
            wire::Hello hello;
            hello.worldSize = 4;
            delta->hellos.push_back({rank, hello});
            wire::Prepared facts;
            facts.trainSamples = 80;
            facts.totalSteps = 4;
            facts.stepsPerEpoch = 2;
            delta->prepared.push_back({rank, facts});
            wire::StepBatch rows;
            for (std::int64_t step = 1; step <= 4; ++step) {
                rows.rows.push_back({.step = step,
                    .endNs = 1'000'000'000 + step * 10'000'000,
                    .wallNs = 10'000'000,
                    .samples = step * 40,
                    .batch = step == 1 ? 30 : 10,
                    .loss = static_cast<double>(rank + step)});
            }
            delta->steps.push_back({rank, rows});
        }
        delta->evaluations.push_back({0, {2, 80, 1'021'000'000, 1, 0.5, 1.75, 1.5}});
        delta->evaluations.push_back({0, {4, 160, 1'041'000'000, 1, 0.6, 1.25, 0.75}});
        deltas->push_back(delta);
        ui::RunFeed feed(record, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(feed.pull());
        ui::ChartModel model(*ui::findChart(u"test-loss"));
        model.setFeeds({&feed});
        const ui::ChartSpec chart = model.fullChart();
        QCOMPARE(chart.series.size(), std::size_t{5});
        const ui::SeriesSpec& own = chart.series[3]; // rank 3: 4 of 30 and 5 of 10 samples, then 6 and 7
        QCOMPARE(own.style, ui::SeriesStyle::DottedLine);
        QCOMPARE(own.x, (std::vector<double>{2.0, 4.0}));
        QCOMPARE(own.y, (std::vector<double>{4.25, 6.5}));
        const ui::SeriesSpec& common = chart.series[4];
        QCOMPARE(common.x, (std::vector<double>{2.0, 4.0}));
        QCOMPARE(common.y, (std::vector<double>{1.75, 1.25}));
        QCOMPARE(chart.remark, QStringLiteral("Dotted: each rank on its own share, per epoch"));
        ui::ChartModel training(*ui::findChart(u"train-loss"));
        training.setFeeds({&feed});
        const ui::ChartSpec ofTraining = training.fullChart();
        QCOMPARE(ofTraining.series.size(), std::size_t{1});
        QCOMPARE(ofTraining.series.front().x, (std::vector<double>{2.0, 4.0}));
        QCOMPARE(ofTraining.series.front().y, (std::vector<double>{1.5, 0.75}));
    }

    void aResumedRunHasItsPlace_data()
    {
        QTest::addColumn<qint64>("resumedNs");
        QTest::addRow("known") << qint64{900'000'000};
        QTest::addRow("unknown") << qint64{-1};
    }

    /// Over seconds a resumed run begins where the run before it was; without a known time it has no place there.
    void aResumedRunHasItsPlace()
    {
        QFETCH(qint64, resumedNs);
        auto deltas = std::make_shared<std::deque<store::DeltaPtr>>();
        analysis::RunRecord record;
        record.id = {"20261120-120010-abcd"};
        record.spec = experiment::expand(*experiment::preset("optimizers"))->front();
        record.status = analysis::RunStatus::Running;
        auto delta = std::make_shared<store::Delta>();
        wire::Prepared facts;
        facts.trainSamples = 80;
        facts.totalSteps = 60;
        facts.resumedStep = 20;
        facts.resumedNs = resumedNs;
        facts.scheduledSteps = 40;
        delta->prepared.push_back({0, facts});
        delta->steps.push_back(
            {0, {{{.step = 21, .endNs = 1'010'000'000, .wallNs = 10'000'000, .batch = 1, .loss = 2.0}}}});
        deltas->push_back(delta);
        ui::RunFeed feed(record, std::make_unique<ScriptedSource>(deltas));
        QVERIFY(feed.pull());
        ui::ChartModel model(*ui::findChart(u"loss"));
        model.setFeeds({&feed});
        ui::ChartOptions options;
        options.smoothing = 0.0;
        model.setOptions(options);
        const QString schedule = feed.displayName()
            + QStringLiteral(" continues after step 20 with a schedule recomputed for 60 steps instead of 40");
        QCOMPARE(model.fullChart().series.front().x, std::vector<double>{21.0});
        QCOMPARE(model.fullChart().remark, schedule);
        options.x = ui::XAxis::Seconds;
        model.setOptions(options);
        const ui::ChartSpec chart = model.fullChart();
        if (resumedNs < 0) {
            QVERIFY(chart.series.empty());
            QCOMPARE(chart.remark,
                schedule + QStringLiteral(" · ") + feed.displayName()
                    + QStringLiteral(" is left out: its checkpoint does not say how long the steps before took"));
        } else {
            QCOMPARE(chart.series.front().x, std::vector<double>{0.91});
            QCOMPARE(chart.remark, schedule);
        }
    }
};

LOCKSTEP_TEST(TestRepeatCurves)
#include "test_repeat_curves.moc"
