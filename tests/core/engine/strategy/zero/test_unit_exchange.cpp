// ZeRO-3 between ranks that read each other's parts of the weights: what a unit gets is what the ranks had at the last
// update, to the last bit, however late one of them is.
#include "core/engine/comm/group.h"
#include "core/engine/run_of.h"
#include "engine/strategy/zero/unit_exchange.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QtTest>

#include <chrono>
#include <thread>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

using Pass = UnitExchange::Pass;

/// Of a rank's part of a unit after some updates; exact in float32.
float weightAt(int update, int rank, std::size_t unit)
{
    return static_cast<float>(1000 * update + 100 * rank) + static_cast<float>(unit);
}

void update(Shards& shards, int number)
{
    for (std::size_t unit = 0; unit < shards.weights.size(); ++unit) {
        shards.weights[unit].fill_(weightAt(number, shards.rank, unit));
    }
}

Result<void> requireParts(const Shards& shards, std::size_t unit, int updates)
{
    const torch::Tensor& weights = shards.units[unit].weights;
    const std::int64_t part = weights.numel() / shards.ranks;
    for (int rank = 0; rank < shards.ranks; ++rank) {
        if (!(weights.narrow(0, rank * part, part) == weightAt(updates, rank, unit)).all().item<bool>()) {
            return Error{"after " + std::to_string(updates) + " updates unit " + std::to_string(unit)
                + " has another part of rank " + std::to_string(rank)};
        }
    }
    return {};
}

/// Forward and backward without arithmetic, by which the weights are compared.
Result<void> passes(UnitExchange& exchange, const Shards& shards, int updates)
{
    const std::size_t units = shards.units.size();
    for (std::size_t unit = 0; unit < units; ++unit) {
        LOCKSTEP_TRY(exchange.need(unit, unit + 1 < units ? std::optional(unit + 1) : std::nullopt));
        LOCKSTEP_TRY(requireParts(shards, unit, updates));
        exchange.release(unit, Pass::Forward);
    }
    for (std::size_t unit = units; unit-- > 0;) {
        LOCKSTEP_TRY(exchange.need(unit, unit > 0 ? std::optional(unit - 1) : std::nullopt));
        LOCKSTEP_TRY(requireParts(shards, unit, updates));
        LOCKSTEP_TRY(exchange.openGradients(unit));
        exchange.zeroGradients(unit);
        exchange.release(unit, Pass::Backward);
        exchange.reduce(unit, UnitExchange::Sum::Replaces);
    }
    return exchange.finish();
}

} // namespace

class TestUnitExchange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sharedWeightsAreThoseOfTheLastUpdate_data();
    void sharedWeightsAreThoseOfTheLastUpdate();
};

void TestUnitExchange::sharedWeightsAreThoseOfTheLastUpdate_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<bool>("prefetches");
    for (const int ranks : {1, 2, 4, 8}) {
        QTest::addRow("%d ranks", ranks) << ranks << true;
        QTest::addRow("%d ranks, without prefetch", ranks) << ranks << false;
    }
}

void TestUnitExchange::sharedWeightsAreThoseOfTheLastUpdate()
{
    QFETCH(int, ranks);
    QFETCH(bool, prefetches);
    const auto run = runOf({{"strategy.name", "zero"}, {"zero.stage", "3"}, {"world_size", std::to_string(ranks)},
        {"net.name", "deep-mlp"}, {"net.hidden", "21"}, {"train.batch", "8"}});
    const auto results = asRanks(ranks, [&](comm::Communicator& group) -> Result<void> {
        LOCKSTEP_TRY_ASSIGN(auto made, makeShardedNet(run, torch::kCPU, group.rank(), ranks));
        LOCKSTEP_TRY_ASSIGN(auto part, group.split(0, group.rank()));
        comm::WatchedCommunicator watched(std::move(part));
        UnitExchange exchange(made.shards, made.net, watched, plan::ZeroStage::Parameters,
            prefetches ? UnitExchange::Prefetch::Yes : UnitExchange::Prefetch::No);
        update(made.shards, 0);
        LOCKSTEP_TRY(exchange.shareWeights());
        std::int64_t bytes = 0;
        for (int updates = 0; updates < 5; ++updates) {
            LOCKSTEP_TRY(passes(exchange, made.shards, updates));
            if (group.rank() == updates % ranks) { // the others must not read what is not updated yet
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            update(made.shards, updates + 1);
            exchange.weightsChanged();
            bytes += exchange.takeBytesCopied();
        }
        // Every unit but the last twice a step, as many bytes as an all-gather sends; and no all-gather.
        std::int64_t expected = 0;
        for (std::size_t unit = 0; unit < made.shards.units.size(); ++unit) {
            const bool isLast = unit + 1 == made.shards.units.size();
            expected += static_cast<std::int64_t>(made.shards.weights[unit].nbytes()) * (ranks - 1) * (isLast ? 5 : 10);
        }
        if (bytes != expected || watched.takeBytesSent(comm::Collective::AllGather) != 0) {
            return Error{std::to_string(bytes) + " bytes, not " + std::to_string(expected)};
        }
        return watched.barrier();
    });
    QCOMPARE(firstError(results), std::string());
}

LOCKSTEP_TEST(TestUnitExchange)
#include "test_unit_exchange.moc"
