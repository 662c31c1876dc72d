#include "analysis/numbers.h"
#include "analysis/statistics/statistics.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lockstep::analysis;

class TestStatistics : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void intervalIsStudents()
    {
        // Mean 3, deviation sqrt(2.5), n = 5: 2.776 * sqrt(2.5 / 5).
        const std::vector<double> values{1, 2, 3, 4, 5, std::nan("")};
        const Interval interval = meanWithInterval(values);
        QCOMPARE(interval.n, std::size_t{5});
        QCOMPARE(interval.mean, 3.0);
        QVERIFY(std::fabs(interval.halfWidth - 2.776 * std::sqrt(0.5)) < 1e-12);
        QVERIFY(std::isnan(meanWithInterval(std::vector<double>{7.0}).halfWidth));
        QVERIFY(std::isnan(meanWithInterval({}).mean));
    }

    void sharesStayBetweenNothingAndAll()
    {
        // The plain t interval of these would end at 1.0073.
        const std::vector<double> shares{0.98, 0.99, 0.995, std::nan("")};
        const ShareInterval interval = shareWithInterval(shares);
        QCOMPARE(interval.n, std::size_t{3});
        const double p = 2.965 / 3.0;
        QVERIFY(std::fabs(interval.mean - p) < 1e-12);
        // SAS's logit limits by hand: L = 4.43928, t s / (p (1 - p)) = 4.303 * 0.0044096 / 0.0115306 = 1.64559.
        QVERIFY2(std::fabs(interval.low - 0.942335) < 1e-5, qPrintable(QString::number(interval.low, 'f', 6)));
        QVERIFY2(std::fabs(interval.high - 0.997728) < 1e-5, qPrintable(QString::number(interval.high, 'f', 6)));
        // One value of 1 is no obstacle; values that are all 1, or all 0, do not say how they scatter.
        const ShareInterval one = shareWithInterval(std::vector<double>{0.9, 1.0, 0.95});
        QVERIFY(one.hasInterval() && one.low > 0.0 && one.low < one.mean && one.high > one.mean && one.high < 1.0);
        QVERIFY(!shareWithInterval(std::vector<double>{1.0, 1.0, 1.0}).hasInterval());
        QVERIFY(!shareWithInterval(std::vector<double>{0.0, 0.0}).hasInterval());
        QVERIFY(!shareWithInterval(std::vector<double>{0.5}).hasInterval());
        QVERIFY(!shareWithInterval({}).hasInterval() && std::isnan(shareWithInterval({}).mean));
        const ShareInterval equal = shareWithInterval(std::vector<double>{0.1, 0.1});
        QCOMPARE(equal.low, equal.mean);
        QCOMPARE(equal.high, equal.mean);
    }

    void intervalsOfLossesStayAboveZero()
    {
        // The plain t interval of these would begin at -0.175.
        const std::vector<double> losses{0.25, 0.9, 0.545, std::nan("")};
        const PositiveInterval interval = positiveWithInterval(losses);
        QCOMPARE(interval.n, std::size_t(3));
        QVERIFY(std::fabs(interval.mean - 0.565) < 1e-12);
        // By hand: s = 0.325461 / sqrt(3) = 0.187905; t s / m = 4.303 * 0.187905 / 0.565 = 1.431072.
        QVERIFY2(std::fabs(interval.low - 0.565 / 4.18318) < 1e-4, qPrintable(QString::number(interval.low, 'f', 6)));
        QVERIFY2(std::fabs(interval.high - 0.565 * 4.18318) < 1e-3, qPrintable(QString::number(interval.high, 'f', 6)));
        // Where values scatter little it is the plain interval.
        const std::vector<double> near{1.0, 1.001, 0.999};
        const Interval plain = meanWithInterval(near);
        QVERIFY(std::fabs(positiveWithInterval(near).high - (plain.mean + plain.halfWidth)) < 1e-5);
        QVERIFY(std::isnan(positiveWithInterval(std::vector<double>{0.5}).low));
        QVERIFY(std::isnan(positiveWithInterval(std::vector<double>{-0.5, 0.4}).low));
    }

    void aDifferenceIsWelchs()
    {
        const std::vector<double> some{1, 2, 3, 4, 5};
        const std::vector<double> others{2, 4, 6};
        // Squared errors 1/2 and 4/3; 3.53 degrees of freedom, of which 3 are used.
        const Interval difference = differenceOf(meanWithInterval(some), meanWithInterval(others));
        QCOMPARE(difference.mean, -1.0);
        QCOMPARE(difference.n, std::size_t{3});
        QVERIFY(std::fabs(difference.halfWidth - 3.182 * std::sqrt(0.5 + 4.0 / 3.0)) < 1e-12);
        QVERIFY(std::isnan(differenceOf(meanWithInterval(some), meanWithInterval(std::vector<double>{7.0})).halfWidth));
    }

    void quantilesMeetTheTable_data()
    {
        QTest::addColumn<int>("degrees");
        QTest::addColumn<double>("quantile");
        QTest::addRow("1") << 1 << 12.706;
        QTest::addRow("30") << 30 << 2.042;
        QTest::addRow("40") << 40 << 2.021;
        QTest::addRow("60") << 60 << 2.000;
        QTest::addRow("120") << 120 << 1.980;
        QTest::addRow("100000") << 100'000 << 1.960;
    }
    void quantilesMeetTheTable()
    {
        QFETCH(int, degrees);
        QFETCH(double, quantile);
        QVERIFY(std::fabs(studentT975(static_cast<std::size_t>(degrees)) - quantile) < 6e-4);
        QVERIFY(std::fabs(studentT(0.975, static_cast<std::size_t>(degrees)) - quantile) < 6e-4);
    }

    /// Abramowitz and Stegun, table 26.10.
    void quantilesOfOtherProbabilities()
    {
        QVERIFY(std::fabs(studentT(0.995, 1) - 63.657) < 6e-4);
        QVERIFY(std::fabs(studentT(0.995, 2) - 9.925) < 6e-4);
        QVERIFY(std::fabs(studentT(0.995, 3) - 5.841) < 6e-4);
        QVERIFY(std::fabs(studentT(0.9995, 10) - 4.587) < 6e-4);
        QVERIFY(std::fabs(studentT(0.75, 5) - 0.727) < 6e-4);
        QCOMPARE(studentT(0.5, 4) < 1e-9, true);
        QVERIFY(std::isnan(studentT(0.4, 4)));
        QVERIFY(std::isnan(studentT(1.0, 4)));
        QVERIFY(std::isnan(studentT(0.9, 0)));
    }

    void smoothingFollowsItsDefinition()
    {
        const std::vector<double> values{4.0, 2.0, 6.0};
        const auto result = smoothed(values, 0.5);
        QCOMPARE(result[0], 4.0);
        QCOMPARE(result[1], (0.5 * 2.0 + 0.25 * 4.0) / 0.75);
        QCOMPARE(result[2], (0.5 * 6.0 + 0.25 * 2.0 + 0.125 * 4.0) / 0.875);
    }

    void constantsAndGapsAreLeftAlone()
    {
        for (const double value : smoothed(std::vector<double>(1000, 0.1), 0.97)) {
            QCOMPARE(value, 0.1);
        }
        const auto gap = smoothed(std::vector<double>{1.0, std::nan(""), 1.0}, 0.9);
        QCOMPARE(gap[0], 1.0);
        QVERIFY(std::isnan(gap[1]));
        QCOMPARE(gap[2], 1.0);
        QCOMPARE(smoothed(std::vector<double>{3.0, 8.0}, 0.0)[1], 8.0);
    }

    void threeDigitsAreShown_data()
    {
        QTest::addColumn<double>("number");
        QTest::addColumn<QString>("text");
        QTest::addRow("small") << 0.092144 << "0.0921";
        QTest::addRow("carry") << 9.996 << "10.0";
        QTest::addRow("carry below one") << 0.09996 << "0.100";
        QTest::addRow("hundreds") << 123.4 << "123";
        QTest::addRow("thousands") << 1234.4 << "1,234";
        QTest::addRow("carry to a thousand") << 999.7 << "1,000";
        QTest::addRow("tiny") << 4.5123e-6 << "4.51e-06";
        QTest::addRow("zero") << 0.0 << "0";
        QTest::addRow("negative") << -1.2345 << "-1.23";
        QTest::addRow("nan") << std::nan("") << QString::fromUtf8("–");
    }
    void threeDigitsAreShown()
    {
        QFETCH(double, number);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(threeDigits(number)), text);
    }

    /// Four repeats leave 0.4 on either side of 0.2; t falls from 3.182 to 2.306 with nine pairs, from 2.447 to 2.179
    /// with seven on each side.
    void widthsFallWithRepeats()
    {
        QCOMPARE(moreRepeatsToTell({0.2, 0.4, 4}, 0.1, Sides::Paired), std::size_t{5}); // 0.4 x 2/3 x 0.725 = 0.193
        QCOMPARE(moreRepeatsToTell({-0.2, 0.4, 4}, 0.1, Sides::Paired), std::size_t{5});
        QCOMPARE(moreRepeatsToTell({0.2, 0.28, 4}, 0.1, Sides::Independent), std::size_t{3}); // 7: 0.28 x 0.673 = 0.189
        QCOMPARE(moreRepeatsToTell({0.0, 0.2, 4}, 0.1, Sides::Paired), std::size_t{5}); // no difference worth naming
        QCOMPARE(moreRepeatsToTell({0.2, 0.1, 4}, 0.1, Sides::Paired), std::size_t{0}); // told already
        QCOMPARE(moreRepeatsToTell({0.1, 1.0, 4}, 0.1, Sides::Paired), std::size_t{0}); // more than 100
        QCOMPARE(moreRepeatsToTell({0.2, std::nan(""), 1}, 0.1, Sides::Paired), std::size_t{0});
    }

    /// However narrow an interval is, no value has more than four significant digits.
    void fourDigitsAreTheMost()
    {
        QCOMPARE(inDigitsOf(0.002, 0.0512345), std::string("0.0512"));
        QCOMPARE(inDigitsOf(1e-7, 0.0500041), std::string("0.05000"));
        QCOMPARE(inDigitsOf(1e-7, 0.9999999), std::string("1.000"));
        QCOMPARE(inDigitsOf(0.01, 123.456), std::string("123.5"));
        QCOMPARE(inDigitsOf(3.0, 22'527.4), std::string("22,530"));
        QCOMPARE(inDigitsOf(0.0, 22'527.4), std::string("22,530"));
        QCOMPARE(inDigitsOf(0.0, 1234.4), std::string("1,234"));
    }

    void timesAreFactorsOrFractions()
    {
        const double none = std::nan("");
        QCOMPARE(timesText(1.342, none, none), std::string("1.34"));
        QCOMPARE(timesText(5.75, 5.3, 6.25), std::string("5.75 [5.30, 6.25]"));
        QCOMPARE(timesText(0.75, none, none), std::string("0.750"));
        QCOMPARE(timesText(1.0 / 70.0, none, none), std::string("1/70"));
        QCOMPARE(timesText(1.0 / 70.0, 1.0 / 75.0, 1.0 / 66.0), std::string("1/70 [1/75, 1/66]"));
        QCOMPARE(timesText(2.0, 1.9999999, 2.0000001), std::string("2.000"));
        QCOMPARE(timesText(1.5, 1.5 - 1e-15, 1.5 + 1e-15), std::string("1.50")); // of equal ratios
        QCOMPARE(timesText(0.4, 0.125, 1.28), std::string("1/2.5 [1/8.0, 1.28]"));
        QCOMPARE(timesText(0.4, 0.0, 40.0), std::string("1/2.5 [0, 40.0]"));
    }

    void groupsAreOfThree()
    {
        QCOMPARE(grouped(0), std::string("0"));
        QCOMPARE(grouped(999), std::string("999"));
        QCOMPARE(grouped(60'000), std::string("60,000"));
        QCOMPARE(grouped(-1'234'567), std::string("-1,234,567"));
    }
};

LOCKSTEP_TEST(TestStatistics)
#include "test_statistics.moc"
