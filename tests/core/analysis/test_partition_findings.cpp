#include "analysis/findings/all_findings.h"
#include "analysis/timing/summary.h"
#include "core/analysis/readable.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

using namespace lockstep;
using namespace lockstep::analysis;
using lockstep::tests::textOf;

namespace {

RunRecord run(const char* variant, int repeat, double accuracy, double skew)
{
    const auto spec = experiment::preset("partitioning");
    const auto runs = experiment::expand(*spec);
    const auto found = std::find_if(runs->begin(), runs->end(),
        [&](const experiment::RunSpec& each) { return each.name == variant && each.repeat == repeat; });
    RunRecord made;
    made.spec = *found;
    made.id.text = variant + std::to_string(repeat);
    made.status = RunStatus::Finished;
    made.summary.testAccuracy = accuracy;
    made.summary.labelSkew = skew;
    made.summary.finalLoss = 0.1;
    made.summary.steps = 10;
    for (std::int32_t rank = 0; rank < 4; ++rank) {
        made.shares.push_back({rank, 2000, 0, 0, {1000, 1000}});
    }
    return made;
}

std::vector<Finding> of(const std::vector<Finding>& findings, std::string_view kind)
{
    std::vector<Finding> found;
    std::copy_if(findings.begin(), findings.end(), std::back_inserter(found),
        [kind](const Finding& each) { return each.kind == kind; });
    return found;
}

} // namespace

class TestPartitionFindings : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void whatASkewCostsIsSaid()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            runs.push_back(run("random", repeat, 0.95 + 0.002 * repeat, 0.02));
            runs.push_back(run("by-label", repeat, 0.88 + 0.002 * repeat, 0.6));
            runs.push_back(run("contiguous", repeat, 0.951 + 0.002 * repeat, 0.02));
        }
        const auto all = findings(runs);
        const auto lost = of(all, "partitioning.accuracy");
        QCOMPARE(lost.size(), std::size_t{1});
        QCOMPARE(textOf(lost[0]), QString("Label skew and test accuracy of each partition, in points against random."));
        QCOMPARE(
            lost[0].table.rows.back(), (std::vector<std::string>{"by-label", "0.600", "88.2 % [87.7, 88.7]", "−7.0"}));
        const auto points = std::ranges::find(
            lost[0].figures, std::string("points_lost_by-label"), &std::pair<std::string, double>::first);
        QVERIFY(points != lost[0].figures.end() && std::abs(points->second - 7.0) < 1e-9);
        const QString skew = textOf(of(all, "partitioning.skew").at(0));
        QVERIFY2(skew.startsWith("Accuracy falls as the ranks' labels differ more. It is 95.")
                && skew.contains("and 88.2 % [87.7, 88.7] at 0.600 (by-label)."),
            qPrintable(skew));
        const auto alike = of(all, "partitioning.alike");
        QCOMPARE(alike.size(), std::size_t{1});
        QCOMPARE(textOf(alike[0]),
            QString("Within 1.0 points of the test accuracy of random (95.2 % [94.7, 95.7]): contiguous."));
        // Losses on each rank's own samples do not show how fast a net learns.
        QVERIFY(of(all, "optimizers.final").empty());
    }

    void everyPartitionIsComparedWithTheSingleProcess()
    {
        std::vector<RunRecord> runs;
        for (int repeat = 0; repeat < 3; ++repeat) {
            RunRecord single = run("single", repeat, 0.96 + 0.002 * repeat, NotMeasured);
            single.shares.clear();
            single.summary.samplesPerSecond = 10'000.0 * (1 + repeat);
            runs.push_back(single);
            for (const auto& [name, accuracy, times] :
                {std::tuple("random", 0.955, 2.0), std::tuple("by-label", 0.90, 1.0)}) {
                runs.push_back(run(name, repeat, accuracy + 0.002 * repeat, 0.02));
                runs.back().summary.samplesPerSecond = times * single.summary.samplesPerSecond;
            }
        }
        const auto all = findings(runs);
        // Pairs of a seed: what the seeds have in common does not widen the interval.
        const Finding against = of(all, "partitioning.against_single").at(0);
        QCOMPARE(textOf(against), QString("Label skew and test accuracy of each, in points against single."));
        using Rows = std::vector<std::vector<std::string>>;
        QCOMPARE(against.table.rows.size(), std::size_t{3});
        QCOMPARE(against.table.rows[0], (std::vector<std::string>{"single", "–", "96.2 % [95.7, 96.7]", "–"}));
        QCOMPARE(against.table.rows[1].front() + against.table.rows[1].back(), std::string("random−0.5"));
        QCOMPARE(against.table.rows[2].front() + against.table.rows[2].back(), std::string("by-label−6.0"));
        const Finding speed = of(all, "partitioning.speed_up").at(0);
        QCOMPARE(textOf(speed), QString("Throughput against single (18,000 [5,000, 72,000] samples/s)."));
        QCOMPARE(speed.table.rows, (Rows{{"random", "2.00", "50.0"}, {"by-label", "1.00", "25.0"}}));
        // The points are against one of them, and the single process is no optimizer to compare.
        QVERIFY(of(all, "partitioning.accuracy").empty());
        QVERIFY(of(all, "optimizers.to_loss").empty());
    }

    void aSingleProcessThatTrainsOtherwiseIsNoBaseline()
    {
        RunRecord single = run("single", 0, 0.96, NotMeasured);
        single.shares.clear();
        const RunRecord random = run("random", 0, 0.95, 0.02);
        QCOMPARE(of(findings(std::vector{single, random}), "partitioning.against_single").size(), std::size_t{1});
        for (const auto& [name, value] : std::vector<std::pair<std::string, experiment::Value>>{{"optimizer.lr", 0.2},
                 {"train.batch", std::int64_t{32}}, {"net.name", std::string("cnn")},
                 {"dataset.train_samples", std::int64_t{500}}, {"train.epochs", std::int64_t{4}}}) {
            RunRecord other = single;
            other.spec.settings[name] = value;
            QVERIFY2(of(findings(std::vector{other, random}), "partitioning.against_single").empty(), name.c_str());
        }
    }

    void repeatedEpochsAreSaid()
    {
        std::vector<RunRecord> runs;
        for (const char* name : {"random", "random-sampling", "by-label"}) {
            runs.push_back(run(name, 0, 0.95, 0.02));
        }
        QVERIFY(of(findings(runs), "partitioning.set_epoch").empty());
        for (RunRecord& each : runs) {
            each.spec.settings["partition.set_epoch"] = false;
        }
        const auto said = of(findings(runs), "partitioning.set_epoch");
        QCOMPARE(said.size(), std::size_t{2});
        QVERIFY(textOf(said[0]).startsWith("set_epoch is not called in random, by-label: every epoch repeats the "));
        QVERIFY(textOf(said[1]).startsWith("set_epoch is not called in random-sampling: each rank draws the same "));
    }

    void alphasAreToldInOrder()
    {
        const auto rising = findings(std::vector{run("random", 0, 0.95, 0.02), run("dirichlet-5", 0, 0.945, 0.13),
            run("dirichlet-0.05", 0, 0.88, 0.63), run("dirichlet-0.5", 0, 0.93, 0.4)});
        QCOMPARE(textOf(of(rising, "partitioning.alpha").at(0)),
            QString("The larger Dirichlet's alpha, the more similar the ranks' labels and the more accurate the net."));
        const auto other = findings(std::vector{
            run("random", 0, 0.95, 0.02), run("dirichlet-5", 0, 0.9, 0.13), run("dirichlet-0.5", 0, 0.93, 0.4)});
        QVERIFY(textOf(of(other, "partitioning.alpha").at(0))
                    .startsWith("Accuracy does not rise steadily with Dirichlet's alpha"));
    }

    void largerSharesAreNamed()
    {
        RunRecord uneven = run("unequal", 0, 0.95, 0.02);
        uneven.shares[0].samples = 800;
        uneven.shares[3].samples = 3200;
        uneven.shares[3].redraws = uneven.shares[0].redraws = 4;
        RunRecord again = run("unequal", 1, 0.95, 0.02);
        again.shares[1].samples = 81;
        const auto all = findings(std::vector{uneven, again});
        QCOMPARE(of(all, "partitioning.uneven").size(), std::size_t{1}); // one sentence over all seeds
        const QString text = textOf(of(all, "partitioning.uneven").at(0));
        QVERIFY2(text.startsWith("In unequal the ranks' shares have from 81 to 3,200 samples."), qPrintable(text));
        QVERIFY(textOf(of(all, "partitioning.redrawn").at(0)).contains("were redrawn 4 times"));
    }

    void skewComesWithTheLastShare()
    {
        SummaryBuilder summary(2);
        summary.addShare(1, {0, 100});
        QVERIFY(std::isnan(summary.summary().labelSkew));
        summary.addShare(0, {100, 0});
        QCOMPARE(summary.summary().labelSkew, 0.5);
        summary.addShare(0, {50, 50});
        summary.addShare(1, {50, 50});
        QCOMPARE(summary.summary().labelSkew, 0.0);
    }

    void ofOneClassThereIsNoSkew()
    {
        SummaryBuilder summary(2);
        summary.addShare(0, {50}); // windows of a text
        summary.addShare(1, {70});
        QVERIFY(std::isnan(summary.summary().labelSkew));
    }
};

LOCKSTEP_TEST(TestPartitionFindings)
#include "test_partition_findings.moc"
