// The statistics of runs that took turns, against simulated rounds whose true difference is known.
#include "analysis/statistics/paired_rounds.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <random>
#include <vector>

using namespace lockstep::analysis;

namespace {

/// An autoregressive series: each value is `correlation` times the one before plus noise.
std::vector<double> series(std::mt19937_64& random, std::size_t n, double correlation, double mean, double deviation)
{
    std::normal_distribution<double> noise(0.0, deviation);
    std::vector<double> values;
    double state = noise(random) / std::sqrt(1.0 - correlation * correlation);
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(mean + state);
        state = correlation * state + noise(random);
    }
    return values;
}

} // namespace

class TestPairedRounds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theTrimmedMeanIsTukeysAndMcLaughlins()
    {
        // Ten values, two cut at each end: mean of 3..8; winsorized 3,3,3,4,5,6,7,8,8,8 have the variance 42.5 / 9.
        std::vector<double> values;
        for (const int value : {5, 1, 8, 3, 10, 2, 7, 4, 9, 6}) {
            values.push_back(value * 0.01);
        }
        const RelativeDifference result = differenceOfRounds(values);
        QCOMPARE(result.n, std::size_t{10});
        QCOMPARE(result.merged, std::size_t{1});
        QCOMPARE(result.difference, std::expm1(0.055));
        QVERIFY(neighbourCorrelation(values) < 0.0); // these neighbours differ: nothing widens the interval
        const double half = 2.571 * 0.01 * std::sqrt(42.5 / 9.0) / (0.6 * std::sqrt(10.0));
        QVERIFY(std::fabs(std::log1p(result.high) - (0.055 + half)) < 1e-9);
        QVERIFY(std::fabs(std::log1p(result.low) - (0.055 - half)) < 1e-9);
    }

    void outliersAreTrimmed()
    {
        std::mt19937_64 random(3);
        std::vector<double> values = series(random, 40, 0.0, std::log(1.2), 0.02);
        for (std::size_t i = 0; i < values.size(); i += 8) {
            values[i] += 2.0; // another process took the core in that block
        }
        const RelativeDifference result = differenceOfRounds(values);
        QVERIFY2(result.low < 0.2 && result.high > 0.2, qPrintable(QString::number(result.difference)));
        QVERIFY2(result.halfWidth() < 0.03, qPrintable(QString::number(result.halfWidth())));
        QVERIFY(!result.holdsZero());
    }

    void theIntervalHoldsTheTruthAsOftenAsItSays_data()
    {
        QTest::addColumn<double>("correlation");
        QTest::addColumn<int>("rounds");
        QTest::addColumn<double>("least");
        QTest::addRow("independent, 40") << 0.0 << 40 << 0.93;
        QTest::addRow("weak, 80") << 0.3 << 80 << 0.92;
        QTest::addRow("as was seen, 40") << 0.57 << 40 << 0.90;
        QTest::addRow("as was seen, 160") << 0.57 << 160 << 0.92;
        QTest::addRow("strong, 160") << 0.8 << 160 << 0.90;
    }
    /// 2,000 simulated comparisons: a share of 0.95 has a standard error of 0.005.
    void theIntervalHoldsTheTruthAsOftenAsItSays()
    {
        QFETCH(double, correlation);
        QFETCH(int, rounds);
        QFETCH(double, least);
        std::mt19937_64 random(11);
        constexpr int Trials = 2000;
        const double truth = 0.1;
        int held = 0;
        for (int trial = 0; trial < Trials; ++trial) {
            const auto values = series(random, static_cast<std::size_t>(rounds), correlation, std::log1p(truth), 0.05);
            const RelativeDifference result = differenceOfRounds(values);
            held += result.low <= truth && truth <= result.high ? 1 : 0;
        }
        const double share = static_cast<double>(held) / Trials;
        QVERIFY2(share >= least && share <= 0.985, qPrintable(QString::number(share)));
    }

    /// Neighbours that resemble each other are fewer values than they look.
    void correlatedRoundsAreMerged()
    {
        std::mt19937_64 random(5);
        const auto alone = series(random, 160, 0.0, 0.0, 0.05);
        const auto alike = series(random, 160, 0.57, 0.0, 0.05);
        QCOMPARE(differenceOfRounds(alone).merged, std::size_t{1});
        const RelativeDifference result = differenceOfRounds(alike);
        QVERIFY2(result.merged >= 2, qPrintable(QString::number(result.merged)));
        QCOMPARE(result.n, std::size_t{160});
        QVERIFY(std::fabs(neighbourCorrelation(alike) - 0.57) < 0.15);
    }

    void withoutEnoughRoundsThereIsNoInterval()
    {
        const RelativeDifference none = differenceOfRounds({});
        QVERIFY(std::isnan(none.difference) && std::isnan(none.low));
        const RelativeDifference few = differenceOfRounds(std::vector<double>{0.1, 0.1, 0.1, std::nan("")});
        QCOMPARE(few.n, std::size_t{3});
        QCOMPARE(few.difference, std::expm1(0.1));
        QVERIFY(std::isnan(few.low) && std::isnan(few.high) && !few.holdsZero());
    }

    void equalRoundsDifferByExactlyThat()
    {
        const RelativeDifference same = differenceOfRounds(std::vector<double>(20, std::log(1.25)));
        QVERIFY(std::fabs(same.difference - 0.25) < 1e-12);
        QVERIFY(same.halfWidth() < 1e-12);
    }

    void seedsAreTheUnitOfRepeats()
    {
        const RelativeDifference three = differenceOfSeeds(std::vector<double>{0.1, 0.2, 0.3});
        QCOMPARE(three.n, std::size_t{3});
        QVERIFY(std::fabs(std::log1p(three.difference) - 0.2) < 1e-12);
        QVERIFY(std::fabs(std::log1p(three.high) - (0.2 + 4.303 * 0.1 / std::sqrt(3.0))) < 1e-9);
        QVERIFY(std::isnan(differenceOfSeeds(std::vector<double>{0.1}).low));
    }
};

LOCKSTEP_TEST(TestPairedRounds)
#include "test_paired_rounds.moc"
