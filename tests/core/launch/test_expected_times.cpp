// How long runs are expected to take: by a repeat where one was measured, by what the files hold, and with the turns
// that comparing takes.
#include "core/engine/data/cifar10_files.h"
#include "launch/expected_times.h"
#include "program/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::launch;

namespace {

experiment::RunSpec runOf(const std::vector<experiment::Override>& changes, const std::string& name = "SGD")
{
    const std::vector<std::string> only{name};
    const auto spec = experiment::customise(*experiment::preset("optimizers"), changes, only);
    return experiment::expand(*spec)->front();
}

analysis::RunRecord measured(const experiment::RunSpec& run, double seconds)
{
    analysis::RunRecord record;
    record.spec = run;
    record.status = analysis::RunStatus::Finished;
    record.summary.trainSamples = 8000;
    record.summary.testSamples = 2000;
    record.summary.trainSeconds = seconds;
    record.summary.startSeconds = 1.0;
    record.summary.steps = 625;
    return record;
}

} // namespace

class TestExpectedTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Stages of ZeRO differ in no setting that times are scaled by.
    void aRepeatIsTheBestMeasure()
    {
        std::vector<analysis::RunRecord> known;
        for (const char* const stage : {"3", "2", "1"}) {
            known.push_back(measured(
                runOf({{"strategy.name", "zero"}, {"world_size", "2"}, {"zero.stage", stage}, {"train.seed", "7"}}),
                10.0 * std::stod(stage)));
        }
        for (const char* const stage : {"1", "2", "3"}) {
            const auto run = runOf({{"strategy.name", "zero"}, {"world_size", "2"}, {"zero.stage", stage}});
            const analysis::Estimate one = ExpectedTimes(known).of(run);
            QVERIFY(one.fromMeasurement);
            QVERIFY2(
                std::abs(one.seconds - 10.0 * std::stod(stage) - 1.0) < 1e-6, qPrintable(QString::number(one.seconds)));
        }
    }

    void filesSayHowManySamplesThereAre()
    {
        const QTemporaryDir folder;
        QVERIFY(tests::writeCifar10(folder.path(), 20, 10)); // five files of 20
        const auto run = runOf({{"dataset.name", "cifar10"}, {"dataset.path", folder.path().toStdString()},
            {"train.batch", "10"}, {"train.epochs", "3"}});
        QCOMPARE(ExpectedTimes({}).of(run).steps, std::int64_t{30});
    }

    void withoutARunItIsAGuess()
    {
        const auto run = runOf({});
        const std::vector<experiment::RunSpec> runs{run};
        QVERIFY(!ExpectedTimes({}).of(runs).isMeasured);
        const std::vector<analysis::RunRecord> known{measured(run, 5.0)};
        const ExpectedTime one = ExpectedTimes(known).of(runs);
        QVERIFY(one.isMeasured);
        // The set is evaluated once more after the last step.
        const double last = ExpectedTimes(known).of(run).lastEvaluationSeconds;
        QVERIFY(last > 0.0 && last < 2.0);
        QVERIFY(std::abs(one.seconds - 6.0 - last) < 1e-6);
        QCOMPARE(one.mostMoreSeconds, 0.0); // nothing to compare with
    }

    /// Of two variants with few steps most of the rounds come after these.
    void comparingTakesTime()
    {
        const std::vector<experiment::Override> changes{
            {"train.steps", "20"}, {"measure.limit_s", "20"}, {"strategy.name", "data"}, {"world_size", "2"}};
        const std::vector<experiment::RunSpec> runs{runOf(changes), runOf(changes, "Adam")};
        std::vector<analysis::RunRecord> known{measured(runs[0], 0.2), measured(runs[1], 0.2)};
        const ExpectedTime both = ExpectedTimes(known).of(runs);
        double own = 0.0;
        for (const experiment::RunSpec& run : runs) {
            const analysis::Estimate one = ExpectedTimes(known).of(run);
            own += one.seconds + one.lastEvaluationSeconds;
        }
        // Thirty rounds of at least 4 + 3 steps of 10 ms each, less the 20 steps of their own.
        QVERIFY2(
            both.seconds > own + 2 * 25 * 0.07 && both.seconds < own + 20.0, qPrintable(QString::number(both.seconds)));
        QVERIFY(std::abs(both.seconds - own + both.mostMoreSeconds - 20.0) < 1e-6);
        known[0].summary.delayByOthers = 0.5; // no difference becomes known on a busy machine
        QVERIFY(std::abs(ExpectedTimes(known).of(runs).seconds - own - 20.0) < 1e-6);
    }
};

LOCKSTEP_TEST(TestExpectedTimes)
#include "test_expected_times.moc"
