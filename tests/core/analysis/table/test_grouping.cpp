// Groups of runs with means and intervals, differences to a baseline, and the settings in which runs differ.
#include "analysis/study/changed_settings.h"
#include "analysis/table/grouping.h"
#include "analysis/table/run_table.h"
#include "core/analysis/readable.h"
#include "core/analysis/table/table_runs.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::tests;
using analysis::Column;
using analysis::Interfered;
using analysis::RowGroup;
using analysis::RunRecord;

namespace {

std::vector<RowGroup> grouped(
    const std::vector<RunRecord>& runs, const std::vector<const char*>& names, Interfered which = Interfered::LeaveOut)
{
    std::vector<const Column*> by;
    for (const char* name : names) {
        by.push_back(analysis::findColumn(name));
    }
    return analysis::groupRuns(pointersTo(runs), by, which);
}

const Column& column(const char* name)
{
    return *analysis::findColumn(name);
}

std::string cellOf(const RowGroup& group, const char* name)
{
    return analysis::estimateText(*column(name).figure, analysis::estimateOf(group, column(name)));
}

bool isNear(double a, double b)
{
    return std::abs(a - b) < 1e-9;
}

} // namespace

class TestGrouping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void repeatsAreOneGroupWithAnInterval()
    {
        const std::vector<RunRecord> runs{tableRun("SGD", 1, 0.10, 0.90), tableRun("Adam", 1, 0.05, 0.95),
            tableRun("SGD", 2, 0.12, 0.92), tableRun("SGD", 3, 0.14, 0.94)};
        const auto groups = grouped(runs, {});
        QCOMPARE(groups.size(), std::size_t(2));
        QCOMPARE(groups[0].name, "SGD");
        QCOMPARE(groups[0].counted.size(), std::size_t(3));
        QVERIFY(groups[0].mixed.empty());
        const auto loss = analysis::estimateOf(groups[0], column("loss"));
        QVERIFY(isNear(loss.mean, 0.12));
        const double factor = std::exp(4.303 * 0.02 / std::sqrt(3.0) / 0.12); // Student's t, 2 degrees, log scale
        QVERIFY(isNear(loss.high, 0.12 * factor) && isNear(loss.low, 0.12 / factor));
        QCOMPARE(cellOf(groups[0], "loss"), "0.120 [0.079, 0.182]");
        const auto alone = analysis::estimateOf(groups[1], column("loss"));
        QVERIFY(!alone.hasInterval());
        QCOMPARE(cellOf(groups[1], "loss"), "0.0500");
        QCOMPARE(cellOf(groups[1], "best_loss"), "–");
    }

    void sharesStayWithinOne()
    {
        const std::vector<RunRecord> runs{tableRun("SGD", 1, 0.1, 0.999), tableRun("SGD", 2, 0.1, 0.90)};
        const auto accuracy = analysis::estimateOf(grouped(runs, {}).front(), column("accuracy"));
        QVERIFY(accuracy.hasInterval());
        QVERIFY(accuracy.low > 0.0 && accuracy.high < 1.0 && accuracy.low < 0.9);
    }

    void theSameSeedAgainIsNoRepeat()
    {
        RunRecord again = tableRun("SGD", 1, 0.30, 0.5);
        again.createdNs += 1'000;
        const std::vector<RunRecord> runs{again, tableRun("SGD", 1, 0.10, 0.9), tableRun("SGD", 2, 0.12, 0.92)};
        const auto groups = grouped(runs, {});
        QCOMPARE(groups.size(), std::size_t(1));
        QCOMPARE(groups[0].runs.size(), std::size_t(3));
        QCOMPARE(groups[0].counted.size(), std::size_t(2));
        QVERIFY(isNear(analysis::estimateOf(groups[0], column("loss")).mean, 0.21)); // the newest of seed 1
    }

    void interferedAndUnfinishedRunsAreLeftOut()
    {
        RunRecord slowed = tableRun("SGD", 3, 9.0, 0.1);
        slowed.summary.interference.isSlowed = true;
        RunRecord failed = tableRun("SGD", 4, 9.0, 0.1);
        failed.status = analysis::RunStatus::Failed;
        const std::vector<RunRecord> runs{tableRun("SGD", 1, 0.1, 0.9), slowed, failed};
        QCOMPARE(grouped(runs, {}).front().counted.size(), std::size_t(1));
        QCOMPARE(grouped(runs, {}, Interfered::Include).front().counted.size(), std::size_t(2));
    }

    void groupsByAnyColumn()
    {
        std::vector<RunRecord> runs{
            tableRun("SGD", 1, 0.1, 0.9), tableRun("Adam", 1, 0.2, 0.9), tableRun("SGD", 2, 0.3, 0.9)};
        runs[2].spec.settings["train.batch"] = std::int64_t(7);
        const auto byBatch = grouped(runs, {"train.batch"});
        QCOMPARE(byBatch.size(), std::size_t(2));
        QCOMPARE(byBatch[1].name, "7");
        QCOMPARE(byBatch[0].counted.size(), std::size_t(2));
        QVERIFY(!byBatch[0].mixed.empty()); // SGD and Adam
        QCOMPARE(byBatch[0].mixed.front()->name, std::string_view("optimizer.name"));
        const auto byTwo = grouped(runs, {"optimizer.name", "train.batch"});
        QCOMPARE(byTwo.size(), std::size_t(3));
        QCOMPARE(byTwo[2].name, "sgd, 7");
    }

    void differencesArePairedBySeed()
    {
        // Each Adam run has 0.8 times the loss of its seed's SGD run, whatever the seed does.
        std::vector<RunRecord> runs;
        for (std::int64_t seed = 1; seed <= 3; ++seed) {
            const double loss = 0.1 * static_cast<double>(seed * seed);
            runs.push_back(tableRun("SGD", seed, loss, 0.90));
            runs.push_back(tableRun("Adam", seed, 0.8 * loss, 0.91));
        }
        const auto groups = grouped(runs, {});
        const auto loss = analysis::differenceTo(groups[0], groups[1], column("loss"));
        QVERIFY(loss.isPaired);
        QVERIFY(isNear(loss.difference, -0.2));
        QVERIFY(!loss.hasInterval() && isNear(loss.low, -0.2) && isNear(loss.high, -0.2)); // equal pairs
        QCOMPARE(loss.n, std::size_t(3));
        const auto accuracy = analysis::differenceTo(groups[0], groups[1], column("accuracy"));
        QVERIFY(accuracy.isInPoints);
        QCOMPARE(analysis::differenceText(accuracy), "+1.0 points");
    }

    void withoutPartnersTheGroupsAreIndependent()
    {
        const std::vector<RunRecord> runs{tableRun("SGD", 1, 1.0, 0.9), tableRun("SGD", 2, 1.2, 0.9),
            tableRun("Adam", 3, 2.0, 0.9), tableRun("Adam", 4, 2.4, 0.9)};
        const auto groups = grouped(runs, {});
        const auto loss = analysis::differenceTo(groups[0], groups[1], column("loss"));
        QVERIFY(!loss.isPaired);
        QVERIFY(isNear(loss.difference, 1.0)); // geometric means
        QVERIFY(loss.low < 1.0 && loss.high > 1.0);
    }

    void oneRunEachHasNoInterval()
    {
        const std::vector<RunRecord> runs{tableRun("SGD", 1, 1.0, 0.9), tableRun("Adam", 1, 1.5, 0.9)};
        const auto groups = grouped(runs, {});
        QCOMPARE(analysis::differenceText(analysis::differenceTo(groups[0], groups[1], column("loss"))), "+50.0 %");
        QCOMPARE(analysis::differenceText(analysis::differenceTo(groups[0], groups[1], column("best_loss"))), "–");
        const std::vector<RunRecord> zero{tableRun("SGD", 1, 0.0, 0.9), tableRun("Adam", 1, 1.5, 0.9)};
        const auto zeros = grouped(zero, {});
        QCOMPARE(analysis::differenceText(analysis::differenceTo(zeros[0], zeros[1], column("loss"))), "–");
    }

    void whatDiffersBetweenRuns()
    {
        std::vector<RunRecord> runs{tableRun("SGD", 1, 0.1, 0.9), tableRun("SGD", 2, 0.1, 0.9)};
        QVERIFY(analysis::settingDifferences(pointersTo(runs)).empty()); // the seed alone
        runs[1].spec.settings["train.batch"] = std::int64_t(7);
        runs[1].spec.settings["optimizer.beta1"] = 0.5; // does not apply to SGD
        const auto differences = analysis::settingDifferences(pointersTo(runs));
        QCOMPARE(differences.size(), std::size_t(1));
        QCOMPARE(differences[0].parameter->name, std::string_view("train.batch"));
        QCOMPARE(differences[0].values.back(), "7");
    }

    void parametersOfOnesOwnProgramDifferToo()
    {
        std::vector<RunRecord> runs{tableRun("SGD", 1, 0.1, 0.9), tableRun("SGD", 2, 0.3, 0.9)};
        for (RunRecord& run : runs) {
            run.spec.settings["strategy.name"] = std::string("own");
        }
        runs[0].spec.settings["own.lr"] = 0.1;
        runs[1].spec.settings["own.lr"] = 0.2;
        const auto differences = analysis::settingDifferences(pointersTo(runs));
        QCOMPARE(differences.size(), std::size_t(1));
        QCOMPARE(differences[0].parameter->name, std::string_view("own.lr"));
        QCOMPARE(differences[0].values, (std::vector<std::string>{"0.1", "0.2"}));
        // So a mean over both says that they differ.
        const auto groups = grouped(runs, {"optimizer.name"});
        QCOMPARE(groups.size(), std::size_t(1));
        QCOMPARE(analysis::mixedText(groups[0]), "own.lr");
    }

    void whatWasChangedFromThePreset()
    {
        RunRecord run = tableRun("SGD", 2, 0.1, 0.9);
        QCOMPARE(analysis::changedText(run), std::string());
        run.spec.settings["optimizer.lr"] = 0.025;
        QCOMPARE(analysis::changedText(run), "optimizer.lr 0.025");
        run.spec.name = "SGD from 250"; // resumed
        QCOMPARE(analysis::changedText(run), "optimizer.lr 0.025");
    }
};

LOCKSTEP_TEST(TestGrouping)
#include "test_grouping.moc"
