// The clocks of ranks on several hosts, against rank 0's.
#include "analysis/timing/rank_clocks.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

constexpr std::int64_t SecondNs = 1'000'000'000;

} // namespace

class TestRankClocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneClockNeedsNothing()
    {
        RankClocks clocks;
        QVERIFY(!clocks.isNeeded());
        QVERIFY(!clocks.at(0, SecondNs));
        clocks.add({0, 1}, {SecondNs, 0, 0}, 0);
        QVERIFY(!clocks.isNeeded());
        QCOMPARE(*clocks.at(1, 5 * SecondNs), (ClockReading{5 * SecondNs, 0, 0}));
        QVERIFY(clocks.others().empty());
    }

    void aRankIsOnRankZerosClock()
    {
        RankClocks clocks;
        clocks.add({0, 1}, {SecondNs, 0, 0}, 0);
        clocks.add({2, 3}, {20 * SecondNs, -11 * SecondNs, 40'000}, 50);
        clocks.add({2, 3}, {30 * SecondNs, -11 * SecondNs + 2'000, 20'000}, 50);
        QVERIFY(clocks.isNeeded());
        for (const std::int32_t rank : {2, 3}) {
            const auto at = clocks.at(rank, 25 * SecondNs);
            QVERIFY(at);
            QCOMPARE(at->offsetNs, -11 * SecondNs + 1'000);
            QVERIFY(at->errorNs >= 30'000 && at->errorNs < 34'000);
        }
        QVERIFY(!clocks.at(4, 25 * SecondNs)); // it was not measured
        const auto others = clocks.others();
        QCOMPARE(others.size(), std::size_t{1});
        QCOMPARE(others.front().ranks, (std::vector<std::int32_t>{2, 3}));
        QCOMPARE(others.front().aheadNs, 11 * SecondNs - 2'000);
        QCOMPARE(others.front().measurements, 2);
        QVERIFY(others.front().errorNs >= 40'000);
    }

    /// The store may be on another host than rank 0: then both are measured against it.
    void theClockOfAllMayBeAThirdOne()
    {
        // The third clock is 7 s ahead of rank 0's, which drifts by 20 ppm, and 4 s behind rank 1's.
        RankClocks clocks;
        for (const std::int64_t at : {100, 160, 220}) {
            clocks.add({0}, {at * SecondNs, 7 * SecondNs + (at - 100) * 20'000, 10'000}, 50);
            clocks.add({1}, {(at + 11) * SecondNs, -4 * SecondNs, 15'000}, 50);
        }
        clocks.add({2}, {SecondNs, 0, 0}, 0);
        for (const std::int64_t at : {100, 130, 200}) {
            // What rank 1's clock shows when rank 0's shows `at`.
            const std::int64_t own = (at + 11) * SecondNs + (at - 100) * 20'000;
            const auto offset = clocks.at(1, own);
            QVERIFY(offset);
            const std::int64_t off = own + offset->offsetNs - at * SecondNs;
            QVERIFY2(std::abs(off) <= 2, qPrintable(QString::number(off)));
            QVERIFY(offset->errorNs >= 25'000 && offset->errorNs < 100'000);
        }
        QVERIFY(clocks.isNeeded());
        // That of all is as well known as rank 0's host measured it.
        const auto others = clocks.others();
        QCOMPARE(others.size(), std::size_t{2});
        QCOMPARE(others[1].ranks, std::vector<std::int32_t>{2});
        QCOMPARE(others[1].measurements, 3);
        QCOMPARE(others[1].aheadNs, 7 * SecondNs + 120 * 20'000);
        QVERIFY(others[1].errorNs > 20'000 && others[1].errorNs < 30'000);
    }

    /// Over ssh the workbench moves a host's times by a constant before it looks at them, the samples' times, too.
    void timesMayHaveBeenMovedOnTheWay()
    {
        constexpr std::int64_t Moved = 3 * SecondNs;
        RankClocks clocks;
        clocks.add({0}, {100 * SecondNs + Moved, 7 * SecondNs - Moved, 10'000}, 50);
        clocks.add({0}, {200 * SecondNs + Moved, 7 * SecondNs - Moved, 10'000}, 50);
        clocks.add({1}, {107 * SecondNs - Moved, Moved, 0}, 0);
        const auto offset = clocks.at(1, 157 * SecondNs - Moved);
        QVERIFY(offset);
        QCOMPARE(157 * SecondNs - Moved + offset->offsetNs, 150 * SecondNs + Moved);
        QVERIFY(offset->errorNs < 40'000);
        QCOMPARE(clocks.others().front().measurements, 2);
        QCOMPARE(clocks.others().front().aheadNs, 7 * SecondNs - 2 * Moved);
        QVERIFY(clocks.others().front().errorNs < 40'000);
    }

    void withoutRankZerosClockNothingIsMoved()
    {
        RankClocks clocks;
        clocks.add({1}, {SecondNs, -11 * SecondNs, 40'000}, 50);
        QVERIFY(!clocks.isNeeded());
        QVERIFY(!clocks.at(1, SecondNs));
        QVERIFY(clocks.others().empty());
    }

    /// A file may say anything.
    void whatNoHostMeasuresIsIgnored()
    {
        constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();
        RankClocks clocks;
        clocks.add({0}, {SecondNs, 0, 0}, 0);
        clocks.add({}, {SecondNs, 1, 1}, 50);
        clocks.add({-1}, {SecondNs, 1, 1}, 50);
        clocks.add({Most}, {SecondNs, 1, 1}, 50);
        clocks.add({1}, {Most, 1, 1}, 50);
        clocks.add({1}, {SecondNs, std::numeric_limits<std::int64_t>::min(), 1}, 50);
        clocks.add({1}, {SecondNs, 1, Most}, 50);
        QVERIFY(!clocks.isNeeded());
        clocks.add({1}, {1, Most / 64, 1}, 50);
        clocks.add({1}, {2, -Most / 64, Most / 64}, 50);
        clocks.add({1}, {3, 0, 0}, 50);
        for (const std::int64_t at : {Most, std::int64_t{0}, Most / 64, -Most / 64, std::int64_t{2}}) {
            static_cast<void>(clocks.at(1, at)); // without overflow
        }
        QVERIFY(!clocks.at(1, Most));
        QVERIFY(clocks.at(1, 2));
    }
};

LOCKSTEP_TEST(TestRankClocks)
#include "test_rank_clocks.moc"
