// The ring's arithmetic, carried out with sets of ranks in place of numbers.
#include "plan/ring.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <vector>

using namespace lockstep;
using plan::RingMove;

class TestRingPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankEndsWithEverySum_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 4, 5, 8, 16}) {
            QTest::addRow("%d ranks", ranks) << ranks;
        }
    }

    void everyRankEndsWithEverySum()
    {
        QFETCH(int, ranks);
        const auto p = static_cast<std::size_t>(ranks);
        // held[rank][chunk]: whose values are summed there.
        std::vector<std::vector<std::set<int>>> held(p, std::vector<std::set<int>>(p));
        for (std::size_t rank = 0; rank < p; ++rank) {
            for (std::set<int>& chunk : held[rank]) {
                chunk = {static_cast<int>(rank)};
            }
        }
        for (int number = 0; number < 2 * (ranks - 1); ++number) {
            const auto before = held;
            for (int rank = 0; rank < ranks; ++rank) {
                const RingMove move = plan::ringMove(rank, ranks, number);
                const int previous = (rank + ranks - 1) % ranks;
                QCOMPARE(plan::ringMove(previous, ranks, number).sends, move.receives);
                const auto chunk = static_cast<std::size_t>(move.receives);
                std::set<int>& mine = held[static_cast<std::size_t>(rank)][chunk];
                const std::set<int>& comes = before[static_cast<std::size_t>(previous)][chunk];
                if (move.phase == RingMove::Phase::AllGather) {
                    QCOMPARE(comes.size(), p);
                    mine.clear();
                } else {
                    // No rank's values are added twice.
                    QVERIFY(std::ranges::none_of(comes, [&](int each) { return mine.contains(each); }));
                }
                mine.insert(comes.begin(), comes.end());
                QCOMPARE(static_cast<int>(mine.size()), move.contributions);
            }
        }
        for (const auto& chunks : held) {
            QVERIFY(std::ranges::all_of(chunks, [&](const std::set<int>& each) { return each.size() == p; }));
        }
    }

    void phasesFollowEachOther()
    {
        QCOMPARE(plan::ringMove(0, 4, 0), (RingMove{RingMove::Phase::ReduceScatter, 0, 0, 3, 2}));
        QCOMPARE(plan::ringMove(1, 4, 2), (RingMove{RingMove::Phase::ReduceScatter, 2, 3, 2, 4}));
        QCOMPARE(plan::ringMove(1, 4, 3), (RingMove{RingMove::Phase::AllGather, 0, 2, 1, 4}));
        QCOMPARE(plan::ringMove(3, 4, 5), (RingMove{RingMove::Phase::AllGather, 2, 2, 1, 4}));
    }
};

LOCKSTEP_TEST(TestRingPlan)
#include "test_ring_plan.moc"
