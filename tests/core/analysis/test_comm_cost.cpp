#include "analysis/comm_cost.h"
#include "base/random.h"
#include "plan/all_reduce_messages.h"
#include "program/test_class.h"

#include <QTest>

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
    void neitherIsNegative();
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
    QCOMPARE(cost("parameter_server", 8).seconds(link, 1e6), 2e-6 + 14e-3);
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
            QVERIFY(std::fabs(seconds("parameter_server") - 2 * (Made.alpha + (ranks - 1) * bytes * Made.beta))
                < 1e-12 * seconds("parameter_server"));
        }
    }
}

void TestCommCost::oneRankCostsNothing()
{
    for (const std::string_view name : plan::allReduceAlgorithms()) {
        const double seconds = *algorithmSeconds(name, 1, Made, 1e6);
        QVERIFY2(seconds == 0.0, std::string(name).c_str());
    }
}

void TestCommCost::theFitFindsWhatWasMadeUp_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<double>("noise");
    for (const std::string_view name : plan::allReduceAlgorithms()) {
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

void TestCommCost::crossoversLieWhereTheTimesAreEqual()
{
    constexpr std::string_view Names[] = {"ring", "tree", "halving_doubling", "parameter_server"};
    const auto found = crossovers(Names, 8, Made, 64e6);
    QCOMPARE(found.size(), std::size_t{1}); // the server's two messages first, then as few bytes as can be
    QCOMPARE(found[0].below, std::string_view("parameter_server"));
    QCOMPARE(found[0].above, std::string_view("halving_doubling"));
    // 2 a + 14 n b = 6 a + 1.75 n b
    QVERIFY(std::fabs(found[0].bytes - 4 * Made.alpha / (12.25 * Made.beta)) < 1e-6);
    constexpr std::string_view TwoNames[] = {"tree", "ring"};
    const auto classic = crossovers(TwoNames, 8, Made, 64e6);
    QCOMPARE(classic.size(), std::size_t{1});
    const double tree = *algorithmSeconds("tree", 8, Made, classic[0].bytes);
    QVERIFY(std::fabs(*algorithmSeconds("ring", 8, Made, classic[0].bytes) / tree - 1.0) < 1e-9);
    QVERIFY(crossovers(TwoNames, 8, Made, classic[0].bytes / 2).empty());
    // With 4 ranks halving and doubling is never slower than the tree and never than the ring.
    constexpr std::string_view Three[] = {"halving_doubling", "tree", "ring"};
    QVERIFY(crossovers(Three, 4, Made, 64e6).empty());
}

LOCKSTEP_TEST(TestCommCost)
#include "test_comm_cost.moc"
