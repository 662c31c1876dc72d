// Clocks that are simulated: the true offset is within the error wherever ClockOffset promises it.
#include "base/clock_offset.h"
#include "base/random.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace lockstep;

namespace {

constexpr std::int64_t Second = 1'000'000'000;
constexpr std::int64_t Start = 20'000 * Second;
constexpr double Ahead = 11e9;

/// The other clock less one's own, in ns, after so many seconds.
using Truth = std::function<double(double seconds)>;

struct Delays {
    double leastThereUs = 20.0;
    double leastBackUs = 20.0;
    double jitterUs = 200.0; ///< mean of what is added to each way
};

double trueOffset(const Truth& truth, std::int64_t ownNs)
{
    return truth(static_cast<double>(ownNs - Start) * 1e-9);
}

std::vector<RoundTrip> burst(const Truth& truth, std::int64_t fromNs, const Delays& delays, Random& random)
{
    std::vector<RoundTrip> trips;
    std::int64_t now = fromNs;
    for (int i = 0; i < 50; ++i) {
        const auto way = [&](double leastUs) {
            return static_cast<std::int64_t>(
                1e3 * (leastUs - (delays.jitterUs > 0 ? delays.jitterUs * std::log(1.0 - random.uniform()) : 0.0)));
        };
        RoundTrip trip{now, 0, 0};
        now += way(delays.leastThereUs);
        trip.remoteNs = now + std::llround(trueOffset(truth, now));
        now += way(delays.leastBackUs);
        trip.receivedNs = now;
        trips.push_back(trip);
        now += 100'000;
    }
    return trips;
}

ClockOffset measured(const Truth& truth, const std::vector<int>& atSeconds, const Delays& delays, Random& random)
{
    ClockOffset offset;
    for (const int seconds : atSeconds) {
        offset.add(*readingOf(burst(truth, Start + seconds * Second, delays, random)));
    }
    return offset;
}

/// The largest share of the error that is used up, and the largest error, from one second to another.
struct Fit {
    double used = 0.0;
    std::int64_t errorNs = 0;
};

Fit fitOf(const ClockOffset& offset, const Truth& truth, double from, double to)
{
    Fit fit;
    for (int i = 0; i <= 1000; ++i) {
        const std::int64_t at = Start + std::llround(1e9 * (from + (to - from) * i / 1000.0));
        const ClockReading told = offset.at(at);
        const double off = std::abs(static_cast<double>(told.offsetNs) - trueOffset(truth, at));
        fit.used = std::max(fit.used, off / static_cast<double>(told.errorNs));
        fit.errorNs = std::max(fit.errorNs, told.errorNs);
    }
    return fit;
}

} // namespace

class TestClockOffset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theShortestTripCounts()
    {
        const std::vector<RoundTrip> trips{{1'000, 51'000, 3'000}, {5'000, 55'150, 5'200}, {9'000, 59'900, 9'950}};
        const auto reading = readingOf(trips);
        QVERIFY(reading);
        QCOMPARE(reading->atNs, 5'100);
        QCOMPARE(reading->offsetNs, 55'150 - 5'100);
        QCOMPARE(reading->errorNs, 101);
        QVERIFY(!readingOf({}));
        QVERIFY(!readingOf(std::vector<RoundTrip>{{5, 7, 4}}));
    }

    void withoutMeasurementsThereIsNoOffset()
    {
        const ClockOffset none;
        QVERIFY(none.isEmpty());
        QCOMPARE(none.at(Start), (ClockReading{Start, 0, 0}));
    }

    void measurementsMayComeInAnyOrder()
    {
        ClockOffset offset;
        offset.add({200, 40, 3});
        offset.add({100, 20, 3});
        offset.add({300, 60, 3});
        offset.add({200, 42, 2});
        QCOMPARE(offset.measurements().size(), std::size_t{3});
        QCOMPARE(offset.at(200), (ClockReading{200, 42, 2}));
        QCOMPARE(offset.at(150).offsetNs, 31);
    }

    void theTruthIsWithinTheError_data()
    {
        QTest::addColumn<double>("drift");
        QTest::addColumn<double>("thereUs");
        QTest::addColumn<double>("backUs");
        QTest::addColumn<double>("jitterUs");
        QTest::addRow("two like clocks") << 0.0 << 20.0 << 20.0 << 0.0;
        QTest::addRow("50 ppm") << 50e-6 << 20.0 << 20.0 << 200.0;
        QTest::addRow("-50 ppm") << -50e-6 << 20.0 << 20.0 << 200.0;
        QTest::addRow("slow there") << 50e-6 << 400.0 << 5.0 << 100.0;
        QTest::addRow("slow back") << 50e-6 << 5.0 << 400.0 << 100.0;
        QTest::addRow("one way alone") << -20e-6 << 0.0 << 300.0 << 0.0;
        QTest::addRow("busy") << 50e-6 << 20.0 << 20.0 << 5'000.0;
    }
    void theTruthIsWithinTheError()
    {
        QFETCH(const double, drift);
        QFETCH(const double, thereUs);
        QFETCH(const double, backUs);
        QFETCH(const double, jitterUs);
        const Truth truth = [drift](double seconds) { return Ahead + 1e9 * drift * seconds; };
        Random random(Seed{17});
        for (int trial = 0; trial < 100; ++trial) {
            const ClockOffset offset = measured(truth, {0, 5, 60, 120, 180, 187}, {thereUs, backUs, jitterUs}, random);
            const Fit within = fitOf(offset, truth, 0, 187);
            QVERIFY2(within.used <= 1.0, qPrintable(QString::number(within.used)));
            // Before the run has ended, and before the ranks met.
            const Fit beside = fitOf(offset, truth, -10, 240);
            QVERIFY2(beside.used <= 1.0, qPrintable(QString::number(beside.used)));
            const Fit first = fitOf(measured(truth, {0}, {thereUs, backUs, jitterUs}, random), truth, -10, 60);
            QVERIFY2(first.used <= 1.0, qPrintable(QString::number(first.used)));
        }
    }

    void theErrorIsHalfTheRoundTripAndLittleMore()
    {
        const Truth truth = [](double seconds) { return Ahead + 50e3 * seconds; };
        Random random(Seed{18});
        const ClockOffset offset = measured(truth, {0, 60, 120}, {20, 20, 0}, random);
        const Fit fit = fitOf(offset, truth, 0, 120);
        QVERIFY2(fit.errorNs > 20'000 && fit.errorNs < 36'000, qPrintable(QString::number(fit.errorNs)));
        // Measured once, the rates are not known.
        const Fit once = fitOf(measured(truth, {0}, {20, 20, 0}, random), truth, 0, 60);
        QVERIFY2(once.errorNs > 6'000'000, qPrintable(QString::number(once.errorNs)));
    }

    void aRateThatChangesWithinAMinuteIsAllowedFor()
    {
        // NTP sets the rate anew at 85 s; the minutes before and after show both rates.
        const Truth truth
            = [](double seconds) { return Ahead + 20e3 * seconds + (seconds > 85 ? 80e3 * (seconds - 85) : 0.0); };
        Random random(Seed{19});
        const ClockOffset offset = measured(truth, {0, 60, 120, 180}, {30, 30, 0}, random);
        const Fit fit = fitOf(offset, truth, 0, 180);
        QVERIFY2(fit.used <= 1.0, qPrintable(QString::number(fit.used)));
        QVERIFY2(fit.errorNs > 1'000'000, qPrintable(QString::number(fit.errorNs))); // and said
    }

    void aRateThatWandersALittleIsAllowedFor()
    {
        const Truth truth = [](double seconds) {
            return Ahead + 30e3 * seconds + 0.5e3 * 60.0 / M_PI * std::sin(seconds * M_PI / 60.0);
        };
        Random random(Seed{20});
        for (int trial = 0; trial < 100; ++trial) {
            const ClockOffset offset = measured(truth, {0, 60, 120, 180}, {20, 20, 100}, random);
            const Fit fit = fitOf(offset, truth, 0, 180);
            QVERIFY2(fit.used <= 1.0, qPrintable(QString::number(fit.used)));
        }
    }
};

LOCKSTEP_TEST(TestClockOffset)
#include "test_clock_offset.moc"
