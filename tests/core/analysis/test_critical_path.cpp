// The critical path of made-up steps, and the figures that a summary takes from it.
#include "analysis/timing/critical_path.h"
#include "analysis/timing/summary.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

QString textOf(const std::vector<PathPiece>& path)
{
    QStringList pieces;
    for (const PathPiece& piece : path) {
        pieces << QStringLiteral("%1 %2 %3-%4")
                      .arg(piece.rank)
                      .arg(QString::fromLatin1(nameOf(piece.phase).data()))
                      .arg(piece.startNs)
                      .arg(piece.endNs);
    }
    return pieces.join(QStringLiteral(", "));
}

/// Data parallelism: rank 1 computes longer, rank 0 waits for it, then both communicate and update.
std::vector<RankPathSpans> straggling()
{
    return {{0,
                {{Phase::Forward, 0, 10}, {Phase::Backward, 10, 30}, {Phase::Wait, 30, 50},
                    {Phase::Communicate, 50, 60}, {Phase::Optimize, 60, 66}}},
        {1,
            {{Phase::Forward, 0, 20}, {Phase::Backward, 20, 50}, {Phase::Communicate, 50, 59},
                {Phase::Optimize, 59, 64}}}};
}

} // namespace

class TestCriticalPath : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePathLeadsThroughTheSlowRank()
    {
        QCOMPARE(textOf(criticalPath(straggling())),
            QStringLiteral("1 forward 0-20, 1 backward 20-50, 0 communicate 50-60, 0 optimize 60-66"));
        QVERIFY(criticalPath({}).empty());
    }

    void aPipelinesPathGoesToItsLastStageAndBack()
    {
        const std::vector<RankPathSpans> ranks{
            {0,
                {{Phase::Forward, 0, 10}, {Phase::Communicate, 10, 11}, {Phase::Wait, 11, 31},
                    {Phase::Communicate, 31, 32}, {Phase::Backward, 32, 50}}},
            {1,
                {{Phase::Wait, 0, 10}, {Phase::Communicate, 10, 12}, {Phase::Forward, 12, 20},
                    {Phase::Backward, 20, 31}, {Phase::Communicate, 31, 33}}}};
        QCOMPARE(textOf(criticalPath(ranks)),
            QStringLiteral("0 forward 0-10, 1 communicate 10-12, 1 forward 12-20, 1 backward 20-31, "
                           "0 communicate 31-32, 0 backward 32-50"));
    }

    void aWaitThatNoRankEndsIsOnThePath()
    {
        const std::vector<RankPathSpans> alone{{0, {{Phase::Forward, 0, 10}, {Phase::Wait, 10, 20}}}, {1, {}}};
        QCOMPARE(textOf(criticalPath(alone)), QStringLiteral("0 forward 0-10, 0 wait 10-20"));
    }

    void theLengthIsThatOfTheStep()
    {
        // Random steps of four ranks with one collective: compute until it, then communicate and update.
        std::uint64_t state = 7;
        const auto below = [&state](std::int64_t bound) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            return static_cast<std::int64_t>(state >> 33) % bound;
        };
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<RankPathSpans> ranks;
            std::int64_t meet = 0;
            for (int rank = 0; rank < 4; ++rank) {
                const std::int64_t computed = 1 + below(1000);
                ranks.push_back({rank, {{Phase::Backward, 0, computed}}});
                meet = std::max(meet, computed);
            }
            std::int64_t end = 0;
            for (RankPathSpans& rank : ranks) {
                if (rank.spans.back().endNs < meet) {
                    rank.spans.push_back({Phase::Wait, rank.spans.back().endNs, meet});
                }
                const std::int64_t until = meet + 1 + below(100);
                rank.spans.push_back({Phase::Communicate, meet, until});
                end = std::max(end, until);
            }
            PathSums sums;
            sums.add(criticalPath(ranks));
            QCOMPARE(static_cast<std::int64_t>(sums.wholeNs()), end);
            QCOMPARE(static_cast<std::int64_t>(sums.phaseNs[static_cast<std::size_t>(Phase::Backward)]), meet);
        }
    }

    void theSummaryHasItsFigures()
    {
        SummaryBuilder builder(2);
        constexpr std::int64_t Ms = 1'000'000;
        for (std::int64_t step = 1; step <= 30; ++step) {
            for (const RankPathSpans& rank : straggling()) {
                std::int64_t communicated = 0;
                std::int64_t waited = 0;
                for (const PathSpan& span : rank.spans) {
                    const std::int64_t start = (step * 100 + span.startNs) * Ms;
                    builder.addSpan(rank.rank, step, span.phase, start, (span.endNs - span.startNs) * Ms, -1);
                    communicated += span.phase == Phase::Communicate ? (span.endNs - span.startNs) * Ms : 0;
                    waited += span.phase == Phase::Wait ? (span.endNs - span.startNs) * Ms : 0;
                }
                StepRow row{.step = step, .endNs = (step + 1) * 100 * Ms, .wallNs = 100 * Ms, .samples = step};
                row.phaseNs[static_cast<std::size_t>(Phase::Communicate)] = communicated;
                row.phaseNs[static_cast<std::size_t>(Phase::Wait)] = waited;
                static_cast<void>(builder.addStep(rank.rank, row));
            }
        }
        const Summary summary = builder.summary();
        QCOMPARE(summary.criticalCommMsPerStep, 10.0);
        QCOMPARE(summary.criticalRank, 1.0);
        QCOMPARE(summary.criticalShare, 50.0 / 66.0);
        QCOMPARE(summary.exposedMsPerStep, (10.0 + 20.0 + 9.0) / 2.0);
    }

    void stepsWithoutARanksSpansAreLeftOut()
    {
        CriticalPathBuilder builder(2);
        for (std::int64_t step = 1; step <= 3; ++step) {
            builder.add(0, step, Phase::Forward, step * 10, 10);
            if (step != 2) {
                builder.add(1, step, Phase::Forward, step * 10, 10);
            }
        }
        QCOMPARE(builder.sums().steps, 1);
    }

    /// On a GPU a batch of steps is joined before the ranks' own spans of them have come.
    void joinedSpansMayComeFirst()
    {
        const auto sumsOf = [](bool isJoinedFirst) {
            CriticalPathBuilder builder(2);
            const auto joined = [&](std::int64_t step) {
                builder.add(0, step, Phase::Wait, step * 100 + 60, 20);
                builder.add(0, step, Phase::Communicate, step * 100 + 80, 10);
                builder.add(1, step, Phase::Communicate, step * 100 + 80, 10);
            };
            const auto own = [&](std::int32_t rank, std::int64_t step) {
                builder.add(rank, step, Phase::Backward, step * 100, rank == 0 ? 60 : 80);
            };
            for (std::int64_t batch = 0; batch < 8; ++batch) {
                for (std::int64_t step = 5 * batch + 1; step <= 5 * batch + 5; ++step) {
                    if (isJoinedFirst) {
                        joined(step);
                    } else {
                        own(0, step);
                        own(1, step);
                        joined(step);
                    }
                }
                for (std::int64_t step = 5 * batch + 1; isJoinedFirst && step <= 5 * batch + 5; ++step) {
                    own(0, step);
                }
                for (std::int64_t step = 5 * batch + 1; isJoinedFirst && step <= 5 * batch + 5; ++step) {
                    own(1, step);
                }
            }
            const PathSums& sums = builder.sums();
            return std::pair(sums.phaseNs[static_cast<std::size_t>(Phase::Backward)] / static_cast<double>(sums.steps),
                sums.rankNs.at(1) / sums.wholeNs());
        };
        QCOMPARE(sumsOf(false).first, 80.0);
        QCOMPARE(sumsOf(true), sumsOf(false));
    }
};

LOCKSTEP_TEST(TestCriticalPath)
#include "test_critical_path.moc"
