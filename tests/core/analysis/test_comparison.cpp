// Times against the baseline's, on made-up runs: paired by block or by seed, and what is said where nothing can be
// told.
#include "analysis/figures/comparison.h"
#include "analysis/figures/figure_estimate.h"
#include "analysis/findings/all_findings.h"
#include "analysis/findings/method_notes.h"
#include "analysis/scaling/estimate.h"
#include "core/experiment/overrides.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

/// The run of a variant that is set as told, as it is once it has finished.
RunRecord finishedRun(const std::string& name, double msPerStep, const QString& settings = {})
{
    const experiment::Spec spec{"test", {}, {{name, {}}}, 1};
    const auto changed
        = experiment::customise(spec, withSettings({{"strategy.name", "data"}, {"world_size", "2"}}, settings), {});
    if (!changed) {
        qFatal("%s", changed.error().message.c_str());
    }
    RunRecord run;
    run.spec = experiment::expand(*changed)->front();
    run.id.text = name + settings.toStdString();
    run.status = RunStatus::Finished;
    run.summary.msPerStep = msPerStep;
    run.summary.samplesPerSecond = 64'000.0 / msPerStep;
    return run;
}

/// Blocks in rounds of 1 s from `startNs` on; in each, this run begins `offsetNs` later. The machine is twice as slow
/// in every third round.
void addBlocks(
    RunRecord& run, int rounds, double msPerStep, std::int64_t offsetNs, std::int64_t startNs = 1'000'000'000)
{
    std::mt19937_64 random(static_cast<std::uint64_t>(offsetNs + rounds));
    std::normal_distribution<double> noise(0.0, 0.01);
    for (int round = 1; round <= rounds; ++round) {
        const std::int64_t begin = startNs + round * 1'000'000'000LL + offsetNs;
        const double ms = msPerStep * (round % 3 == 0 ? 2.0 : 1.0) * std::exp(noise(random));
        run.blocks.push_back({round, begin, begin + 40'000'000, 40, ms, 64'000.0 / ms});
    }
}

std::vector<std::string> kindsOf(const std::vector<RunRecord>& runs)
{
    std::vector<std::string> kinds;
    for (const Finding& finding : findings(runs)) {
        if (finding.kind.starts_with("timing.")) {
            kinds.emplace_back(finding.kind);
        }
    }
    return kinds;
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void blocksOfARoundArePairs()
    {
        std::vector<RunRecord> runs{finishedRun("ring", 1.0), finishedRun("tree", 1.9)};
        addBlocks(runs[0], 30, 1.0, 0);
        addBlocks(runs[1], 30, 1.2, 100'000'000);
        const auto compared = comparisons(runs);
        QCOMPARE(compared.size(), std::size_t{1});
        const Comparison& one = compared.front();
        QCOMPARE(one.baseline, std::string("ring"));
        QCOMPARE(one.run, std::string("tree"));
        QCOMPARE(one.figure, std::string_view("ms_per_step"));
        QCOMPARE(one.unit, std::string_view("block"));
        QCOMPARE(one.difference.n, std::size_t{30});
        // What slows both in a round is not a difference; the means of 1.0 and 1.9 ms are none either.
        QVERIFY(one.difference.low < 0.2 && one.difference.high > 0.2 && one.difference.halfWidth() < 0.02);
        QCOMPARE(kindsOf(runs), std::vector<std::string>{"timing.difference"});
    }

    /// The bars of two runs and the sentence about them say the same.
    void theRatioOfTwoBarsIsTheDifference()
    {
        std::vector<RunRecord> runs{finishedRun("ring", 1.0), finishedRun("tree", 1.9)};
        addBlocks(runs[0], 30, 1.0, 0);
        addBlocks(runs[1], 30, 1.2, 100'000'000);
        std::vector<double> typical;
        for (RunRecord& run : runs) {
            std::vector<double> ms;
            for (MeasuredBlock& block : run.blocks) {
                block.isLeftOut = block.number % 10 == 4;
                block.msPerStep *= block.isLeftOut ? 9.0 : 1.0;
                if (!block.isLeftOut) {
                    ms.push_back(block.msPerStep);
                }
            }
            typical.push_back(meanOfBlocks(ms).mean);
        }
        const RelativeDifference difference = comparisons(runs).front().difference;
        QCOMPARE(difference.n, std::size_t{27});
        QVERIFY(std::fabs(difference.difference - (typical[1] / typical[0] - 1.0)) < 1e-12);
    }

    void anIntervalThatHoldsZeroIsNoDifference()
    {
        std::vector<RunRecord> runs{finishedRun("all_reduce", 1.09), finishedRun("sum", 0.7)};
        addBlocks(runs[0], 30, 1.0, 0);
        addBlocks(runs[1], 30, 1.0, 100'000'000);
        QVERIFY(comparisons(runs).front().difference.holdsZero());
        const auto all = findings(runs);
        const auto said = std::find_if(
            all.begin(), all.end(), [](const Finding& finding) { return finding.kind == "timing.no_difference"; });
        QVERIFY(said != all.end());
        const std::string text = sentence(*said, {});
        QCOMPARE(text, std::string("Time per step: no difference worth naming between all_reduce and sum."));
        const auto notes = methodNotes(all, runs);
        QVERIFY(std::ranges::any_of(notes, [](const Finding& note) {
            return sentence(note, {}).find("30 blocks of steps each") != std::string::npos;
        }));
        QCOMPARE(said->runs.size(), std::size_t{2});
    }

    /// Rounds are numbered from 1 in every comparison.
    void blocksOfTwoComparisonsAreNoPairs()
    {
        RunRecord ring = finishedRun("ring", 1.0);
        RunRecord tree = finishedRun("tree", 1.5);
        addBlocks(ring, 30, 1.0, 0);
        addBlocks(tree, 30, 1.0, 0, 500'000'000'000);
        QVERIFY(logRatios(ring, tree, &MeasuredBlock::msPerStep).empty());
        const auto compared = comparisons(std::vector<RunRecord>{ring, tree});
        QCOMPARE(compared.front().unit, std::string_view("seed"));
        QCOMPARE(compared.front().difference.n, std::size_t{1});
        QVERIFY(std::fabs(compared.front().difference.difference - 0.5) < 1e-9);
        QVERIFY(std::isnan(compared.front().difference.low));
        QVERIFY(kindsOf({ring, tree}).empty()); // nothing can be said of chance
    }

    /// Of a run of an earlier version: its mean.
    void whatIsTypicalIsComparedWhereItIsKnown()
    {
        std::vector<RunRecord> runs{finishedRun("a", 1.0), finishedRun("b", 8.0)};
        QVERIFY(std::fabs(comparisons(runs).front().difference.difference - 7.0) < 1e-9);
        runs[1].summary.msPerStepTypical = 1.25; // one stall made the mean
        QVERIFY(std::fabs(comparisons(runs).front().difference.difference - 0.25) < 1e-9);
    }

    void aRunThatLeftEarlyIsComparedInItsRounds()
    {
        RunRecord ring = finishedRun("ring", 1.0);
        RunRecord tree = finishedRun("tree", 1.0);
        addBlocks(ring, 40, 1.0, 0);
        addBlocks(tree, 12, 1.3, 100'000'000);
        tree.blocks.erase(tree.blocks.begin() + 4); // a block without a counted step
        QCOMPARE(logRatios(ring, tree, &MeasuredBlock::msPerStep).size(), std::size_t{11});
    }

    void singleIsTheBaseline()
    {
        const std::vector<RunRecord> runs{
            finishedRun("ring", 1.0), finishedRun("single", 2.0), finishedRun("tree", 3.0)};
        for (const Comparison& one : comparisons(runs)) {
            QCOMPARE(one.baseline, std::string("single"));
        }
        QCOMPARE(comparisons(runs).size(), std::size_t{2});
    }

    /// The seed is the unit of repeats, however many blocks each has.
    void repeatsArePairedBySeed()
    {
        std::vector<RunRecord> runs;
        for (const int seed : {1, 2, 3}) {
            const QString set = QStringLiteral("train.seed=%1").arg(seed);
            runs.push_back(finishedRun("ring", 1.0, set));
            addBlocks(runs.back(), 30, 1.0, 0, seed * 100'000'000'000);
            runs.push_back(finishedRun("tree", 1.0, set));
            addBlocks(runs.back(), 30, 1.0 + 0.1 * seed, 100'000'000, seed * 100'000'000'000);
        }
        const Comparison one = comparisons(runs).front();
        QCOMPARE(one.unit, std::string_view("seed"));
        QCOMPARE(one.difference.n, std::size_t{3});
        const double expected = std::cbrt(1.1 * 1.2 * 1.3) - 1.0;
        QVERIFY(std::fabs(one.difference.difference - expected) < 0.01);
        QVERIFY(one.difference.low < expected - 0.1); // three seeds that differ
        QCOMPARE(one.runs.size(), std::size_t{6});
    }

    /// Results and sentences about times pair the runs as tables do, whichever seeds both have.
    void pairsAreThoseOfTheTable_data()
    {
        QTest::addColumn<QVector<int>>("seeds");
        QTest::addColumn<QString>("unit");
        QTest::addColumn<int>("n");
        QTest::addRow("all") << QVector<int>{1, 2, 3} << QStringLiteral("seed") << 3;
        QTest::addRow("the smaller side") << QVector<int>{2, 3} << QStringLiteral("seed") << 2;
        QTest::addRow("some") << QVector<int>{2, 3, 4} << QStringLiteral("run") << 3;
        QTest::addRow("none") << QVector<int>{7, 8} << QStringLiteral("run") << 2;
    }
    void pairsAreThoseOfTheTable()
    {
        QFETCH(QVector<int>, seeds);
        std::vector<RunRecord> runs;
        for (const int seed : {1, 2, 3}) {
            runs.push_back(finishedRun("ring", 1.0 + 0.2 * seed, QStringLiteral("train.seed=%1").arg(seed)));
        }
        for (const int seed : seeds) {
            runs.push_back(finishedRun("tree", 1.4 + 0.25 * seed, QStringLiteral("train.seed=%1").arg(seed)));
        }
        const Comparison one = comparisons(runs).front();
        QTEST(QString::fromUtf8(one.unit.data(), static_cast<qsizetype>(one.unit.size())), "unit");
        QTEST(static_cast<int>(one.difference.n), "n");
        std::vector<const RunRecord*> ring;
        std::vector<const RunRecord*> tree;
        for (const RunRecord& run : runs) {
            (run.spec.name == "ring" ? ring : tree).push_back(&run);
        }
        const FigureDifference shown = differenceOf(figureOf(&Summary::msPerStepTypical), ring, tree);
        QCOMPARE(one.difference.difference, shown.difference);
        QCOMPARE(one.difference.low, shown.low);
        QCOMPARE(one.difference.high, shown.high);
    }

    void stepsOfDifferentWorkAreComparedBySamples_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addRow("asynchronous server") << "aggregation.algorithm=parameter_server_async";
        QTest::addRow("weak scaling") << "train.batch_of=rank";
        QTest::addRow("another batch") << "train.batch=128";
    }
    void stepsOfDifferentWorkAreComparedBySamples()
    {
        QFETCH(QString, settings);
        const Comparison one
            = comparisons(std::vector<RunRecord>{finishedRun("a", 1.0), finishedRun("b", 2.0, settings)}).front();
        QCOMPARE(one.figure, std::string_view("samples_per_s"));
        QVERIFY(std::fabs(one.difference.difference + 0.5) < 1e-9); // half as many
    }

    void runsThatDidNotFinishAreLeftOut()
    {
        std::vector<RunRecord> runs{finishedRun("a", 1.0), finishedRun("b", 2.0)};
        runs[1].status = RunStatus::Failed;
        QVERIFY(comparisons(runs).empty());
        runs[1] = finishedRun("b", NotMeasured);
        QVERIFY(comparisons(runs).empty());
    }

    void theEstimateSaysTheLimit()
    {
        std::vector<experiment::RunSpec> runs{finishedRun("a", 1.0).spec};
        QCOMPARE(mostSecondsOfMeasuring(runs), 0.0); // nothing to compare with
        runs.push_back(finishedRun("b", 1.0, "measure.limit_s=25").spec);
        QCOMPARE(mostSecondsOfMeasuring(runs), 25.0);
        runs.push_back(runs[0]);
        runs.push_back(runs[1]);
        runs[2].repeat = runs[3].repeat = 1;
        QCOMPARE(mostSecondsOfMeasuring(runs), 50.0);
        runs.push_back(runs[0]); // a sweep takes no turns
        runs.back().settings["strategy.name"] = std::string("collectives");
        runs.back().settings["measure.limit_s"] = 500.0;
        QCOMPARE(mostSecondsOfMeasuring(runs), 50.0);
        for (auto& run : runs) {
            run.settings["measure.interleave"] = false;
        }
        QCOMPARE(mostSecondsOfMeasuring(runs), 0.0);
    }
};

LOCKSTEP_TEST(TestComparison)
#include "test_comparison.moc"
