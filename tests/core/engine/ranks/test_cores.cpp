// Which cores a rank is bound to: as many as it has threads, whatever the number of ranks.
#include "engine/ranks/devices/cores.h"
#include "program/test_class.h"

#include <QTest>

#include <vector>

using lockstep::engine::coresOfRank;

class TestCores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunOfOneProcessHasTheCoresOfRank0()
    {
        for (const int ranks : {1, 2, 4}) {
            QCOMPARE(coresOfRank(0, ranks, 1, Four), (std::vector<int>{2}));
        }
        QCOMPARE(coresOfRank(0, 1, 2, Four), (std::vector<int>{2, 3}));
        QCOMPARE(coresOfRank(0, 2, 2, Four), (std::vector<int>{2, 3}));
    }

    void ranksHaveCoresOfTheirOwnWhileThereAreEnough()
    {
        for (int rank = 0; rank < 4; ++rank) {
            QCOMPARE(coresOfRank(rank, 4, 1, Four), (std::vector<int>{Four[static_cast<std::size_t>(rank)]}));
        }
        QCOMPARE(coresOfRank(1, 2, 2, Four), (std::vector<int>{6, 7}));
    }

    void moreRanksShareCoresEquallyOrNotAtAll()
    {
        for (int rank = 0; rank < 8; ++rank) {
            QCOMPARE(coresOfRank(rank, 8, 1, Four), (std::vector<int>{Four[static_cast<std::size_t>(rank % 4)]}));
        }
        QVERIFY(coresOfRank(0, 6, 1, Four).empty());
        QVERIFY(coresOfRank(0, 4, 2, Four).empty());
        QVERIFY(coresOfRank(0, 1, 8, Four).empty());
        QVERIFY(coresOfRank(0, 1, 1, {}).empty());
    }

private:
    const std::vector<int> Four{2, 3, 6, 7};
};

LOCKSTEP_TEST(TestCores)
#include "test_cores.moc"
