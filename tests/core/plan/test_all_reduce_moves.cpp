// What the messages of an all-reduce carry: as many as the cost model counts, and every rank ends with every rank's
// sum.
#include "plan/all_reduce_messages.h"
#include "plan/all_reduce_moves.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace lockstep::plan;

class TestAllReduceMoves : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankEndsWithTheWholeSum_data()
    {
        QTest::addColumn<std::string>("algorithm");
        QTest::addColumn<int>("ranks");
        for (const char* algorithm : {"ring", "tree", "halving_doubling", "parameter_server"}) {
            for (const int ranks : {2, 3, 4, 5, 7, 8, 16}) {
                QTest::addRow("%s of %d", algorithm, ranks) << std::string(algorithm) << ranks;
            }
        }
    }

    void everyRankEndsWithTheWholeSum()
    {
        QFETCH(std::string, algorithm);
        QFETCH(int, ranks);
        const AllReduceMoves moves = allReduceMoves(algorithm, ranks);
        const MessageSteps messages = allReduceMessages(algorithm, ranks);
        QCOMPARE(moves.ranks(), ranks);
        for (std::size_t rank = 0; rank < messages.size(); ++rank) {
            const auto& own = moves.byRank[rank];
            QCOMPARE(own.size(), messages[rank].size());
            std::vector<int> sums(static_cast<std::size_t>(moves.chunks), 1);
            for (std::size_t i = 0; i < own.size(); ++i) {
                const AllReduceMove& move = own[i];
                QCOMPARE(move.to, messages[rank][i].to);
                QCOMPARE(move.from, messages[rank][i].from);
                QCOMPARE(double(move.sends.end - move.sends.begin) / moves.chunks, messages[rank][i].sent);
                QCOMPARE(double(move.receives.end - move.receives.begin) / moves.chunks, messages[rank][i].received);
                for (int chunk = move.receives.begin; chunk < move.receives.end; ++chunk) {
                    int& sum = sums[static_cast<std::size_t>(chunk)];
                    QVERIFY(move.contributions > sum);
                    QVERIFY(move.adds || move.contributions == ranks);
                    sum = move.contributions;
                }
            }
            QVERIFY(std::ranges::all_of(sums, [ranks](int sum) { return sum == ranks; }));
        }
    }

    void othersHaveNone()
    {
        QCOMPARE(allReduceMoves("all_reduce", 4).ranks(), 0);
        QCOMPARE(allReduceMoves("ring", 1).ranks(), 0);
    }
};

LOCKSTEP_TEST(TestAllReduceMoves)
#include "test_all_reduce_moves.moc"
