// The shares of a Dirichlet partition against the distribution's moments: with K ranks and one label, a rank's share of
// it is Beta(alpha, (K - 1) alpha), of mean 1/K and variance (1/K) (1 - 1/K) / (K alpha + 1).
#include "plan/partition/partition.h"
#include "program/test_class.h"

#include <QTest>

#include <cmath>
#include <numeric>
#include <vector>

using namespace lockstep;
using namespace lockstep::plan;

namespace {

constexpr std::int64_t Samples = 2000; ///< of each label: fine enough that whole samples change no moment

/// Each rank's share of each label, by draw: shares[draw][rank][label].
using Shares = std::vector<std::vector<std::vector<double>>>;

Shares drawn(int ranks, double alpha, int labels, int draws)
{
    std::vector<std::int64_t> all(static_cast<std::size_t>(Samples * labels));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<std::int64_t>(i) % labels;
    }
    Shares shares;
    for (int draw = 0; draw < draws; ++draw) {
        const Seed seed{static_cast<std::uint64_t>(draw)};
        const Partition partition = dirichletPartition(all, {.ranks = ranks, .seed = seed, .alpha = alpha, .least = 0});
        std::vector<std::vector<double>>& ofRanks = shares.emplace_back();
        for (const auto& share : partition.shares) {
            std::vector<double>& ofLabels = ofRanks.emplace_back(static_cast<std::size_t>(labels), 0.0);
            for (const std::int64_t sample : share) {
                ofLabels[static_cast<std::size_t>(all[static_cast<std::size_t>(sample)])] += 1.0 / Samples;
            }
        }
    }
    return shares;
}

struct Moments {
    double mean = 0.0;
    double variance = 0.0;
};

template <typename F>
Moments momentsOf(const Shares& shares, F value)
{
    Moments moments;
    for (const auto& draw : shares) {
        moments.mean += value(draw) / static_cast<double>(shares.size());
    }
    for (const auto& draw : shares) {
        const double apart = value(draw) - moments.mean;
        moments.variance += apart * apart / static_cast<double>(shares.size());
    }
    return moments;
}

} // namespace

class TestDirichlet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharesHaveTheMomentsOfTheLaw_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("alpha");
        QTest::addRow("alpha 0.1") << 4 << 0.1;
        QTest::addRow("alpha 0.5") << 4 << 0.5;
        QTest::addRow("alpha 1") << 4 << 1.0;
        QTest::addRow("alpha 5") << 4 << 5.0;
        QTest::addRow("two ranks, uniform") << 2 << 1.0;
    }

    void sharesHaveTheMomentsOfTheLaw()
    {
        QFETCH(int, ranks);
        QFETCH(double, alpha);
        constexpr int Draws = 8000;
        const Shares shares = drawn(ranks, alpha, 1, Draws);
        const double mean = 1.0 / ranks;
        const double variance = mean * (1.0 - mean) / (ranks * alpha + 1.0);
        for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
            const Moments found = momentsOf(shares, [rank](const auto& draw) { return draw[rank][0]; });
            // Four standard errors; that of the variance is largest, 2 %, where alpha is small.
            QVERIFY2(std::abs(found.mean - mean) < 4.0 * std::sqrt(variance / Draws),
                qPrintable(QString::number(found.mean)));
            QVERIFY2(std::abs(found.variance / variance - 1.0) < 0.08,
                qPrintable(QString::number(found.variance / variance)));
        }
    }

    void labelsAreDrawnOneByOne()
    {
        const Shares shares = drawn(4, 0.5, 2, 2000);
        const Moments first = momentsOf(shares, [](const auto& draw) { return draw[0][0]; });
        const Moments sum = momentsOf(shares, [](const auto& draw) { return draw[0][0] + draw[0][1]; });
        // Of independent numbers variances add up.
        QVERIFY2(std::abs(sum.variance / first.variance - 2.0) < 0.3,
            qPrintable(QString::number(sum.variance / first.variance)));
    }
};

LOCKSTEP_TEST(TestDirichlet)
#include "test_dirichlet.moc"
