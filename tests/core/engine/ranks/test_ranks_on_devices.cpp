// Several ranks whose steps run asynchronously, on the tests' delayed time line; the timing mode; and fewer digits
// among several ranks.
#include "core/engine/run/late_marks.h"
#include "core/engine/strategy/trained_ranks.h"
#include "engine/strategy/data/measure_cost.h"
#include "program/test_class.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

constexpr std::int64_t KernelNs = 200'000;

std::vector<experiment::Override> twoRanks(std::vector<experiment::Override> more = {})
{
    std::vector<experiment::Override> overrides{{"strategy.name", "data"}, {"world_size", "2"},
        {"dataset.train_samples", "1280"}, {"dataset.test_samples", "100"}, {"train.batch", "64"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return overrides;
}

Extras late(int ranks)
{
    Extras extras;
    for (int rank = 0; rank < ranks; ++rank) {
        extras.hooks[rank].marks = [] { return std::make_unique<LateMarks>(KernelNs); };
    }
    return extras;
}

std::vector<std::int64_t> phaseOf(const TrainedRank& rank, Phase phase)
{
    return rank.kept->rows().phaseNs[static_cast<std::size_t>(phase)];
}

} // namespace

class TestRanksOnDevices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void lateDevicesChangeNoNumber()
    {
        const auto run = runOf(twoRanks());
        const auto plain = trainedRanks(run, 2);
        const auto behind = trainedRanks(run, 2, late(2));
        QCOMPARE(behind[0].goodbye.message, std::string());
        QVERIFY(lossesOf(plain).size() >= 20);
        QCOMPARE(lossesOf(behind), lossesOf(plain));
        for (const TrainedRank& rank : behind) {
            for (const std::int64_t arrival : rank.kept->rows().arrivalNs) {
                QVERIFY(arrival > 0);
            }
        }
    }

    void aStopComesAtTheSameStep()
    {
        Extras extras = late(2);
        bool isAsked = false;
        extras.answer = [&](const wire::Message& message) {
            const bool isRow = std::holds_alternative<wire::StepBatch>(message);
            return isRow && !std::exchange(isAsked, true) ? std::vector<wire::Control>{{.command = wire::Command::Stop}}
                                                          : std::vector<wire::Control>{};
        };
        const auto ranks = trainedRanks(runOf(twoRanks({{"train.epochs", "500"}})), 2, extras);
        for (const TrainedRank& rank : ranks) {
            QCOMPARE(rank.goodbye.outcome, wire::Outcome::Stopped);
            QCOMPARE(rank.goodbye.step, ranks[0].goodbye.step);
            QCOMPARE(static_cast<std::int64_t>(rank.kept->rows().size()), rank.goodbye.step);
        }
    }

    void aStragglerIsStretchedByItsDevicesTime()
    {
        const auto ranks = trainedRanks(
            runOf(twoRanks({{"straggler.ranks", "1"}, {"straggler.delay_ms", "8"}, {"train.steps", "12"}})), 2,
            late(2));
        QCOMPARE(ranks[1].goodbye.message, std::string());
        const KeptRows slow = ranks[1].kept->rows();
        QCOMPARE(slow.size(), std::size_t{12});
        for (std::size_t i = 1; i < slow.size(); ++i) {
            QVERIFY2(slow.wallNs[i] >= 8'000'000, qPrintable(QString::number(slow.wallNs[i])));
        }
    }

    void measuringTellsWaitingFromTransferring()
    {
        const auto overrides = twoRanks(
            {{"train.steps", "128"}, {"train.epochs", "10"}, {"straggler.ranks", "1"}, {"straggler.delay_ms", "2"}});
        auto measured = overrides;
        measured.push_back({"measure.mode", "measure"});
        const auto plain = trainedRanks(runOf(overrides), 2);
        const auto ranks = trainedRanks(runOf(measured), 2);
        QCOMPARE(ranks[0].goodbye.message, std::string());
        QCOMPARE(lossesOf(ranks), lossesOf(plain));
        const auto waits = phaseOf(ranks[0], Phase::Wait);
        QCOMPARE(waits.size(), std::size_t{128});
        // Rank 0 waits for the slow one: in the barrier, or without it within the communication, which tells as well.
        std::array<std::vector<std::int64_t>, 2> byKind;
        for (std::size_t i = 0; i < waits.size(); ++i) {
            byKind[MeasureCost::isMeasured(static_cast<std::int64_t>(i) + 1) ? 1 : 0].push_back(waits[i]);
        }
        for (std::vector<std::int64_t>& each : byKind) {
            std::sort(each.begin(), each.end());
            QVERIFY2(each[each.size() / 2] > 1'000'000, qPrintable(QString::number(each[each.size() / 2])));
        }
        bool isKnown = false;
        for (const wire::LogLine& line : ranks[0].kept->all<wire::LogLine>()) {
            isKnown = isKnown || line.text.find("ms per step with barriers") != std::string::npos;
        }
        QVERIFY(isKnown);
    }

    void aShortRunSaysThatItsCostIsUnknown()
    {
        MeasureCost cost;
        cost.add(2, 1'000'000);
        QVERIFY(cost.report().english.starts_with("the cost of measuring is unknown"));
        for (std::int64_t step = 1; step <= 128; ++step) {
            cost.add(step, MeasureCost::isMeasured(step) ? 1'200'000 : 1'000'000);
        }
        QVERIFY2(cost.report().english.find("+20.0 %") != std::string::npos, cost.report().english.c_str());
    }

    void fewerDigitsAmongSeveralRanks_data()
    {
        QTest::addColumn<QString>("settings");
        for (const char* settings : {"strategy.name=data", "strategy.name=data comm.form=buckets",
                 "strategy.name=zero zero.stage=3", "strategy.name=pipeline net.name=deep-mlp",
                 "strategy.name=tensor net.name=deep-mlp", "strategy.name=tensor net.name=gpt dataset.name=text"}) {
            QTest::newRow(settings) << QString(settings);
        }
    }

    void fewerDigitsAmongSeveralRanks()
    {
        QFETCH(QString, settings);
        auto overrides = withSettings({}, settings);
        if (settings.startsWith("strategy.name=data") || settings.startsWith("strategy.name=zero")) {
            overrides.push_back({"world_size", "2"});
        }
        for (const auto& more : std::vector<experiment::Override>{{"train.steps", "25"},
                 {"dataset.train_samples", "640"}, {"dataset.test_samples", "64"}, {"train.batch", "32"}}) {
            overrides.push_back(more);
        }
        auto rounded = overrides;
        rounded.push_back({"train.precision", "bfloat16"});
        const auto lastLoss = [](const std::vector<TrainedRank>& ranks) {
            double sum = 0.0;
            double samples = 0.0;
            for (const TrainedRank& rank : ranks) {
                const KeptRows rows = rank.kept->rows();
                sum += rows.batch.back() > 0 ? rows.loss.back() * static_cast<double>(rows.batch.back()) : 0.0;
                samples += static_cast<double>(rows.batch.back());
            }
            return sum / samples;
        };
        const auto exact = trainedRanks(runOf(overrides), 2);
        const auto few = trainedRanks(runOf(rounded), 2);
        QCOMPARE(QString::fromStdString(exact[0].goodbye.message), QString());
        QCOMPARE(QString::fromStdString(few[0].goodbye.message), QString());
        QCOMPARE(QString::fromStdString(few[1].goodbye.message), QString());
        const double difference = std::abs(lastLoss(few) - lastLoss(exact));
        QVERIFY2(difference > 0.0 && difference < 0.1, qPrintable(QString::number(difference)));
    }
};

LOCKSTEP_TEST(TestRanksOnDevices)
#include "test_ranks_on_devices.moc"
