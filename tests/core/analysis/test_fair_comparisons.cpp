// What may be compared with what: runs that were changed by hand, other data sets, and how many repeats presets make.
#include "analysis/findings/all_findings.h"
#include "analysis/scaling/estimate.h"
#include "analysis/scaling/scaling.h"
#include "core/analysis/optimizer_runs.h"
#include "experiment/spec.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;
using namespace lockstep::tests;

namespace {

/// SGD (variant 1) or Adam (variant 2), at 1 ms a step.
RunRecord run(std::size_t variant, int repeat, double halfLife, double accuracy = 0.9)
{
    RunRecord made = optimizerRun(variant, repeat, halfLife, 1e-3, accuracy);
    made.summary.trainSeconds = 0.4;
    return made;
}

std::vector<Finding> ofKind(const std::vector<Finding>& findings, std::string_view kind)
{
    std::vector<Finding> found;
    std::copy_if(
        findings.begin(), findings.end(), std::back_inserter(found), [&](const Finding& f) { return f.kind == kind; });
    return found;
}

} // namespace

class TestFairComparisons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void runsChangedByHandAreLeftOut_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("leftOut");
        QTest::addColumn<QString>("included");
        QTest::addRow("paused") << 1 << "SGD #3 was paused and is left out."
                                << "SGD #3 was paused; it counts as you asked.";
        QTest::addRow("slowed") << 2 << "In SGD #3 a rank was slowed down by hand; the run is left out."
                                << "In SGD #3 a rank was slowed down by hand; the run counts as you asked.";
        QTest::addRow("link") << 4 << "In SGD #3 the emulated link was changed by hand; the run is left out."
                              << "In SGD #3 the emulated link was changed by hand; the run counts as you asked.";
        QTest::addRow("all") << 7 << "SGD #3 was changed by hand in several ways and is left out."
                             << "SGD #3 was changed by hand in several ways; it counts as you asked.";
    }

    void runsChangedByHandAreLeftOut()
    {
        QFETCH(int, what);
        std::vector<RunRecord> runs{run(1, 0, 40, 0.90), run(1, 1, 40, 0.92), run(1, 2, 40, 0.60)};
        runs[2].summary.interference = {(what & 1) != 0, (what & 2) != 0, (what & 4) != 0};
        const auto without = findings(runs);
        const auto reached = ofKind(without, "optimizers.to_loss");
        QCOMPARE(reached.size(), std::size_t{1});
        QCOMPARE(reached.front().runs.size(), std::size_t{2});
        QVERIFY(reached.front().table.rows.front().back().starts_with("91.0 %"));
        const auto said = ofKind(without, "run.interfered");
        QCOMPARE(said.size(), std::size_t{1});
        QTEST(QString::fromStdString(sentence(said.front(), {})), "leftOut");
        QCOMPARE(said.front().runs, std::vector<RunId>{runs[2].id});

        const auto with = findings(runs, Interfered::Include);
        QCOMPARE(ofKind(with, "optimizers.to_loss").front().runs.size(), std::size_t{3});
        QTEST(QString::fromStdString(sentence(ofKind(with, "run.interfered").front(), {})), "included");
    }

    /// Of many changed runs one line.
    void manyChangedRunsAreOneLine()
    {
        std::vector<RunRecord> runs{run(1, 0, 40, 0.90), run(1, 1, 40, 0.92), run(1, 2, 40, 0.10), run(1, 3, 40, 0.10)};
        for (std::size_t i = 1; i < runs.size(); ++i) {
            runs[i].summary.interference.isPaused = true;
        }
        const auto said = ofKind(findings(runs), "run.interfered");
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(sentence(said.front(), {})),
            QStringLiteral("3 runs were changed by hand and are left out. The table of runs says how."));
        QCOMPARE(said.front().runs.size(), std::size_t{3});
    }

    void whatAResumedRunDoesNotShareIsSaid()
    {
        std::vector<RunRecord> runs{run(1, 0, 40), run(2, 0, 40)};
        QVERIFY(ofKind(findings(runs), "optimizers.schedule_changed").empty());
        runs[1].summary.resumption = {200, 300, 400};
        const auto changed = ofKind(findings(runs), "optimizers.schedule_changed");
        QCOMPARE(changed.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(sentence(changed.front(), {})),
            QStringLiteral("Adam continues another run after step 200. Its learning-rate schedule was made for 300 "
                           "steps there and is recomputed for 400 here. Its rates differ from those of one run of 400 "
                           "steps."));
        QCOMPARE(changed.front().runs, std::vector<RunId>{runs[1].id});
        QVERIFY(ofKind(findings(runs), "run.time_unknown").empty());
        runs[1].summary.resumption.scheduledSteps = 0;
        runs[1].summary.trainSeconds = NotMeasured;
        QVERIFY(ofKind(findings(runs), "optimizers.schedule_changed").empty());
        QCOMPARE(QString::fromStdString(sentence(ofKind(findings(runs), "run.time_unknown").front(), {})),
            QStringLiteral("Adam continues another run after step 200. Its checkpoint does not say how long the steps "
                           "before took, so the run's seconds are unknown."));
    }

    void theirTimesAreNoEstimate()
    {
        RunRecord slowed = run(1, 0, 40);
        slowed.summary.trainSeconds = 500.0;
        QVERIFY(estimate(slowed.spec, std::vector{slowed}, Processor::Cpu).fromMeasurement);
        slowed.summary.interference.isSlowed = true;
        QVERIFY(!estimate(slowed.spec, std::vector{slowed}, Processor::Cpu).fromMeasurement);
    }

    void aScalingStudyLeavesThemOut()
    {
        auto spec = *experiment::preset("scaling");
        spec.repeats = 1;
        const auto expanded = *experiment::expand(spec);
        std::vector<RunRecord> runs;
        for (const std::size_t variant : {0U, 1U}) {
            RunRecord made = run(1, 0, 40);
            made.spec = expanded.at(variant);
            made.id.text = made.spec.name;
            made.summary.samplesPerSecond = 1000.0;
            runs.push_back(made);
        }
        QCOMPARE(scalingStudy(runs).curves.size(), std::size_t{1});
        runs[1].summary.interference.isPaused = true;
        QVERIFY(scalingStudy(runs).curves.empty());
        QCOMPARE(scalingStudy(runs, Interfered::Include).curves.size(), std::size_t{1});
    }

    void lossesAreNotRankedAcrossDataSets()
    {
        // Adam is the first on the digits; on another set of them the order is the other way round.
        std::vector<RunRecord> runs{run(1, 0, 80), run(1, 1, 81), run(2, 0, 20), run(2, 1, 20.3), run(1, 0, 10),
            run(1, 1, 10.1), run(2, 0, 40), run(2, 1, 40.6)};
        for (std::size_t i = 4; i < 8; ++i) {
            runs[i].spec.settings["dataset.seed"] = std::int64_t{77};
            runs[i].id.text += " other";
        }
        const auto all = findings(runs);
        const auto firsts = ofKind(all, "optimizers.fewest_steps");
        QCOMPARE(firsts.size(), std::size_t{2});
        QCOMPARE(firsts[0].runs, (std::vector<RunId>{runs[2].id, runs[3].id, runs[0].id, runs[1].id}));
        QCOMPARE(firsts[1].runs, (std::vector<RunId>{runs[4].id, runs[5].id, runs[6].id, runs[7].id}));
        const auto said = ofKind(all, "run.data_sets");
        QCOMPARE(said.size(), std::size_t{1});
        QCOMPARE(figure(said.front(), "data_sets"), 2.0);
        QVERIFY(ofKind(findings(std::vector{runs[0], runs[1]}), "run.data_sets").empty());
        // Alone on its set, a run is not compared.
        QVERIFY(ofKind(findings(std::vector{runs[0], runs[1], runs[6], runs[7]}), "optimizers.fewest_steps").empty());
    }

    void presetsRepeatWhereThatTakesLessThanTwoMinutes_data()
    {
        QTest::addColumn<QString>("name");
        for (const std::string_view name : experiment::presetNames()) {
            const auto text = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
            QTest::addRow("%s", qPrintable(text)) << text;
        }
    }

    void presetsRepeatWhereThatTakesLessThanTwoMinutes()
    {
        QFETCH(QString, name);
        auto spec = *experiment::preset(name.toStdString());
        const int repeats = spec.repeats;
        spec.repeats = 3;
        double seconds = 0.0;
        const auto runs = *experiment::expand(spec);
        for (const experiment::RunSpec& each : runs) {
            seconds += estimate(each, {}, Processor::Cpu).seconds;
        }
        const QString said = QStringLiteral("3 repeats: %1 s; the preset has %2").arg(seconds).arg(repeats);
        qInfo("%s", qPrintable(said));
        QVERIFY2(repeats >= 3 || seconds >= 120.0, qPrintable(said));
    }

    void everyVariantBeginsBeforeTheRepeats()
    {
        auto spec = *experiment::preset("optimizers");
        spec.repeats = 2;
        const auto runs = *experiment::expand(spec);
        QCOMPARE(experiment::orderBySeed(runs), (std::vector<std::size_t>{0, 2, 4, 1, 3, 5}));
    }
};

LOCKSTEP_TEST(TestFairComparisons)
#include "test_fair_comparisons.moc"
