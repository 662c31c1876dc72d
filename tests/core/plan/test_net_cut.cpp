// Cuts of a net: contiguous, complete, no stage empty, and the balanced one as cheap as any there is.
#include "base/random.h"
#include "core/engine/run_of.h"
#include "plan/net.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

using namespace lockstep;
using namespace lockstep::plan;

namespace {

using Cut = std::vector<std::int64_t>;
using Cost = std::pair<std::int64_t, std::int64_t>; ///< FLOPs, parameters

/// Small numbers, so that equal ones come up.
std::vector<NetUnit> randomUnits(Random& random, std::size_t count)
{
    std::vector<NetUnit> units(count);
    for (NetUnit& unit : units) {
        unit.layers = 1 + static_cast<std::int64_t>(random.below(3));
        unit.forwardFlops = static_cast<std::int64_t>(random.below(6));
        unit.parameters = static_cast<std::int64_t>(random.below(6));
    }
    return units;
}

Cost costOf(const std::vector<NetUnit>& units, const Cut& cut)
{
    Cost most{0, 0};
    std::size_t unit = 0;
    for (const std::int64_t count : cut) {
        Cost stage{0, 0};
        for (std::int64_t i = 0; i < count; ++i, ++unit) {
            stage.first += units[unit].forwardFlops;
            stage.second += units[unit].parameters;
        }
        most = std::max(most, stage);
    }
    return most;
}

/// Of every cut of `units` from `first` on into `stages`, the cheapest's cost.
Cost cheapest(const std::vector<NetUnit>& units, Cut& begun, std::size_t first, std::int64_t stages)
{
    const auto left = static_cast<std::int64_t>(units.size() - first);
    if (stages == 1) {
        begun.push_back(left);
        const Cost cost = costOf(units, begun);
        begun.pop_back();
        return cost;
    }
    Cost best{std::numeric_limits<std::int64_t>::max(), 0};
    for (std::int64_t count = 1; count <= left - (stages - 1); ++count) {
        begun.push_back(count);
        best = std::min(best, cheapest(units, begun, first + static_cast<std::size_t>(count), stages - 1));
        begun.pop_back();
    }
    return best;
}

bool isWhole(const std::vector<NetUnit>& units, const Cut& cut, std::int64_t stages)
{
    return static_cast<std::int64_t>(cut.size()) == stages
        && std::all_of(cut.begin(), cut.end(), [](auto n) { return n > 0; })
        && std::accumulate(cut.begin(), cut.end(), std::int64_t{0}) == static_cast<std::int64_t>(units.size());
}

} // namespace

class TestNetCut : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void noOtherCutIsCheaper()
    {
        Random random(Seed{11});
        for (int trial = 0; trial < 300; ++trial) {
            const auto count = static_cast<std::int64_t>(1 + random.below(9));
            const std::vector<NetUnit> units = randomUnits(random, static_cast<std::size_t>(count));
            for (std::int64_t stages = 1; stages <= count; ++stages) {
                const Cut cut = balancedCut(units, stages);
                QVERIFY(isWhole(units, cut, stages));
                Cut begun;
                QVERIFY(costOf(units, cut) == cheapest(units, begun, 0, stages));
            }
        }
    }

    void stagesOfAnEvenCutDifferByOneUnit()
    {
        for (std::size_t count = 1; count <= 20; ++count) {
            const std::vector<NetUnit> units(count);
            for (std::int64_t stages = 1; stages <= static_cast<std::int64_t>(count); ++stages) {
                const Cut cut = evenCut(units, stages);
                QVERIFY(isWhole(units, cut, stages));
                const auto [fewest, most] = std::minmax_element(cut.begin(), cut.end());
                QVERIFY(*most - *fewest <= 1);
            }
        }
    }

    void layersFollowEachOther()
    {
        Random random(Seed{12});
        for (int trial = 0; trial < 50; ++trial) {
            const std::vector<NetUnit> units = randomUnits(random, 1 + random.below(12));
            const auto stages = static_cast<std::int64_t>(1 + random.below(units.size()));
            std::int64_t next = 0;
            for (const Slice& stage : layersOfStages(units, balancedCut(units, stages))) {
                QCOMPARE(stage.first, next);
                QVERIFY(stage.count > 0);
                next += stage.count;
            }
            QCOMPARE(next,
                std::accumulate(units.begin(), units.end(), std::int64_t{0},
                    [](std::int64_t sum, const NetUnit& unit) { return sum + unit.layers; }));
        }
    }

    void thereIsNoCutIntoMoreStagesThanUnits()
    {
        const std::vector<NetUnit> units(3);
        for (const std::int64_t stages : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{4}}) {
            QVERIFY(balancedCut(units, stages).empty());
            QVERIFY(evenCut(units, stages).empty());
        }
    }

    void ofEqualCutsTheOneWithTheSmallerNetIsTaken()
    {
        std::vector<NetUnit> units(3);
        units[0].forwardFlops = 4;
        units[2].forwardFlops = 4;
        units[0].parameters = 9;
        units[1].parameters = 5; // no work, but weights: it goes where there are fewer
        units[2].parameters = 2;
        QCOMPARE(balancedCut(units, 2), (Cut{1, 2}));
        std::swap(units[0].parameters, units[2].parameters);
        QCOMPARE(balancedCut(units, 2), (Cut{2, 1}));
    }

    void knownNets()
    {
        const std::vector<NetUnit> lenet = netUnits(runOf({{"net.name", "lenet5"}}));
        QCOMPARE(lenet.size(), std::size_t{5});
        QCOMPARE(parametersOf(lenet), std::int64_t{61'706});
        // 28 x 28 x 25 x 6 + 10 x 10 x 150 x 16 + 400 x 120 + 120 x 84 + 84 x 10 multiply-adds.
        QCOMPARE(forwardFlopsOf(lenet), std::int64_t{2 * 416'520});
        QCOMPARE(lenet[0].name, std::string("convolution 1 -> 6, 5 x 5, padding 2"));
        QCOMPARE(lenet[0].outputShape, (std::vector<std::int64_t>{6, 14, 14}));
        QCOMPARE(lenet[1].outputShape, (std::vector<std::int64_t>{400})); // flattened in its unit

        // Of 3 x 32 x 32 it takes the whole: nothing is padded, and 400 numbers are left as before.
        const std::vector<NetUnit> colours = netUnits(runOf({{"net.name", "lenet5"}, {"dataset.name", "cifar10"}}));
        QCOMPARE(colours[0].name, std::string("convolution 3 -> 6, 5 x 5"));
        QCOMPARE(colours[0].outputShape, (std::vector<std::int64_t>{6, 14, 14}));
        QCOMPARE(parametersOf(colours), std::int64_t{61'706 + 2 * 25 * 6});
        // 28 x 28 x 75 x 6 in the first convolution.
        QCOMPARE(forwardFlopsOf(colours), std::int64_t{2 * (416'520 + 28 * 28 * 2 * 25 * 6)});
        const std::vector<NetUnit> cnn = netUnits(runOf({{"net.name", "cnn"}, {"dataset.name", "cifar10"}}));
        QCOMPARE(cnn[1].outputShape, (std::vector<std::int64_t>{64 * 14 * 14}));
        QCOMPARE(cnn[2].name, std::string("linear 12544 -> 128"));

        const std::vector<NetUnit> deep = netUnits(runOf({{"net.name", "deep-mlp"}, {"net.depth", "9"}}));
        QCOMPARE(deep.size(), std::size_t{9});
        QCOMPARE(deep[0].layers, std::int64_t{3});
        QCOMPARE(deep[8].layers, std::int64_t{1});
        // 784 x 128 of the first layer is as much as the next six.
        QCOMPARE(balancedCut(deep, 2), (Cut{1, 8}));
        QCOMPARE(evenCut(deep, 2), (Cut{4, 5}));

        const std::vector<NetUnit> gpt = netUnits(
            runOf({{"net.name", "gpt"}, {"dataset.name", "text"}, {"net.width", "32"}, {"net.context", "16"}}));
        QCOMPARE(gpt.size(), std::size_t{6});
        QCOMPARE(gpt[1].parameters, std::int64_t{12 * 32 * 32 + 13 * 32});
        QCOMPARE(gpt[1].forwardFlops, std::int64_t{16 * 24 * 32 * 32 + 4 * 16 * 16 * 32});
        // Of 200 queries three blocks of 64 and one of 8, each with the keys up to its end.
        const std::vector<NetUnit> longer = netUnits(
            runOf({{"net.name", "gpt"}, {"dataset.name", "text"}, {"net.width", "32"}, {"net.context", "200"}}));
        QCOMPARE(longer[1].forwardFlops, std::int64_t{200 * 24 * 32 * 32 + 4 * 32 * (64 * (64 + 128 + 192) + 8 * 200)});
        QCOMPARE(balancedCut(gpt, 4), (Cut{2, 1, 1, 2})); // the look-up costs nothing, the head less than a block
    }
};

LOCKSTEP_TEST(TestNetCut)
#include "test_net_cut.moc"
