// The statistics of runs that took turns, against simulated rounds whose true difference is known.
#include "analysis/statistics/paired_rounds.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
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

    /// So that the ratio of two geometric means over the same rounds is the paired difference.
    void theDifferenceIsTheMeanOfTheLogRatios()
    {
        std::mt19937_64 random(3);
        const std::vector<double> one = series(random, 37, 0.4, 1.0, 0.1);
        const std::vector<double> other = series(random, 37, 0.4, 1.3, 0.1);
        std::vector<double> ratios;
        std::vector<double> oneMs;
        std::vector<double> otherMs;
        for (std::size_t i = 0; i < one.size(); ++i) {
            ratios.push_back(other[i] - one[i]);
            oneMs.push_back(std::exp(one[i]));
            otherMs.push_back(std::exp(other[i]));
        }
        const double ofBars = meanOfBlocks(otherMs).mean / meanOfBlocks(oneMs).mean - 1.0;
        QVERIFY(std::fabs(differenceOfRounds(ratios).difference - ofBars) < 1e-12);
    }

    /// With neighbours that differ nothing is merged; only the doubt about their correlation widens the interval.
    void theIntervalIsStudents()
    {
        std::vector<double> values;
        for (const int value : {5, 1, 8, 3, 10, 2, 7, 4, 9, 6}) {
            values.push_back(value * 0.01);
        }
        const RelativeDifference result = differenceOfRounds(values);
        QCOMPARE(result.n, std::size_t{10});
        QCOMPARE(result.merged, std::size_t{1});
        QVERIFY(std::fabs(result.difference - std::expm1(0.055)) < 1e-12);
        QVERIFY(neighbourCorrelation(values) + 0.25 < 0.0);
        const double half = 2.262 * 0.01 * std::sqrt(82.5 / 9.0 / 10.0);
        QVERIFY(std::fabs(std::log1p(result.high) - (0.055 + half)) < 1e-9);
        QVERIFY(std::fabs(std::log1p(result.low) - (0.055 - half)) < 1e-9);
    }

    void stalledRoundsAreLeftOutForAll()
    {
        std::mt19937_64 random(3);
        std::vector<std::vector<double>> runs;
        for (int run = 0; run < 3; ++run) {
            runs.push_back(series(random, 40, 0.0, 1.0 + 0.1 * run, 0.02));
        }
        for (auto& run : runs) {
            run[11] += 1.0; // the whole machine was slow: no run's stall
        }
        for (std::size_t i = 0; i < 40; i += 8) {
            runs[i / 8 % 3][i] += 2.0; // another process took the core in that block
        }
        const std::vector<bool> kept = keptRounds(runs);
        for (std::size_t i = 0; i < 40; ++i) {
            QCOMPARE(bool(kept[i]), i % 8 != 0);
        }
        // Of two the other does not say what the machine did: the common slowness counts as a stall, too.
        QVERIFY(!keptRounds(std::vector<std::vector<double>>(runs.begin(), runs.begin() + 2))[11]);
        // Of one its own stalls.
        const std::vector<bool> alone = keptRounds(std::vector<std::vector<double>>{runs[0]});
        QCOMPARE(std::count(alone.begin(), alone.end(), false), std::ptrdiff_t{3});
    }

    void ordinaryNoiseIsNoStall()
    {
        std::mt19937_64 random(4);
        for (const double noise : {0.01, 0.05, 0.3}) {
            for (const std::size_t count : {1, 2, 3, 6}) {
                std::vector<std::vector<double>> runs;
                for (std::size_t run = 0; run < count; ++run) {
                    runs.push_back(series(random, 200, 0.0, 1.0, noise));
                }
                const std::vector<bool> kept = keptRounds(runs);
                QVERIFY(std::count(kept.begin(), kept.end(), false) <= 6);
            }
        }
    }

    void aThirdOfTheRoundsIsLeftOutAtMost()
    {
        std::vector<double> run(30, 1.0);
        for (std::size_t i = 0; i < 14; ++i) {
            run[i] += 1.0 + 0.1 * static_cast<double>(i); // the later, the longer
        }
        const std::vector<bool> kept = keptRounds(std::vector<std::vector<double>>{run});
        for (std::size_t i = 0; i < 30; ++i) {
            QCOMPARE(bool(kept[i]), i < 4 || i >= 14);
        }
        const std::vector<bool> few = keptRounds(std::vector<std::vector<double>>{{1.0, 1.0, 9.0, 1.0}});
        QCOMPARE(few, std::vector<bool>(4, true));
    }

    void aRoundThatOneRunLacksIsKeptForNone()
    {
        const double none = std::nan("");
        std::vector<std::vector<double>> runs(2, std::vector<double>(12, 1.0));
        runs[1][3] = none;
        runs[0].resize(10); // it ended
        std::vector<bool> expected(12, true);
        expected[3] = expected[10] = expected[11] = false;
        QCOMPARE(keptRounds(runs), expected);
        // A run that was measured four times only does not make the others' rounds useless.
        runs.push_back({1.0, 1.0, 1.0, 1.0});
        QCOMPARE(keptRounds(runs), expected);
        QVERIFY(keptRounds({}).empty());
    }

    /// Neither a stall of one run nor what slows all of them makes equal runs differ.
    void stallsMakeNoDifference()
    {
        std::mt19937_64 random(9);
        std::uniform_real_distribution<double> uniform;
        int held = 0;
        constexpr int Trials = 1000;
        for (int trial = 0; trial < Trials; ++trial) {
            std::vector<std::vector<double>> runs;
            for (int run = 0; run < 3; ++run) {
                runs.push_back(series(random, 40, 0.3, 0.0, 0.05));
                for (double& each : runs.back()) {
                    each += uniform(random) < 0.05 ? std::log(3.0) + uniform(random) * std::log(10.0) : 0.0;
                }
            }
            const std::vector<bool> kept = keptRounds(runs);
            std::vector<double> ratios;
            for (std::size_t i = 0; i < kept.size(); ++i) {
                if (kept[i]) {
                    ratios.push_back(runs[1][i] - runs[0][i]);
                }
            }
            const RelativeDifference result = differenceOfRounds(ratios);
            QVERIFY(result.holdsZero() || std::fabs(result.difference) < 0.1);
            held += result.holdsZero() ? 1 : 0;
        }
        const double share = static_cast<double>(held) / Trials;
        QVERIFY2(share >= 0.92 && share <= 0.985, qPrintable(QString::number(share)));
    }

    void theIntervalHoldsTheTruthAsOftenAsItSays_data()
    {
        QTest::addColumn<double>("correlation");
        QTest::addColumn<int>("rounds");
        QTest::addColumn<double>("least");
        QTest::addRow("independent, 40") << 0.0 << 40 << 0.93;
        QTest::addRow("weak, 80") << 0.3 << 80 << 0.93;
        QTest::addRow("as was seen, 40") << 0.57 << 40 << 0.92;
        QTest::addRow("as was seen, 160") << 0.57 << 160 << 0.93;
        QTest::addRow("strong, 160") << 0.8 << 160 << 0.93;
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
};

LOCKSTEP_TEST(TestPairedRounds)
#include "test_paired_rounds.moc"
