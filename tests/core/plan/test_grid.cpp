// The places of ranks in a grid of copies, stages and parts, and which grids and shares are valid.
#include "core/engine/run_of.h"
#include "plan/check.h"
#include "plan/grid.h"
#include "plan/net.h"
#include "program/test_class.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <set>

using namespace lockstep;
using namespace lockstep::plan;

namespace {

using Overrides = std::vector<experiment::Override>;

/// The error of such a run: in its parameters, or one that only the plan finds.
std::string problemOf(const Overrides& overrides)
{
    const auto spec = experiment::customise(
        experiment::Spec{.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, overrides, {});
    if (!spec) {
        return spec.error().message;
    }
    const auto runs = experiment::expand(*spec);
    return !runs ? runs.error().message : messageOf(check(runs->front()));
}

} // namespace

class TestGrid : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyRankStandsAtAPlaceOfItsOwn()
    {
        for (const GridShape& shape :
            {GridShape{2, 2, 2}, GridShape{3, 1, 2}, GridShape{1, 4, 1}, GridShape{2, 3, 4}}) {
            std::set<std::array<int, 3>> places;
            for (int rank = 0; rank < shape.ranks(); ++rank) {
                const GridPlace place = placeOf(rank, shape);
                QCOMPARE(rankAt(place, shape), rank);
                QVERIFY(place.data < shape.data && place.stage < shape.pipeline && place.part < shape.tensor);
                places.insert({place.data, place.stage, place.part});
            }
            QCOMPARE(places.size(), static_cast<std::size_t>(shape.ranks()));
        }
    }

    void groupsDifferInOneCoordinateAndCoverAllRanks()
    {
        const GridShape shape{2, 3, 4};
        // Parts of a layer communicate most: they are neighbours; stages least: furthest apart.
        QCOMPARE(partsOf(5, shape), (std::vector<int>{4, 5, 6, 7}));
        QCOMPARE(copiesOf(5, shape), (std::vector<int>{1, 5}));
        QCOMPARE(stagesOf(5, shape), (std::vector<int>{5, 13, 21}));
        for (const auto groupOf : {copiesOf, stagesOf, partsOf}) {
            std::vector<int> all;
            for (int rank = 0; rank < shape.ranks(); ++rank) {
                const std::vector<int> group = groupOf(rank, shape);
                QVERIFY(std::find(group.begin(), group.end(), rank) != group.end());
                QCOMPARE(groupOf(group.front(), shape), group); // the others say the same
                if (group.front() == rank) {
                    all.insert(all.end(), group.begin(), group.end());
                }
            }
            std::sort(all.begin(), all.end());
            QCOMPARE(all.size(), static_cast<std::size_t>(shape.ranks()));
            QVERIFY(std::adjacent_find(all.begin(), all.end()) == all.end());
        }
    }

    void strategiesAreGrids()
    {
        const auto shapeOf = [](const Overrides& overrides) {
            const GridShape shape = gridShape(runOf(overrides));
            return std::array{shape.data, shape.pipeline, shape.tensor};
        };
        QCOMPARE(shapeOf({}), (std::array{1, 1, 1}));
        QCOMPARE(shapeOf({{"strategy.name", "data"}, {"world_size", "3"}}), (std::array{3, 1, 1}));
        QCOMPARE(shapeOf({{"strategy.name", "pipeline"}, {"pipeline.stages", "2"}}), (std::array{1, 2, 1}));
        QCOMPARE(shapeOf({{"strategy.name", "tensor"}, {"tensor.size", "4"}}), (std::array{1, 1, 4}));
        QCOMPARE(shapeOf({{"strategy.name", "grid"}, {"grid.data", "2"}, {"grid.pipeline", "1"}, {"grid.tensor", "3"}}),
            (std::array{2, 1, 3}));
    }

    void whatCannotBeSharedIsRefused_data()
    {
        QTest::addColumn<Overrides>("overrides");
        QTest::addColumn<QString>("message");
        const Overrides gpt{{"net.name", "gpt"}, {"dataset.name", "text"}};
        const auto with = [](Overrides all, const Overrides& more) {
            all.insert(all.end(), more.begin(), more.end());
            return all;
        };
        const Overrides tensor{{"strategy.name", "tensor"}};
        QTest::addRow("heads") << with(gpt, with(tensor, {{"tensor.size", "3"}}))
                               << "tensor.size: 3 ranks cannot share the 4 heads of net.heads equally; their number "
                                  "must divide it";
        QTest::addRow("more ranks than heads")
            << with(gpt, with(tensor, {{"tensor.size", "8"}}))
            << "tensor.size: 8 ranks cannot share the 4 heads of net.heads equally; their number "
               "must divide it";
        QTest::addRow("channels") << with(tensor, {{"net.name", "lenet5"}, {"tensor.size", "7"}})
                                  << "tensor.size: 7 ranks are more than the 6 outputs of `convolution 1 -> 6, 5 x "
                                     "5, padding 2` that they would share; use at most 6";
        QTest::addRow("world size") << with(tensor, {{"tensor.size", "4"}, {"world_size", "3"}})
                                    << "world_size: 3 does not fit strategy.name tensor, which needs one rank for "
                                       "each of the 4 parts of a layer (tensor.size)";
        QTest::addRow("whole batch") << with(tensor, {{"optimizer.name", "gd"}})
                                     << "optimizer.name: gd needs the gradient of the whole set at once, but "
                                        "strategy.name tensor trains on batches; use sgd";
        const Overrides grid{{"strategy.name", "grid"}, {"net.name", "deep-mlp"}};
        QTest::addRow("grid, world size") << with(grid, {{"world_size", "6"}})
                                          << "world_size: 6 does not fit strategy.name grid, whose 2 x 2 x 1 "
                                             "(grid.data x grid.pipeline x grid.tensor) need 4 ranks";
        QTest::addRow("grid, too many")
            << with(grid, {{"grid.data", "8"}, {"grid.pipeline", "4"}, {"grid.tensor", "3"}})
            << "grid.data: 96 ranks are too many (grid.data x grid.pipeline x grid.tensor); use at most 64";
        QTest::addRow("grid, stages") << with(grid, {{"grid.pipeline", "9"}})
                                      << "grid.pipeline: 9 is too many; deep-mlp has only 8 layers to split";
        QTest::addRow("grid, batch") << with(grid, {{"train.batch", "6"}})
                                     << "pipeline.microbatches: 4 is more than the 3 samples of a batch that each "
                                        "copy of the net processes";
        QTest::addRow("grid, heads") << with(gpt, {{"strategy.name", "grid"}, {"grid.tensor", "3"}})
                                     << "grid.tensor: 3 ranks cannot share the 4 heads of net.heads equally; their "
                                        "number must divide it";
        QTest::addRow("possible") << with(grid, {{"grid.tensor", "2"}, {"world_size", "8"}}) << "";
    }

    void whatCannotBeSharedIsRefused()
    {
        QFETCH(Overrides, overrides);
        QFETCH(QString, message);
        QCOMPARE(QString::fromStdString(problemOf(overrides)), message);
    }
};

LOCKSTEP_TEST(TestGrid)
#include "test_grid.moc"
