// A straggler under every strategy: where its time goes, and that the others wait for it.
#include "core/engine/strategy/trained_ranks.h"
#include "engine/strategy/model_parallel/pipeline/pipeline_transport.h"
#include "program/sanitizer.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int StraggledSteps = 12;
constexpr std::size_t Warm = 2; ///< steps that are not counted

struct Strategy {
    const char* settings;
    int ranks;
};

constexpr Strategy Strategies[]
    = {{"strategy.name=data", 2}, {"strategy.name=data comm.form=buckets", 2}, {"strategy.name=local local.every=1", 2},
        {"strategy.name=zero zero.stage=1", 2}, {"strategy.name=zero zero.stage=2", 2},
        {"strategy.name=zero zero.stage=3 train.accumulate=2", 2}, {"strategy.name=pipeline pipeline.stages=2", 2},
        {"strategy.name=tensor tensor.size=2", 2}, {"strategy.name=grid grid.data=2 grid.pipeline=2 grid.tensor=1", 4}};

void addStrategies()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("ranks");
    for (const Strategy& strategy : Strategies) {
        QTest::addRow("%s", strategy.settings) << QString(strategy.settings) << strategy.ranks;
    }
}

std::vector<KeptRows> rowsOf(const QString& settings, int ranks)
{
    const auto run = runOf(withSettings(
        {{"world_size", std::to_string(ranks)}, {"dataset.train_samples", "768"}, {"dataset.test_samples", "16"},
            {"train.batch", "64"}, {"train.steps", std::to_string(StraggledSteps)}, {"net.name", "deep-mlp"},
            {"net.depth", "4"}, {"net.hidden", "256"}, {"rank.bind", "false"}},
        settings));
    std::vector<KeptRows> rows;
    for (const TrainedRank& rank : trainedRanks(run, ranks)) {
        if (rank.goodbye.outcome != wire::Outcome::Finished) {
            qFatal("%s", rank.goodbye.message.c_str());
        }
        rows.push_back(rank.kept->rows());
    }
    return rows;
}

double meanWaitMs(const KeptRows& rows)
{
    double sum = 0.0;
    for (std::size_t step = Warm; step < rows.size(); ++step) {
        sum += static_cast<double>(rows.phaseNs[static_cast<std::size_t>(Phase::Wait)][step]) / 1e6;
    }
    return sum / static_cast<double>(rows.size() - Warm);
}

double medianMs(const KeptRows& rows, std::initializer_list<Phase> phases)
{
    std::vector<double> ms;
    for (std::size_t step = Warm; step < rows.size(); ++step) {
        double sum = 0.0;
        for (const Phase phase : phases) {
            sum += static_cast<double>(rows.phaseNs[static_cast<std::size_t>(phase)][step]) / 1e6;
        }
        ms.push_back(sum);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

} // namespace

class TestStragglers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aDelayIsWaitedFor_data() { addStrategies(); }

    /// 30 ms a step of the last rank, in its backward; the other ranks' steps take as long, and do not compute longer.
    void aDelayIsWaitedFor()
    {
        if (IsSanitized) {
            QSKIP("a sanitizer's own time is measured with it");
        }
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        const auto rows = rowsOf(settings + QString(" straggler.delay_ms=30 straggler.ranks=%1").arg(ranks - 1), ranks);
        const double slow = medianMs(rows.back(), {Phase::Backward});
        QVERIFY2(slow >= 30.0 && slow < 60.0, qPrintable(QString::number(slow)));
        for (int rank = 0; rank + 1 < ranks; ++rank) {
            const KeptRows& others = rows[static_cast<std::size_t>(rank)];
            const double computes = medianMs(others, {Phase::Forward, Phase::Backward});
            const double waits = medianMs(others, {Phase::Wait});
            QVERIFY2(computes < 20.0, qPrintable(QString("rank %1 computes %2 ms").arg(rank).arg(computes)));
            QVERIFY2(waits > 20.0, qPrintable(QString("rank %1 waits for %2 ms").arg(rank).arg(waits)));
        }
    }

    void theDelayIsWaitingAndNothingElse_data() { addStrategies(); }

    /// The increase of each rank's waiting between blocks of steps without and with the delay of another rank: all of
    /// the delay, since that rank comes last to what all have in common.
    void theDelayIsWaitingAndNothingElse()
    {
        if (IsSanitized) {
            QSKIP("a sanitizer's own time is measured with it");
        }
        constexpr double DelayMs = 30.0;
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        const int blocks = qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 20 : 1;
        const QString straggler = settings + QString(" straggler.ranks=%1 straggler.delay_ms=").arg(ranks - 1);
        std::vector<double> increase(static_cast<std::size_t>(ranks - 1), 0.0);
        const auto isRight = [](double ms) { return std::abs(ms - DelayMs) <= 0.1 * DelayMs; };
        for (int attempt = 0; attempt < 10; ++attempt) { // machines are busy
            std::fill(increase.begin(), increase.end(), 0.0);
            for (int block = 0; block < blocks; ++block) {
                const auto plain = rowsOf(straggler + "0", ranks);
                const auto slow = rowsOf(straggler + QString::number(DelayMs), ranks);
                for (std::size_t rank = 0; rank < increase.size(); ++rank) {
                    increase[rank] += (meanWaitMs(slow[rank]) - meanWaitMs(plain[rank])) / blocks;
                }
            }
            if (std::all_of(increase.begin(), increase.end(), isRight)) {
                break;
            }
        }
        for (std::size_t rank = 0; rank < increase.size(); ++rank) {
            if (blocks > 1) {
                qInfo("rank %zu waits %.2f ms longer", rank, increase[rank]);
            }
            QVERIFY2(isRight(increase[rank]), qPrintable(QString("rank %1: %2 ms").arg(rank).arg(increase[rank])));
        }
    }

    /// Where it cannot be told, the rows say so; everywhere else they do not.
    void onlyCallsOfStagesDoNotTell()
    {
        for (const std::string_view transport : engine::transportNames()) {
            const QString settings = QString("strategy.name=pipeline pipeline.transport=%1").arg(transport.data());
            const KeptRows rows = rowsOf(settings, 2).front();
            for (std::size_t step = 0; step < rows.size(); ++step) {
                QCOMPARE(rows.unattributedNs[step] == 0, transport != "rpc");
            }
        }
    }

    void aFactorStretchesForwardAndBackward_data() { addStrategies(); }

    void aFactorStretchesForwardAndBackward()
    {
        if (IsSanitized) {
            QSKIP("a sanitizer's own time is measured with it");
        }
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        // One rank is compared with itself: its part of the net can be another than the others'.
        const QString slow = settings + QString(" straggler.ranks=%1 straggler.factor=").arg(ranks - 1);
        double times = 0.0;
        for (int attempt = 0; attempt < 3 && (times < 5.0 || times > 25.0); ++attempt) { // machines are busy
            const double plain = medianMs(rowsOf(slow + "1", ranks).back(), {Phase::Forward, Phase::Backward});
            const double stretched = medianMs(rowsOf(slow + "10", ranks).back(), {Phase::Forward, Phase::Backward});
            times = stretched / plain;
        }
        QVERIFY2(times >= 5.0 && times <= 25.0, qPrintable(QString::number(times)));
    }

    /// What is learned stays the same.
    void lossesAreThoseWithoutIt_data() { addStrategies(); }

    void lossesAreThoseWithoutIt()
    {
        QFETCH(QString, settings);
        QFETCH(int, ranks);
        const auto plain = rowsOf(settings, ranks);
        const auto slow = rowsOf(settings + " straggler.delay_ms=2 straggler.factor=3", ranks);
        for (int rank = 0; rank < ranks; ++rank) {
            QCOMPARE(slow[static_cast<std::size_t>(rank)].loss, plain[static_cast<std::size_t>(rank)].loss);
        }
    }
};

LOCKSTEP_TEST(TestStragglers)
#include "test_stragglers.moc"
