#include "analysis/scaling/comm_cost.h"
#include "base/random.h"
#include "core/plan/formulas.h"
#include "plan/all_reduce_messages.h"
#include "program/test_class.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lockstep;
using namespace lockstep::analysis;

namespace {

constexpr LinkCost Made{40e-6, 0.8e-9};

std::vector<Measurement> measured(std::string_view algorithm, int ranks, double noise)
{
    Random random(Seed{3});
    std::vector<Measurement> all;
    for (double bytes = 4; bytes <= 64e6; bytes *= 4) {
        all.push_back({bytes, *algorithmSeconds(algorithm, ranks, Made, bytes) * (1.0 + noise * random.normal())});
    }
    return all;
}

} // namespace

class TestCommCost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelsAreTheTextbooks();
    void closedFormsHoldForAnyNumberOfRanks();
    void oneRankCostsNothing();
    void theFitFindsWhatWasMadeUp_data();
    void theFitFindsWhatWasMadeUp();
    void theFitRefusesWhatItCannotFit();
    void theFitFindsLinksFarFromTheUsual();
    void neitherIsNegative();
    void theOtherAloneIsTheLeastSquares();
    void theResidualIsTheMedianError();
    void crossoversLieWhereTheTimesAreEqual();
};

void TestCommCost::modelsAreTheTextbooks()
{
    // Of a million bytes at 1 us and 1 ns a byte, by hand.
    const LinkCost link{1e-6, 1e-9};
    const auto cost = [&](std::string_view name, int ranks) { return *algorithmCost(name, ranks, link, 1e6); };
    QCOMPARE(cost("ring", 8).seconds(link, 1e6), 14e-6 + 1.75e-3);
    QCOMPARE(cost("halving_doubling", 8).seconds(link, 1e6), 6e-6 + 1.75e-3);
    QCOMPARE(cost("tree", 8).seconds(link, 1e6), 6e-6 + 6e-3);
    QCOMPARE(cost("parameter_server", 8).seconds(link, 1e6), 2e-6 + 8e-3);
    QCOMPARE(cost("all_gather", 8).seconds(link, 1e6), 7e-6 + 7e-3);
    // No power of two: 4 of the 5 ranks halve and double, the fifth gives and takes everything.
    QCOMPARE(cost("halving_doubling", 5).messages, 6.0);
    QCOMPARE(cost("halving_doubling", 5).arrays, 3.5);
    // Between three ranks the root takes both arrays in at the same time, and then sends two.
    QCOMPARE(cost("tree", 3).messages, 2.0);
    QCOMPARE(cost("tree", 3).arrays, 4.0);
    QVERIFY(!algorithmCost("butterfly", 8, link, 1e6));
}

/// Where all ranks do the same, or all pass one link.
void TestCommCost::closedFormsHoldForAnyNumberOfRanks()
{
    for (const int ranks : {2, 3, 5, 8}) {
        for (const double bytes : {1.0, 1e7}) {
            const auto seconds = [&](std::string_view name) { return *algorithmSeconds(name, ranks, Made, bytes); };
            QVERIFY(std::fabs(seconds("ring") - 2 * (ranks - 1) * (Made.alpha + bytes / ranks * Made.beta))
                < 1e-12 * seconds("ring"));
            // Consecutive calls: results go out while the next arrays come in.
            QVERIFY(std::fabs(seconds("parameter_server") - (2 * Made.alpha + ranks * bytes * Made.beta))
                < 1e-9 * seconds("parameter_server"));
            // What a later call adds to those before it.
            for (const std::string_view name : tests::allReduceAlgorithms()) {
                const auto ofCalls
                    = [&](std::size_t calls) { return *secondsOfCalls(name, ranks, Made, bytes, calls); };
                QVERIFY2(std::fabs((ofCalls(12) - ofCalls(6)) / 6 - seconds(name)) < 1e-6 * seconds(name), name.data());
            }
        }
    }
}

void TestCommCost::oneRankCostsNothing()
{
    for (const std::string_view name : tests::allReduceAlgorithms()) {
        const double seconds = *algorithmSeconds(name, 1, Made, 1e6);
        QVERIFY2(seconds == 0.0, std::string(name).c_str());
    }
}

void TestCommCost::theFitFindsWhatWasMadeUp_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<double>("noise");
    for (const std::string_view name : tests::allReduceAlgorithms()) {
        for (const double noise : {0.0, 0.02}) {
            const QByteArray text(name.data(), static_cast<qsizetype>(name.size()));
            for (const int ranks : {2, 3, 4, 7}) {
                QTest::addRow("%s, %d ranks, noise %g", text.constData(), ranks, noise) << text << ranks << noise;
            }
        }
    }
}

void TestCommCost::theFitFindsWhatWasMadeUp()
{
    QFETCH(QByteArray, name);
    QFETCH(int, ranks);
    QFETCH(double, noise);
    const auto fit = fitLink(measured(name.constData(), ranks, noise), name.constData(), ranks);
    QVERIFY(fit.isOk());
    QVERIFY2(std::fabs(fit->link.alpha / Made.alpha - 1.0) < 0.05, qPrintable(QString::number(fit->link.alpha)));
    QVERIFY2(std::fabs(fit->link.beta / Made.beta - 1.0) < 0.05, qPrintable(QString::number(fit->link.beta)));
    QVERIFY2(fit->residual <= noise * 2 + 1e-9, qPrintable(QString::number(fit->residual)));
}

void TestCommCost::theFitRefusesWhatItCannotFit()
{
    QVERIFY(!fitLink({}, "ring", 4));
    QVERIFY(!fitLink(std::vector<Measurement>{{100, 1e-3}, {100, 1.1e-3}}, "ring", 4));
    QVERIFY(!fitLink(std::vector<Measurement>{{100, 1e-3}, {200, 0.0}}, "ring", 4));
    QVERIFY(!fitLink(measured("ring", 4, 0.0), "ring", 1));
    QVERIFY(!fitLink(measured("ring", 4, 0.0), "butterfly", 4));
}

void TestCommCost::neitherIsNegative()
{
    // Times that fall with size, and times that grow faster than in proportion to it.
    const auto falling = fitLink(std::vector<Measurement>{{1e3, 2e-3}, {1e6, 1e-3}}, "tree", 2);
    QVERIFY(falling->link.beta == 0.0 && falling->link.alpha > 0.0);
    const auto steep = fitLink(std::vector<Measurement>{{1e3, 1e-6}, {1e6, 10e-3}}, "tree", 2);
    QVERIFY(steep->link.alpha == 0.0 && steep->link.beta > 0.0);
}

/// Which path through the messages is critical depends on the link.
void TestCommCost::theFitFindsLinksFarFromTheUsual()
{
    for (const LinkCost& link : {LinkCost{1e-3, 1e-10}, LinkCost{1e-7, 1e-7}}) {
        for (const std::string_view name : tests::allReduceAlgorithms()) {
            for (const int ranks : {2, 3, 5, 8}) {
                std::vector<Measurement> times;
                for (double bytes = 4; bytes <= 64e6; bytes *= 4) {
                    times.push_back({bytes, *algorithmSeconds(name, ranks, link, bytes)});
                }
                const auto fit = fitLink(times, name, ranks);
                QVERIFY(fit.isOk());
                QVERIFY2(fit->residual < 1e-9, qPrintable(QString("%1: %2").arg(name.data()).arg(fit->residual)));
            }
        }
    }
}

/// Relative errors are as small as they can be: on both sides of the found figure their squares add up to more.
void TestCommCost::theOtherAloneIsTheLeastSquares()
{
    const auto squares = [](const std::vector<Measurement>& times, const LinkCost& link) {
        double sum = 0.0;
        for (const Measurement& each : times) {
            const double error = *algorithmSeconds("ring", 2, link, each.bytes) / each.seconds - 1.0;
            sum += error * error;
        }
        return sum;
    };
    const std::vector<Measurement> falling{{1e3, 2e-3}, {1e5, 1.5e-3}, {1e6, 1e-3}};
    const std::vector<Measurement> steep{{1e3, 1e-7}, {1e5, 1e-4}, {1e6, 1.5e-3}};
    for (const auto& times : {falling, steep}) {
        const LinkCost link = fitLink(times, "ring", 2)->link;
        QVERIFY((link.alpha == 0.0) != (link.beta == 0.0));
        for (const double factor : {0.99, 1.01}) {
            QVERIFY(squares(times, link) < squares(times, {link.alpha * factor, link.beta * factor}));
        }
    }
}

void TestCommCost::theResidualIsTheMedianError()
{
    std::vector<Measurement> times = measured("ring", 4, 0.0);
    times.resize(6);
    times[1].seconds *= 1.1;
    times[2].seconds *= 0.8;
    times[4].seconds *= 1.3;
    const auto fit = fitLink(times, "ring", 4);
    std::vector<double> errors;
    for (const Measurement& each : times) {
        errors.push_back(std::fabs(each.seconds - *algorithmSeconds("ring", 4, fit->link, each.bytes)) / each.seconds);
    }
    std::sort(errors.begin(), errors.end());
    QVERIFY(errors[3] > errors[2] * 1.01);
    QVERIFY(std::fabs(fit->residual - (errors[2] + errors[3]) / 2.0) < 1e-12);
}

void TestCommCost::crossoversLieWhereTheTimesAreEqual()
{
    constexpr std::string_view Names[] = {"ring", "tree", "halving_doubling", "parameter_server"};
    const auto found = crossovers(Names, 8, Made, 64e6);
    QCOMPARE(found.size(), std::size_t{1}); // the server's two messages first, then as few bytes as can be
    QCOMPARE(found[0].below, std::string_view("parameter_server"));
    QCOMPARE(found[0].above, std::string_view("halving_doubling"));
    // 2 a + 8 n b = 6 a + 1.75 n b
    QVERIFY(std::fabs(found[0].bytes - 4 * Made.alpha / (6.25 * Made.beta)) < 1e-6);
    constexpr std::string_view TwoNames[] = {"tree", "ring"};
    const auto classic = crossovers(TwoNames, 8, Made, 64e6);
    QCOMPARE(classic.size(), std::size_t{1});
    const double tree = *algorithmSeconds("tree", 8, Made, classic[0].bytes);
    QVERIFY(std::fabs(*algorithmSeconds("ring", 8, Made, classic[0].bytes) / tree - 1.0) < 1e-9);
    QVERIFY(crossovers(TwoNames, 8, Made, classic[0].bytes / 2).empty());
    // However short the range is in which an algorithm is the fastest.
    constexpr std::string_view Four[] = {"parameter_server", "tree", "halving_doubling", "ring"};
    const auto close = crossovers(Four, 29, Made, 64e9);
    QCOMPARE(close.size(), std::size_t{3});
    QCOMPARE(close[0].above, std::string_view("tree"));
    QCOMPARE(close[1].above, std::string_view("halving_doubling"));
    QVERIFY(close[1].bytes < 1.05 * close[0].bytes);
    // With 4 ranks halving and doubling is never slower than the tree and never than the ring.
    constexpr std::string_view Three[] = {"halving_doubling", "tree", "ring"};
    QVERIFY(crossovers(Three, 4, Made, 64e6).empty());
}

LOCKSTEP_TEST(TestCommCost)
#include "test_comm_cost.moc"
