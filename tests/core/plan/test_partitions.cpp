// Properties of every partition over random sizes, worlds and labels; of samplers; and of the sizes of the ranks'
// batches.
#include "core/engine/run_of.h"
#include "core/experiment/overrides.h"
#include "plan/partition/distributed_sampler.h"
#include "plan/partition/sampler.h"
#include "plan/steps.h"
#include "program/test_class.h"

#include <QtTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace lockstep;
using namespace lockstep::plan;

namespace {

constexpr std::int64_t Classes = 10;

struct World {
    std::vector<std::int64_t> labels;
    PartitionOptions options;
};

World randomWorld(Random& random)
{
    World world;
    world.options.ranks = 1 + static_cast<int>(random.below(12));
    const auto fewest = static_cast<std::uint64_t>(world.options.ranks) * 3;
    world.labels.resize(fewest + random.below(2000));
    for (auto& label : world.labels) {
        label = static_cast<std::int64_t>(random.below(Classes));
    }
    world.options.seed = Seed{random.next()};
    world.options.alpha = std::exp(random.uniform(-3.0, 3.0));
    world.options.shards = 1 + static_cast<std::int64_t>(random.below(3));
    for (int rank = 0; rank < world.options.ranks; ++rank) {
        world.options.proportions.push_back(random.uniform(0.5, 2.0));
    }
    return world;
}

bool areDisjointAndComplete(const Partition& partition, std::size_t samples)
{
    std::vector<std::int64_t> all;
    for (const auto& share : partition.shares) {
        all.insert(all.end(), share.begin(), share.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> wanted(samples);
    std::iota(wanted.begin(), wanted.end(), std::int64_t{0});
    return all == wanted;
}

std::vector<std::int64_t> labelsOf(std::size_t count)
{
    std::vector<std::int64_t> labels(count);
    for (std::size_t i = 0; i < count; ++i) {
        labels[i] = static_cast<std::int64_t>(i * 7 % Classes);
    }
    return labels;
}

} // namespace

class TestPartitions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void properties_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const PartitionKind& kind : partitionKinds()) {
            QTest::newRow(kind.name.data()) << QByteArray(kind.name.data(), static_cast<int>(kind.name.size()));
        }
    }

    void properties()
    {
        QFETCH(QByteArray, name);
        Random random(Seed{17});
        for (int trial = 0; trial < 60; ++trial) {
            const World world = randomWorld(random);
            const auto partition = makePartition(name.toStdString(), world.labels, world.options);
            QVERIFY2(partition, partition ? "" : partition.error().message.c_str());
            QCOMPARE(partition->shares.size(), static_cast<std::size_t>(world.options.ranks));
            if (!partition->isDrawnAnew) {
                QVERIFY(areDisjointAndComplete(*partition, world.labels.size()));
            }
            QCOMPARE(makePartition(name.toStdString(), world.labels, world.options)->shares, partition->shares);

            const auto shares = summarise(*partition, world.labels, Classes);
            for (std::size_t rank = 0; rank < shares.size(); ++rank) {
                QCOMPARE(shares[rank].samples, static_cast<std::int64_t>(partition->shares[rank].size()));
                for (std::int64_t label = 0; label < Classes; ++label) {
                    const auto counted = std::count_if(partition->shares[rank].begin(), partition->shares[rank].end(),
                        [&](std::int64_t i) { return world.labels[static_cast<std::size_t>(i)] == label; });
                    QCOMPARE(shares[rank].labels[static_cast<std::size_t>(label)], static_cast<std::int64_t>(counted));
                }
                QVERIFY(partition->isDrawnAnew || shares[rank].shared == 0);
            }
        }
    }

    void sizesAreWhatIsAskedFor()
    {
        Random random(Seed{5});
        for (int trial = 0; trial < 60; ++trial) {
            const World world = randomWorld(random);
            const auto n = static_cast<std::int64_t>(world.labels.size());
            for (const char* equal : {"random", "contiguous", "strided", "random-sampling"}) {
                const auto partition = makePartition(equal, world.labels, world.options);
                for (const auto& share : partition->shares) {
                    const auto size = static_cast<std::int64_t>(share.size());
                    QVERIFY(size == n / world.options.ranks || size == n / world.options.ranks + 1);
                }
            }
            const double sum = std::accumulate(world.options.proportions.begin(), world.options.proportions.end(), 0.0);
            const auto unequal = makePartition("unequal", world.labels, world.options);
            for (std::size_t rank = 0; rank < unequal->shares.size(); ++rank) {
                const double exact = static_cast<double>(n) * world.options.proportions[rank] / sum;
                QVERIFY(std::abs(static_cast<double>(unequal->shares[rank].size()) - exact) <= 1.0);
            }
        }
    }

    void aRankKnowsFewLabelsByLabel()
    {
        const auto labels = labelsOf(2000);
        const auto partition = makePartition("by-label", labels, {.ranks = 5, .seed = Seed{3}, .shards = 2});
        for (const ShareSummary& share : summarise(*partition, labels, Classes)) {
            const auto known = std::count_if(share.labels.begin(), share.labels.end(), [](auto n) { return n > 0; });
            QVERIFY(known <= 2);
            QCOMPARE(share.samples, std::int64_t{400});
        }
    }

    void dirichletTendsToEqual()
    {
        const auto labels = labelsOf(10'000);
        double before = 2.0;
        for (const double alpha : {0.05, 0.5, 5.0, 50.0, 500'000.0}) {
            double skew = 0.0;
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                const auto partition
                    = makePartition("dirichlet", labels, {.ranks = 4, .seed = Seed{seed}, .alpha = alpha});
                std::vector<std::vector<std::int64_t>> byRank;
                for (const ShareSummary& share : summarise(*partition, labels, Classes)) {
                    byRank.push_back(share.labels);
                }
                skew += labelSkew(byRank) / 10;
            }
            QVERIFY2(
                skew < before * 0.8, qPrintable(QStringLiteral("%1: %2 after %3").arg(alpha).arg(skew).arg(before)));
            before = skew;
        }
        QVERIFY(before < 0.01);
        const auto equal = makePartition("dirichlet", labels, {.ranks = 4, .seed = Seed{1}, .alpha = 1e6});
        for (const auto& share : equal->shares) {
            QVERIFY(std::abs(static_cast<double>(share.size()) - 2500.0) < 40.0);
        }
    }

    void dirichletLeavesNobodyWithTooLittle()
    {
        const auto labels = labelsOf(2000);
        std::int64_t redraws = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto partition
                = makePartition("dirichlet", labels, {.ranks = 8, .seed = Seed{seed}, .alpha = 0.05, .least = 16});
            QVERIFY(areDisjointAndComplete(*partition, labels.size()));
            for (const auto& share : partition->shares) {
                QVERIFY(share.size() >= 16);
            }
            redraws += partition->redraws;
        }
        QVERIFY(redraws > 0);
        // More than there is cannot be had: everyone gets as much as the others.
        const auto poor
            = makePartition("dirichlet", labels, {.ranks = 8, .seed = Seed{1}, .alpha = 0.001, .least = 10'000});
        for (const auto& share : poor->shares) {
            QCOMPARE(share.size(), std::size_t{250});
        }
    }

    void dataOfOneClass()
    {
        const std::vector<std::int64_t> labels(100, 0);
        for (const PartitionKind& kind : partitionKinds()) {
            const auto partition
                = makePartition(kind.name, labels, {.ranks = 4, .proportions = {1, 1, 1, 1}, .least = 5});
            QVERIFY(partition);
            const auto shares = summarise(*partition, labels, 1);
            QCOMPARE(
                labelSkew(std::vector{shares[0].labels, shares[1].labels, shares[2].labels, shares[3].labels}), 0.0);
        }
    }

    void whatCannotBePartitionedIsRefused()
    {
        const auto messageOf
            = [](const auto& result) { return result ? QString() : QString::fromStdString(result.error().message); };
        const std::vector<std::int64_t> five{0, 1, 2, 3, 4};
        for (const PartitionKind& kind : partitionKinds()) {
            QCOMPARE(messageOf(makePartition(kind.name, five, {.ranks = 8})),
                QString("world_size: 5 training samples are not enough for 8 ranks"));
        }
        QCOMPARE(messageOf(makePartition("by-label", five, {.ranks = 3})),
            QString("partition.shards: 2 for each of 3 ranks is more than the 5 training samples"));
        QCOMPARE(messageOf(makePartition("unequal", five, {.ranks = 3, .proportions = {1, 2}})),
            QString("partition.shares: 2 proportions for 3 ranks; give one for each"));
        QCOMPARE(messageOf(makePartition("unequal", five, {.ranks = 3, .proportions = {1, 1, 1e-9}})),
            QString("partition.name: unequal leaves rank 2 without a sample; use fewer ranks or other shares"));
    }

    void overlapIsCounted()
    {
        const auto labels = labelsOf(1000);
        auto partition = makePartition("random", labels, {.ranks = 4, .seed = Seed{9}});
        addOverlap(*partition, 0.2, 1000, Seed{4});
        for (const auto& share : partition->shares) {
            QCOMPARE(share.size(), std::size_t{300});
            QCOMPARE(std::set<std::int64_t>(share.begin(), share.end()).size(), std::size_t{300});
        }
        std::int64_t shared = 0;
        for (const ShareSummary& share : summarise(*partition, labels, Classes)) {
            QVERIFY(share.shared >= 50);
            shared += share.shared;
        }
        std::vector<int> owners(1000, 0);
        for (const auto& share : partition->shares) {
            for (const std::int64_t sample : share) {
                ++owners[static_cast<std::size_t>(sample)];
            }
        }
        const auto inCommon = std::accumulate(
            owners.begin(), owners.end(), 0, [](int sum, int owned) { return sum + (owned > 1 ? owned : 0); });
        QCOMPARE(shared, static_cast<std::int64_t>(inCommon));
    }

    void apportionsByLargestRemainders()
    {
        using Counts = std::vector<std::int64_t>;
        QCOMPARE(apportion(10, std::vector<double>{1, 1, 1}), (Counts{4, 3, 3}));
        QCOMPARE(apportion(64, std::vector<double>{1, 2, 3, 4}), (Counts{6, 13, 19, 26}));
        QCOMPARE(apportion(7, std::vector<double>{0, 1}), (Counts{0, 7}));
        QCOMPARE(apportion(0, std::vector<double>{1, 1}), (Counts{0, 0}));
    }

    void samplersDoAsTheFieldDoes()
    {
        ShareSampler share({3, 5, 7, 9}, 4, Seed{1});
        const auto epoch = [](Sampler& sampler, std::int64_t number) {
            sampler.setEpoch(number);
            const auto indices = sampler.indices();
            return std::vector<std::int64_t>(indices.begin(), indices.end());
        };
        const auto first = epoch(share, 0);
        QCOMPARE(std::set<std::int64_t>(first.begin(), first.end()), (std::set<std::int64_t>{3, 5, 7, 9}));
        bool hasChanged = false;
        for (std::int64_t number = 1; number < 8; ++number) {
            hasChanged = hasChanged || epoch(share, number) != first;
        }
        QVERIFY(hasChanged);
        QCOMPARE(epoch(share, 0), first);

        ShareSampler padded({3, 5, 7}, 7, Seed{1});
        const auto more = epoch(padded, 0);
        QCOMPARE(more.size(), std::size_t{7});
        QCOMPARE(std::set<std::int64_t>(more.begin(), more.begin() + 3).size(), std::size_t{3});
        for (const std::int64_t sample : {3, 5, 7}) {
            QVERIFY(std::count(more.begin(), more.end(), sample) >= 2);
        }
        std::set<std::int64_t> seen;
        ShareSampler cut({1, 2, 3, 4, 5, 6}, 2, Seed{1});
        for (std::int64_t number = 0; number < 20; ++number) {
            const auto some = epoch(cut, number);
            QCOMPARE(std::set<std::int64_t>(some.begin(), some.end()).size(), std::size_t{2});
            seen.insert(some.begin(), some.end());
        }
        QCOMPARE(seen.size(), std::size_t{6});

        ReplacementSampler drawn(50, 1000, Seed{1});
        const auto draws = epoch(drawn, 3);
        QVERIFY(std::all_of(draws.begin(), draws.end(), [](auto i) { return i >= 0 && i < 50; }));
        QVERIFY(std::set<std::int64_t>(draws.begin(), draws.end()).size() > 45);
    }

    /// Everyone's share once an epoch, in batches in proportion to it, in the same number of steps.
    void unevenSharesEndTogether()
    {
        const auto labels = labelsOf(1003);
        const auto run = runOf({{"strategy.name", "data"}, {"world_size", "4"}, {"partition.name", "unequal"},
            {"partition.shares", "1,2,3,4"}, {"train.batch", "64"}});
        auto partitioned = partitionData(run, 4, labels, Classes);
        QVERIFY(partitioned);
        DistributedSampler& sampler = *partitioned->sampler;
        QCOMPARE(sampler.samplesPerEpoch(), std::int64_t{1003});
        for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
            std::multiset<std::int64_t> seen;
            for (std::int64_t step = epoch * 16 + 1; step <= epoch * 16 + 16; ++step) {
                QCOMPARE(sampler.countOfAll(step), step % 16 == 0 ? 1003 - 15 * 64 : 64);
                for (int rank = 0; rank < 4; ++rank) {
                    const auto indices = sampler.indices(step, rank);
                    QCOMPARE(static_cast<std::int64_t>(indices.size()), sampler.count(step, rank));
                    if (step % 16 != 0) {
                        QVERIFY(std::abs(static_cast<double>(indices.size()) - 6.4 * (rank + 1)) <= 1.0);
                    }
                    seen.insert(indices.begin(), indices.end());
                }
            }
            QCOMPARE(seen.size(), std::size_t{1003});
            QCOMPARE(std::set<std::int64_t>(seen.begin(), seen.end()).size(), std::size_t{1003});
        }
        QCOMPARE(sampler.count(3, 2), sampler.count(19, 2)); // asked for out of order
    }

    void paddedAndCutSharesAreEqual()
    {
        const auto labels = labelsOf(1000);
        for (const auto& [uneven, samples] : {std::pair("pad", 1600), std::pair("cut", 400)}) {
            const auto run = runOf({{"strategy.name", "data"}, {"world_size", "4"}, {"partition.name", "unequal"},
                {"partition.uneven", uneven}, {"train.batch", "40"}});
            auto partitioned = partitionData(run, 4, labels, Classes);
            QVERIFY(partitioned);
            QCOMPARE(partitioned->sampler->samplesPerEpoch(), std::int64_t{samples});
            for (std::int64_t step = 1; step <= 20; ++step) {
                for (int rank = 0; rank < 4; ++rank) {
                    QCOMPARE(partitioned->sampler->count(step, rank), std::int64_t{10});
                }
            }
        }
    }

    void setEpochOffRepeatsTheFirstEpoch_data()
    {
        QTest::addColumn<QString>("settings");
        for (const char* settings :
            {"partition.name=reshuffled", "partition.name=random", "partition.name=random-sampling",
                "partition.name=by-label", "partition.name=strided strategy.name=zero",
                "partition.name=unequal partition.uneven=cut", "partition.name=unequal partition.uneven=pad"}) {
            QTest::newRow(settings) << QString(settings);
        }
    }

    void setEpochOffRepeatsTheFirstEpoch()
    {
        QFETCH(QString, settings);
        const auto labels = labelsOf(480);
        for (const bool setsEpoch : {true, false}) {
            const auto run = runOf(withSettings({{"strategy.name", "data"}, {"world_size", "3"}, {"train.batch", "48"},
                                                    {"partition.set_epoch", setsEpoch ? "true" : "false"}},
                settings));
            auto partitioned = partitionData(run, 3, labels, Classes);
            QVERIFY(partitioned);
            DistributedSampler& sampler = *partitioned->sampler;
            const std::int64_t steps = stepPlan(run, sampler.samplesPerEpoch()).stepsPerEpoch;
            const auto samplesOf = [&sampler](std::int64_t step, int rank) {
                const auto indices = sampler.indices(step, rank);
                return std::vector<std::int64_t>(indices.begin(), indices.end());
            };
            for (int rank = 0; rank < 3; ++rank) {
                for (std::int64_t step = 1; step <= steps; ++step) {
                    const auto first = samplesOf(step, rank);
                    QVERIFY(!first.empty());
                    QCOMPARE(samplesOf(step + steps, rank) == first, !setsEpoch);
                    QCOMPARE(samplesOf(step + 7 * steps, rank) == first, !setsEpoch);
                }
            }
        }
    }

    void wholeBatchesAreWholeShares()
    {
        const auto labels = labelsOf(300);
        const auto run = runOf(
            {{"strategy.name", "data"}, {"world_size", "3"}, {"partition.name", "unequal"}, {"optimizer.name", "gd"}});
        auto partitioned = partitionData(run, 3, labels, Classes);
        QVERIFY(partitioned);
        for (int rank = 0; rank < 3; ++rank) {
            QCOMPARE(partitioned->sampler->count(5, rank), std::int64_t{50} * (rank + 1));
        }
    }
};

LOCKSTEP_TEST(TestPartitions)
#include "test_partitions.moc"
