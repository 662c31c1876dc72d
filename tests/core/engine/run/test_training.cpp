// The training loop in this process: what it learns and reports, and how it handles commands.
#include "core/engine/strategy/trained_ranks.h"
#include "program/programs.h"
#include "program/test_class.h"

#include <QtTest>

#include <cmath>
#include <numeric>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

TrainedRank trainedAlone(const experiment::RunSpec& run, const Answer& answer = {})
{
    return trainedRanks(run, 1, {.answer = answer}).front();
}

std::int64_t firstRowStep(const wire::Message& message)
{
    const auto* rows = std::get_if<wire::StepBatch>(&message);
    return rows != nullptr && rows->size() > 0 ? rows->rows.front().step : 0;
}

} // namespace

class TestTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void learns_data()
    {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<QString>("lr");
        QTest::addColumn<int>("epochs");
        QTest::addColumn<double>("accuracy");
        QTest::addRow("GD, MNIST") << "mnist"
                                   << "gd"
                                   << "0.5" << 50 << 0.92;
        QTest::addRow("SGD, MNIST") << "mnist"
                                    << "sgd"
                                    << "0.1" << 5 << 0.945;
        QTest::addRow("Adam, MNIST") << "mnist"
                                     << "adam"
                                     << "0.001" << 5 << 0.94;
        QTest::addRow("SGD, digits") << "digits"
                                     << "sgd"
                                     << "0.1" << 5 << 0.9;
    }

    void learns()
    {
        QFETCH(QString, dataset);
        QFETCH(QString, optimizer);
        QFETCH(QString, lr);
        QFETCH(int, epochs);
        QFETCH(double, accuracy);
        std::vector<experiment::Override> overrides{{"dataset.name", dataset.toStdString()},
            {"optimizer.name", optimizer.toStdString()}, {"optimizer.lr", lr.toStdString()},
            {"train.epochs", std::to_string(epochs)}, {"train.evaluate_every", std::to_string(epochs)}};
        if (dataset == "mnist") {
            if (mnistFolder().isEmpty()) {
                QSKIP("no MNIST here");
            }
            overrides.push_back({"dataset.path", mnistFolder().toStdString()});
        }
        const TrainedRank result = trainedAlone(runOf(overrides));
        QCOMPARE(QString::fromStdString(result.goodbye.message), QString());
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Finished);
        const auto evaluations = result.kept->all<wire::Evaluation>();
        QCOMPARE(evaluations.size(), std::size_t{1});
        qInfo("%s: accuracy %.4f", QTest::currentDataTag(), evaluations.back().accuracy);
        QVERIFY2(evaluations.back().accuracy >= accuracy, qPrintable(QString::number(evaluations.back().accuracy)));
    }

    void sameSpecSameLosses_data()
    {
        QTest::addColumn<QString>("net");
        QTest::addColumn<QString>("optimizer");
        QTest::addRow("mlp, adam") << "mlp"
                                   << "adam";
        QTest::addRow("mlp, gd") << "mlp"
                                 << "gd";
        QTest::addRow("cnn, sgd") << "cnn"
                                  << "sgd";
    }

    void sameSpecSameLosses()
    {
        QFETCH(QString, net);
        QFETCH(QString, optimizer);
        const auto overrides = quick({{"net.name", net.toStdString()}, {"optimizer.name", optimizer.toStdString()}});
        const auto first = trainedAlone(runOf(overrides)).kept->rows();
        const auto second = trainedAlone(runOf(overrides)).kept->rows();
        QVERIFY(first.size() > 0);
        QVERIFY(first.loss == second.loss); // to the last bit
        auto otherSeed = overrides;
        otherSeed.push_back({"train.seed", "9"});
        QVERIFY(trainedAlone(runOf(otherSeed)).kept->rows().loss != first.loss);
    }

    void rowsAreCompleteAndConsistent()
    {
        const TrainedRank result = trainedAlone(runOf(quick({{"train.batch", "64"}, {"log.every", "10"}})));
        const auto rows = result.kept->rows();
        QCOMPARE(rows.size(), std::size_t{20}); // 600 samples in batches of 64: nine and a smaller one, twice
        std::int64_t samples = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(rows.step[i], static_cast<std::int64_t>(i) + 1);
            QCOMPARE(rows.batch[i], i % 10 == 9 ? 24 : 64);
            samples += rows.batch[i];
            QCOMPARE(rows.samples[i], samples);
            std::int64_t phases = 0;
            for (const auto& column : rows.phaseNs) {
                phases += column[i];
            }
            QVERIFY(phases > 0 && phases <= rows.wallNs[i]);
            QVERIFY(rows.phaseNs[static_cast<std::size_t>(Phase::Forward)][i] > 0);
            QVERIFY(rows.phaseNs[static_cast<std::size_t>(Phase::Backward)][i] > 0);
            QVERIFY(i == 0 || rows.endNs[i] - rows.endNs[i - 1] >= rows.wallNs[i]);
        }
        const auto facts = result.kept->all<wire::Prepared>();
        QCOMPARE(facts.size(), std::size_t{1});
        QCOMPARE(facts.front().trainSamples, 600);
        QCOMPARE(facts.front().testSamples, 100);
        QCOMPARE(facts.front().totalSteps, 20);
        QCOMPARE(facts.front().stepsPerEpoch, 10);
        QCOMPARE(facts.front().parameterCount, 784 * 128 + 128 + 1280 + 10);
        QCOMPARE(facts.front().device, std::string("cpu"));
        QCOMPARE(result.kept->all<wire::Evaluation>().size(), std::size_t{2});
        int logged = 0;
        for (const auto& line : result.kept->all<wire::LogLine>()) {
            logged += line.text.starts_with("step ") && line.text.find("samples/s") != std::string::npos ? 1 : 0;
        }
        QCOMPARE(logged, 2);
    }

    void stepsEndTheRunAndAreEvaluated()
    {
        const TrainedRank result = trainedAlone(runOf(quick({{"train.steps", "7"}})));
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Finished);
        QCOMPARE(result.kept->rows().size(), std::size_t{7});
        QCOMPARE(result.kept->all<wire::Evaluation>().size(), std::size_t{1});
        QCOMPARE(result.kept->all<wire::Evaluation>().front().step, 7);
    }

    void gradientDescentTakesOneStepAnEpoch()
    {
        const TrainedRank result = trainedAlone(runOf(quick({{"optimizer.name", "gd"}, {"train.epochs", "3"}})));
        const auto rows = result.kept->rows();
        QCOMPARE(rows.batch, (std::vector<std::int64_t>{600, 600, 600}));
        QCOMPARE(rows.samples, (std::vector<std::int64_t>{600, 1200, 1800}));
        QVERIFY(rows.loss.back() < rows.loss.front());
    }

    /// The batch of gradient descent is the whole training set: what an evaluation measures there is the loss that the
    /// next step begins with.
    void theTrainingLossIsThatOfTheTrainingSet()
    {
        const TrainedRank result
            = trainedAlone(runOf(quick({{"optimizer.name", "gd"}, {"train.epochs", "4"}, {"train.dtype", "float64"}})));
        const auto rows = result.kept->rows();
        const auto evaluations = result.kept->all<wire::Evaluation>();
        QCOMPARE(evaluations.size(), std::size_t{4});
        for (std::size_t i = 0; i + 1 < evaluations.size(); ++i) {
            QCOMPARE(evaluations[i].step, rows.step[i]);
            QVERIFY(std::abs(evaluations[i].trainLoss - rows.loss[i + 1]) <= 1e-12);
        }
    }

    /// It is not that of the last batch, and measuring it changes no step.
    void evaluationsLeaveTheStepsAsTheyAre()
    {
        const auto often = trainedAlone(runOf(quick({{"train.epochs", "3"}})));
        const auto once = trainedAlone(runOf(quick({{"train.epochs", "3"}, {"train.evaluate_every", "3"}})));
        QCOMPARE(often.kept->rows().loss, once.kept->rows().loss);
        const auto last = once.kept->all<wire::Evaluation>().back();
        QCOMPARE(last.trainLoss, often.kept->all<wire::Evaluation>().back().trainLoss);
        QVERIFY(last.trainLoss != once.kept->rows().loss.back());
    }

    void aLossThatIsNoNumberFailsTheRun()
    {
        // A weight decay this strong turns every weight round and makes it nine times as large at each step.
        const TrainedRank result = trainedAlone(
            runOf(quick({{"optimizer.weight_decay", "1"}, {"optimizer.lr", "10"}, {"train.epochs", "200"}})));
        const auto rows = result.kept->rows();
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Failed);
        QVERIFY(!std::isfinite(rows.loss.back()));
        QCOMPARE(rows.step.back(), result.goodbye.step); // the row is kept
        const QString message = QString::fromStdString(result.goodbye.message);
        const QRegularExpression form("^rank 0: loss became (NaN|infinite) at step (\\d+) \\(optimizer\\.lr 10\\)$");
        QVERIFY2(form.match(message).hasMatch(), qPrintable(message));
        QCOMPARE(form.match(message).captured(2).toLongLong(), result.goodbye.step);
    }

    void clippingKeepsALargeLearningRateAlive()
    {
        const auto run = quick({{"optimizer.lr", "5"}, {"optimizer.clip", "0.01"}});
        const TrainedRank result = trainedAlone(runOf(run));
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Finished);
        QVERIFY(result.kept->rows().loss.back() < 3.0);
    }

    void stopEndsTheRun()
    {
        bool isAsked = false;
        const TrainedRank result = trainedAlone(
            runOf(quick({{"train.epochs", "100000"}})), [&](const wire::Message& message) {
                const bool ask = !isAsked && firstRowStep(message) > 0;
                isAsked = isAsked || ask;
                return ask ? std::vector{wire::Control{.command = wire::Command::Stop}} : std::vector<wire::Control>{};
            });
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Stopped);
        const auto applied = result.kept->all<wire::Applied>();
        QCOMPARE(applied.size(), std::size_t{1});
        QCOMPARE(applied.front().command, wire::Command::Stop);
        QCOMPARE(applied.front().step, result.goodbye.step + 1);
        QCOMPARE(result.kept->rows().step.back(), result.goodbye.step);
    }

    void pauseStopsTheClock()
    {
        // Paused at the first rows, resumed by the answer to the pause: at least the time between two flushes.
        bool isAsked = false;
        const auto answer = [&](const wire::Message& message) -> std::vector<wire::Control> {
            if (!isAsked && firstRowStep(message) > 0) {
                isAsked = true;
                return {{.command = wire::Command::Pause}};
            }
            const auto* applied = std::get_if<wire::Applied>(&message);
            if (applied != nullptr && applied->command == wire::Command::Pause) {
                QTest::qSleep(300); // the sending thread: what makes the pause this long
                return {{.command = wire::Command::Resume}};
            }
            return applied != nullptr ? std::vector{wire::Control{.command = wire::Command::Stop}}
                                      : std::vector<wire::Control>{};
        };
        const TrainedRank result = trainedAlone(runOf(quick({{"train.epochs", "100000"}})), answer);
        const auto applied = result.kept->all<wire::Applied>();
        QCOMPARE(applied.size(), std::size_t{3});
        QCOMPARE(applied[0].command, wire::Command::Pause);
        QCOMPARE(applied[1].command, wire::Command::Resume);
        QCOMPARE(applied[0].step, applied[1].step);
        const std::int64_t pausedNs = applied[1].timeNs - applied[0].timeNs;
        QVERIFY(pausedNs >= 300'000'000);
        const auto rows = result.kept->rows();
        const auto at = static_cast<std::size_t>(applied[0].step - 1);
        QVERIFY(rows.endNs[at] - rows.endNs[at - 1] >= pausedNs);
        QVERIFY(rows.wallNs[at] < rows.endNs[at] - rows.endNs[at - 1] - pausedNs / 2);
    }

    void badInputIsRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::addRow("no GPU") << "device"
                                << "cuda:0"
                                << "device: cuda:0 ";
        QTest::addRow("no GPU by hand") << "device.gpus"
                                        << "0,1"
                                        << "device.gpus: cuda:0 ";
        QTest::addRow("no GPU for NCCL") << "comm.backend"
                                         << "nccl"
                                         << "comm.backend: nccl";
        QTest::addRow("no folder") << "dataset.path"
                                   << "/nowhere/at/all"
                                   << "dataset.path: the folder \"/nowhere/at/all\" does not exist";
    }

    void badInputIsRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, message);
        std::vector<experiment::Override> overrides{{name.toStdString(), value.toStdString()}};
        if (name == "dataset.path") {
            overrides.push_back({"dataset.name", "mnist"});
        }
        if (name == "comm.backend") {
            overrides.insert(overrides.end(), {{"strategy.name", "data"}, {"world_size", "1"}});
        }
        const TrainedRank result = trainedAlone(runOf(overrides));
        if (result.goodbye.outcome == wire::Outcome::Finished && name != "dataset.path") {
            QSKIP("this LibTorch has a GPU");
        }
        QCOMPARE(result.goodbye.outcome, wire::Outcome::Refused);
        QVERIFY2(QString::fromStdString(result.goodbye.message).startsWith(message), result.goodbye.message.c_str());
    }
};

LOCKSTEP_TEST(TestTraining)
#include "test_training.moc"
