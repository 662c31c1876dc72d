// Which rank keeps what under ZeRO, and the costs in the paper.
#include "core/engine/run_of.h"
#include "core/plan/formulas.h"
#include "plan/zero.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::plan;

class TestZeroPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bytesOfAParameter_data()
    {
        QTest::addColumn<int>("stage");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("bytes");
        for (const int n : {1, 2, 3, 64}) {
            QTest::addRow("data parallel, %d ranks", n) << 0 << n << 16.0;
            QTest::addRow("stage 1, %d ranks", n) << 1 << n << 8.0 + 8.0 / n;
            QTest::addRow("stage 2, %d ranks", n) << 2 << n << 4.0 + 12.0 / n;
            QTest::addRow("stage 3, %d ranks", n) << 3 << n << 16.0 / n;
        }
    }

    void bytesOfAParameter()
    {
        QFETCH(int, stage);
        QFETCH(int, ranks);
        QFETCH(double, bytes);
        constexpr std::int64_t Parameters = 192'000; // which all these ranks divide
        const MemoryBytes found = stateBytes(
            Parameters, 4, optimizerNumbers(experiment::OptimizerName::Adam), static_cast<ZeroStage>(stage), ranks);
        QCOMPARE(static_cast<double>(statesOf(found)) / Parameters, bytes);
        QCOMPARE(of(found, MemoryKind::Optimizer), 8 * Parameters / (stage == 0 ? 1 : ranks));
    }

    void optimizersKeepDifferentNumbers()
    {
        QCOMPARE(statesOf(stateBytes(1, 8, optimizerNumbers(experiment::OptimizerName::Sgd), ZeroStage::None, 4)),
            std::int64_t{16});
        QCOMPARE(
            statesOf(stateBytes(4, 4, optimizerNumbers(experiment::OptimizerName::Momentum), ZeroStage::Parameters, 4)),
            std::int64_t{12});
        QCOMPARE(optimizerNumbers(experiment::OptimizerName::AdamW), 2);
        QCOMPARE(optimizerNumbers(experiment::OptimizerName::Nesterov), 1);
        QCOMPARE(optimizerNumbers(experiment::OptimizerName::Gd), 0);
    }

    void theThirdStageSendsHalfAsMuchAgain()
    {
        for (const int ranks : {2, 3, 64}) {
            const double data = tests::numbersSent(ZeroStage::None, ranks, 1'000'000);
            QCOMPARE(data, 2e6 * (ranks - 1) / ranks);
            QCOMPARE(tests::numbersSent(ZeroStage::OptimizerState, ranks, 1'000'000), data);
            QCOMPARE(tests::numbersSent(ZeroStage::Gradients, ranks, 1'000'000), data);
            QCOMPARE(tests::numbersSent(ZeroStage::Parameters, ranks, 1'000'000), 1.5 * data);
            // All that stays from forward to backward: gathered once, as in the stages before.
            QCOMPARE(tests::numbersSent(ZeroStage::Parameters, ranks, 1'000'000, 1'000'000), data);
        }
        QCOMPARE(tests::numbersSent(ZeroStage::Parameters, 1, 1'000'000), 0.0);
        // Of four micro-batches each gradient is added up, of stage 1 only their sum.
        QCOMPARE(tests::numbersSent(ZeroStage::OptimizerState, 2, 1'000'000, 0, 4), 1e6);
        QCOMPARE(tests::numbersSent(ZeroStage::Gradients, 2, 1'000'000, 0, 4), 2.5e6);
        QCOMPARE(tests::numbersSent(ZeroStage::Parameters, 2, 1'000'000, 200'000, 4), 5.6e6);
    }

    void piecesCoverTheBufferAndRanksDivideThem()
    {
        for (const int ranks : {1, 2, 3, 7, 64}) {
            for (const std::int64_t most : {1, 100, 1000, 1'000'000}) {
                const std::int64_t total = roundedUp(12'345, ranks);
                std::int64_t next = 0;
                for (const Slice& piece : piecesOf(total, ranks, most)) {
                    QCOMPARE(piece.first, next);
                    QVERIFY(piece.count > 0 && piece.count % ranks == 0);
                    QVERIFY(piece.count <= std::max<std::int64_t>(most, ranks));
                    for (int rank = 0; rank < ranks; ++rank) {
                        const Slice own = shardOf(piece, rank, ranks);
                        QCOMPARE(own.first, next);
                        next += own.count;
                    }
                }
                QCOMPARE(next, total);
            }
        }
    }

    void whatSlicesHaveInCommon()
    {
        const auto check = [](const Slice& a, const Slice& b, std::int64_t first, std::int64_t count) {
            QCOMPARE(common(a, b).count, count);
            QCOMPARE(common(b, a).count, count);
            if (count > 0) {
                QCOMPARE(common(a, b).first, first);
                QCOMPARE(common(b, a).first, first);
            }
        };
        check({0, 10}, {3, 4}, 3, 4);
        check({0, 10}, {8, 4}, 8, 2);
        check({0, 10}, {10, 4}, 0, 0);
        check({5, 0}, {0, 10}, 0, 0);
    }

    void theStageIsThatOfTheStrategy()
    {
        QCOMPARE(zeroStage(runOf({{"strategy.name", "zero"}, {"zero.stage", "2"}})), ZeroStage::Gradients);
        QCOMPARE(zeroStage(runOf({{"strategy.name", "zero"}})), ZeroStage::OptimizerState);
        QCOMPARE(zeroStage(runOf({{"strategy.name", "data"}})), ZeroStage::None);
    }
};

LOCKSTEP_TEST(TestZeroPlan)
#include "test_zero_plan.moc"
