// Batches: the samples that the sampler gives, images with their labels, of one rank and of all.
#include "core/engine/run_of.h"
#include "engine/data/batches.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QSet>
#include <QtTest>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

/// Image i is full of i, and so is its label.
LabelledInputs numbered(std::int64_t count)
{
    const torch::Tensor labels = torch::arange(count, torch::kLong);
    return {labels.to(torch::kFloat).view({count, 1, 1, 1}).expand({count, 1, 28, 28}).contiguous(), labels};
}

std::unique_ptr<plan::DistributedSampler> samplerOf(
    std::int64_t samples, int ranks, const std::string& seed = "3", const std::string& partition = "reshuffled")
{
    const auto run = runOf(
        {{"strategy.name", "data"}, {"train.batch", "16"}, {"train.seed", seed}, {"partition.name", partition}});
    const std::vector<std::int64_t> labels(static_cast<std::size_t>(samples), 0);
    auto partitioned = plan::partitionData(run, ranks, labels, 1);
    return partitioned ? std::move(partitioned->sampler) : nullptr;
}

QList<qint64> labelsOf(const Batch& batch)
{
    const auto* begin = batch.labels.data_ptr<std::int64_t>();
    return QList<qint64>(begin, begin + batch.size());
}

QList<qint64> epochOf(Batches& batches, std::int64_t epoch, std::int64_t stepsPerEpoch)
{
    QList<qint64> order;
    for (std::int64_t i = 1; i <= stepsPerEpoch; ++i) {
        order += labelsOf(batches.ofAll(epoch * stepsPerEpoch + i));
    }
    return order;
}

} // namespace

class TestBatches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEpochHoldsEverySampleOnce()
    {
        const LabelledInputs images = numbered(100);
        const auto sampler = samplerOf(100, 1);
        Batches batches(images, *sampler);
        for (std::int64_t step = 1; step <= 14; ++step) {
            QCOMPARE(batches.ofRank(step, 0).size(), step % 7 == 0 ? 4 : 16);
        }
        const QList<qint64> order = epochOf(batches, 2, 7);
        QCOMPARE(order.size(), 100);
        QCOMPARE(QSet<qint64>(order.begin(), order.end()).size(), 100);
    }

    void imagesStayWithTheirLabels()
    {
        const LabelledInputs images = numbered(50);
        const auto sampler = samplerOf(50, 3, "3", "random");
        Batches batches(images, *sampler);
        for (std::int64_t step = 1; step <= 14; ++step) {
            for (const Batch& batch : {batches.ofRank(step, 2), batches.ofAll(step)}) {
                QVERIFY(torch::equal(batch.inputs.amin({1, 2, 3}), batch.labels.to(torch::kFloat)));
                QVERIFY(torch::equal(batch.inputs.amax({1, 2, 3}), batch.labels.to(torch::kFloat)));
            }
        }
    }

    void orderFollowsSeedAndEpoch()
    {
        const LabelledInputs images = numbered(64);
        const auto sampler = samplerOf(64, 1);
        const auto same = samplerOf(64, 1);
        const auto another = samplerOf(64, 1, "4");
        Batches first(images, *sampler);
        Batches again(images, *same);
        Batches other(images, *another);
        const QList<qint64> order = epochOf(first, 0, 4);
        QVERIFY(epochOf(first, 1, 4) != order);
        QVERIFY(epochOf(other, 0, 4) != order);
        // Asked for out of order, the steps are still the same.
        QVERIFY(epochOf(again, 1, 4) != order);
        QCOMPARE(epochOf(again, 0, 4), order);
    }

    void theRanksTogetherHaveTheBatchOfAll()
    {
        const LabelledInputs images = numbered(90);
        for (const char* partition : {"reshuffled", "random", "unequal", "random-sampling"}) {
            const auto sampler = samplerOf(90, 3, "3", partition);
            Batches batches(images, *sampler);
            for (std::int64_t step = 1; step <= 8; ++step) {
                QList<qint64> together;
                for (int rank = 0; rank < 3; ++rank) {
                    together += labelsOf(batches.ofRank(step, rank));
                }
                QCOMPARE(labelsOf(batches.ofAll(step)), together);
            }
        }
    }
};

LOCKSTEP_TEST(TestBatches)
#include "test_batches.moc"
