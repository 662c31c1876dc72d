// The values behind the map of ranks: each rank's place and the ranks it works with, in words.
#include "program/test_class.h"
#include "ui/models/net/rank_map.h"

#include <QTest>

using namespace lockstep;
using ui::RankMap;

namespace {

RankMap mapOf(const QString& settings)
{
    const QString json
        = QStringLiteral(R"({"version":1,"experiment":"model-parallel","name":"x","base":{"net.name":"deep-mlp",%1}})");
    const auto spec = experiment::parseRunSpec(json.arg(settings).toStdString());
    if (!spec) {
        qFatal("%s", spec.error().message.c_str());
    }
    return ui::rankMap(*spec);
}

RankMap grid(int data, int pipeline, int tensor, const QString& more = {})
{
    return mapOf(QStringLiteral(
        R"("strategy.name":"grid","train.batch":512,"grid.data":%1,"grid.pipeline":%2,"grid.tensor":%3%4)")
                     .arg(data)
                     .arg(pipeline)
                     .arg(tensor)
                     .arg(more));
}

} // namespace

class TestRankMap : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGridHasItsShape()
    {
        const RankMap map = grid(2, 3, 4, QStringLiteral(R"(,"grid.zero":true)"));
        QVERIFY(map.isDivided && map.isGrid && map.hasZero && !map.isRing && map.canBeDrawn());
        QCOMPARE(map.shape.data, 2);
        QCOMPARE(map.shape.pipeline, 3);
        QCOMPARE(map.shape.tensor, 4);
        QCOMPARE(ui::rankCountText(map.shape.ranks()), QStringLiteral("24 ranks"));
        QVERIFY(map != grid(2, 3, 4));
        QVERIFY(grid(1, 1, 1).isDivided); // so that it can be made larger
    }

    void otherStrategies()
    {
        const RankMap pipeline = mapOf(QStringLiteral(R"("strategy.name":"pipeline","pipeline.stages":3)"));
        QVERIFY(pipeline.isDivided && !pipeline.isGrid);
        QCOMPARE(pipeline.shape.pipeline, 3);
        QCOMPARE(pipeline.shape.ranks(), 3);
        const RankMap tensor = mapOf(QStringLiteral(R"("strategy.name":"tensor","tensor.size":4)"));
        QVERIFY(tensor.isDivided && !tensor.isGrid);
        QCOMPARE(tensor.shape.tensor, 4);
        QVERIFY(!mapOf(QStringLiteral(R"("strategy.name":"data","world_size":4)")).isDivided);
        QVERIFY(!mapOf(QStringLiteral(R"("strategy.name":"tensor","tensor.size":1)")).isDivided);
    }

    /// 2 x 3 x 2: stage 1 has ranks 4 and 5 of copy 0, 6 and 7 of copy 1.
    void groups()
    {
        const ui::RankGroups groups = ui::groupsOf(5, grid(2, 3, 2));
        QCOMPARE(groups.copies, (std::vector<int>{7}));
        QCOMPARE(groups.stages, (std::vector<int>{1, 9}));
        QCOMPARE(groups.parts, (std::vector<int>{4}));
        QCOMPARE(groups.before, 1);
        QCOMPARE(groups.after, 9);
        const ui::RankGroups first = ui::groupsOf(1, grid(2, 3, 2));
        QCOMPARE(first.before, -1);
        QCOMPARE(first.after, 5);
        const ui::RankGroups last = ui::groupsOf(9, grid(2, 3, 2));
        QCOMPARE(last.before, 5);
        QCOMPARE(last.after, -1);
    }

    void words_data()
    {
        QTest::addColumn<RankMap>("map");
        QTest::addColumn<int>("rank");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("first stage") << grid(2, 2, 2) << 1
                                     << QStringList{QStringLiteral("Rank 1: copy 0, stage 0, part 1."),
                                            QStringLiteral("Sums gradients with rank 3."),
                                            QStringLiteral("Passes activations to rank 5."),
                                            QStringLiteral("Shares its layers with rank 0.")};
        QTest::newRow("last stage") << grid(2, 2, 2) << 6
                                    << QStringList{QStringLiteral("Rank 6: copy 1, stage 1, part 0."),
                                           QStringLiteral("Sums gradients with rank 4."),
                                           QStringLiteral("Receives activations from rank 2."),
                                           QStringLiteral("Shares its layers with rank 7.")};
        QTest::newRow("between, many copies, ZeRO")
            << grid(8, 3, 1, QStringLiteral(R"(,"grid.zero":true)")) << 9
            << QStringList{QStringLiteral("Rank 9: copy 1, stage 1."),
                   QStringLiteral("Sums gradients with ranks 8, 10, 11, …, 15; each keeps 1/8 of the optimizer state."),
                   QStringLiteral("Receives activations from rank 1, passes its own to rank 17.")};
        const QString interleaved = QStringLiteral(R"(,"pipeline.schedule":"interleaved")");
        QTest::newRow("interleaved") << grid(1, 4, 1, interleaved + QStringLiteral(R"(,"net.depth":12)")) << 3
                                     << QStringList{QStringLiteral("Rank 3: stage 3."),
                                            QStringLiteral(
                                                "Receives activations from rank 2, passes its own to rank 0.")};
        QTest::newRow("interleaved by two")
            << grid(1, 2, 1, interleaved) << 0
            << QStringList{QStringLiteral("Rank 0: stage 0."), QStringLiteral("Exchanges activations with rank 1.")};
        QTest::newRow("alone") << grid(1, 1, 1) << 0 << QStringList{QStringLiteral("Rank 0 holds the whole net.")};
    }

    void words()
    {
        QFETCH(RankMap, map);
        QFETCH(int, rank);
        QFETCH(QStringList, words);
        QCOMPARE(ui::rankInWords(rank, map), words);
    }
};

LOCKSTEP_TEST(TestRankMap)
#include "test_rank_map.moc"
