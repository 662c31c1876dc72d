// The values behind the picture of a net: the plan's layers, parts and cuts.
#include "experiment/spec.h"
#include "plan/net.h"
#include "plan/pipeline/parts.h"
#include "program/test_class.h"
#include "ui/models/net/net_picture.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace lockstep;
using ui::NetPicture;

namespace {

experiment::RunSpec drawnSpec(const QString& settings)
{
    const QString json = QStringLiteral(R"({"version":1,"experiment":"model-parallel","name":"p2p","base":{%1}})");
    auto spec = experiment::parseRunSpec(json.arg(settings).toStdString());
    if (!spec) {
        qFatal("%s", spec.error().message.c_str());
    }
    return *spec;
}

QString pipeline(const QString& more)
{
    return QStringLiteral(R"("strategy.name":"pipeline",)") + more;
}

} // namespace

class TestNetPicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNetIsThePlansNet_data()
    {
        QTest::addColumn<QString>("settings");
        for (const char* net : {"mlp", "cnn", "lenet5", "deep-mlp"}) {
            QTest::newRow(net) << pipeline(QStringLiteral(R"("net.name":"%1")").arg(QLatin1String(net)));
        }
        QTest::newRow("cifar10") << pipeline(QStringLiteral(R"("net.name":"cnn","dataset.name":"cifar10")"));
        QTest::newRow("gpt") << pipeline(QStringLiteral(R"("net.name":"gpt","dataset.name":"text","net.blocks":4)"));
        QTest::newRow("float64") << pipeline(QStringLiteral(R"("net.name":"cnn","train.dtype":"float64")"));
        QTest::newRow("interleaved") << pipeline(
            QStringLiteral(R"("net.name":"deep-mlp","pipeline.schedule":"interleaved","pipeline.virtual":4)"));
        QTest::newRow("by hand") << pipeline(QStringLiteral(R"("net.name":"deep-mlp","pipeline.cut":[1,7])"));
    }

    void everyNetIsThePlansNet()
    {
        QFETCH(QString, settings);
        const experiment::RunSpec run = drawnSpec(settings);
        const NetPicture picture = ui::netPicture(run);
        const auto units = plan::netUnits(run);
        const auto parts = *plan::pipelineParts(run);
        const plan::PipelineShape shape = plan::pipelineShape(run);
        QVERIFY2(picture.problem.isEmpty(), qPrintable(picture.problem));
        QCOMPARE(picture.layers.size(), units.size());
        QCOMPARE(picture.parts.size(), parts.size());
        QCOMPARE(picture.parameters, plan::parametersOf(units));
        QCOMPARE(picture.flops, plan::forwardFlopsOf(units));
        const std::int64_t bytes = run.settings->train.dtype == experiment::WeightType::Float64 ? 8 : 4;
        const std::int64_t samples = run.settings->train.batch / run.settings->pipeline.microBatches;
        QCOMPARE(picture.samples, samples);
        for (std::size_t i = 0; i < units.size(); ++i) {
            QCOMPARE(picture.layers[i].parameters, units[i].parameters);
            QCOMPARE(picture.layers[i].flops, units[i].forwardFlops);
            QCOMPARE(picture.layers[i].outputBytes, units[i].outputElements() * bytes * samples);
        }
        int next = 0;
        double share = 0.0;
        std::int64_t parameters = 0;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const ui::NetPart& part = picture.parts[i];
            QCOMPARE(part.first, next);
            QCOMPARE(part.stage, int(i) % shape.stages);
            QCOMPARE(part.chunk, int(i) / shape.stages);
            std::int64_t layers = 0;
            for (int unit = part.first; unit < part.first + part.count; ++unit) {
                layers += units[std::size_t(unit)].layers;
            }
            QCOMPARE(layers, parts[i].layers.count);
            next += part.count;
            share += part.share;
            parameters += part.parameters;
            const bool isLast = i + 1 == parts.size();
            QCOMPARE(part.sentBytes, isLast ? 0 : picture.layers[std::size_t(next - 1)].outputBytes);
        }
        QCOMPARE(next, int(units.size()));
        QCOMPARE(parameters, picture.parameters);
        QVERIFY(std::abs(share - 1.0) < 1e-12);
        QVERIFY(picture.bubble >= picture.idealBubble - 1e-12);
        QCOMPARE(picture.idealBubble, plan::idealBubble(shape));
    }

    /// 1 and 7 equal layers on two stages: the first one works an eighth of the time that the second one does.
    void anUnevenCutHasALargerBubble()
    {
        const QString net
            = QStringLiteral(R"("net.name":"deep-mlp","net.depth":9,"net.hidden":784,"pipeline.microbatches":64,)");
        const NetPicture even = ui::netPicture(drawnSpec(pipeline(net + QStringLiteral(R"("pipeline.cut":[4,5])"))));
        const NetPicture uneven = ui::netPicture(drawnSpec(pipeline(net + QStringLiteral(R"("pipeline.cut":[1,8])"))));
        QVERIFY(even.isByHand);
        QVERIFY(std::abs(even.bubble - even.idealBubble) < 0.01); // the last layer, with 10 outputs, takes no time
        QVERIFY(uneven.bubble > 0.4);
        QCOMPARE(uneven.parts[0].count, 1);
        QVERIFY(std::abs(uneven.parts[0].share - 0.125) < 0.01);
    }

    void otherStrategiesHaveNoParts()
    {
        const NetPicture picture = ui::netPicture(drawnSpec(QStringLiteral(R"("net.name":"cnn")")));
        QVERIFY(!picture.isPipeline);
        QVERIFY(picture.parts.empty() && picture.problem.isEmpty());
        QCOMPARE(picture.layers.size(), std::size_t(4));
        QCOMPARE(picture.samples, 1);
        QCOMPARE(picture.layers[0].name, QStringLiteral("convolution 1 → 32, 3 × 3"));
        QCOMPARE(picture.layers[0].outputBytes, 4 * 32 * 26 * 26);
    }

    void whatCannotBeCutSaysWhy_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("problem");
        QTest::newRow("sum") << QStringLiteral(R"("net.name":"cnn","pipeline.cut":[1,2])")
                             << QStringLiteral("Cut of the net: the numbers add up to 3");
        QTest::newRow("count") << QStringLiteral(R"("net.name":"cnn","pipeline.cut":[1,2,1])")
                               << QStringLiteral("Cut of the net: 3 numbers for 2 parts");
        QTest::newRow("stages") << QStringLiteral(R"("net.name":"mlp","pipeline.stages":3)")
                                << QStringLiteral("Stages: 3 is too many");
        QTest::newRow("micro-batches") << QStringLiteral(R"("net.name":"mlp","train.batch":2)")
                                       << QStringLiteral("Micro-batches: 4 is more");
    }

    void whatCannotBeCutSaysWhy()
    {
        QFETCH(QString, settings);
        QFETCH(QString, problem);
        // Such a run cannot be read from a file, but the form can have it.
        experiment::RunSpec run = drawnSpec(pipeline(QStringLiteral(R"("net.name":"mlp")")));
        const auto spec = experiment::parseSpec(
            QStringLiteral(R"({"version":1,"experiment":"model-parallel","base":{%1}})").arg(settings).toStdString());
        QVERIFY2(spec.isOk(), spec ? "" : spec.error().message.c_str());
        for (const auto& [name, value] : spec->base) {
            run.settings[name] = value;
        }
        const NetPicture picture = ui::netPicture(run);
        QVERIFY2(picture.problem.startsWith(problem), qPrintable(picture.problem));
        QVERIFY(picture.parts.empty());
        QVERIFY(!picture.layers.empty());
    }

    void aGridHasStagesOfSeveralRanks()
    {
        const NetPicture picture = ui::netPicture(drawnSpec(QStringLiteral(
            R"("strategy.name":"grid","grid.data":2,"grid.pipeline":2,"grid.tensor":1,"net.name":"deep-mlp",)"
            R"("train.batch":128)")));
        QVERIFY2(picture.problem.isEmpty(), qPrintable(picture.problem));
        QVERIFY(picture.isPipeline);
        QCOMPARE(picture.parts.size(), std::size_t(2));
        QCOMPARE(picture.ranksOfStage, 2);
        QCOMPARE(picture.samples, 16); // 64 for each copy, in 4 micro-batches
    }

    /// What a rank makes and sends on is its part of a layer that is shared by outputs, the whole of one by inputs.
    void aTensorSplitCountsTheBytesOfARank()
    {
        const QString grid = QStringLiteral(
            R"("strategy.name":"grid","grid.data":1,"grid.pipeline":2,"grid.tensor":%1,"net.name":"deep-mlp",)"
            R"("net.hidden":258,"train.batch":64,"pipeline.cut":[3,5])");
        const NetPicture whole = ui::netPicture(drawnSpec(grid.arg(1)));
        const NetPicture shared = ui::netPicture(drawnSpec(grid.arg(4)));
        QVERIFY2(shared.problem.isEmpty(), qPrintable(shared.problem));
        QCOMPARE(shared.sharing, 4);
        QCOMPARE(whole.layers[2].outputBytes, 4 * 258 * 16);
        QCOMPARE(shared.layers[2].outputShape, (std::vector<std::int64_t>{65})); // of 258, 65 at most
        QCOMPARE(shared.layers[2].outputBytes, 4 * 65 * 16);
        QCOMPARE(shared.layers[1].outputBytes, whole.layers[1].outputBytes);
        QCOMPARE(shared.parts[0].sentBytes, 4 * 65 * 16);
        QCOMPARE(shared.parameters, whole.parameters);
    }

    void aTensorRunSaysWhyItCannotBe()
    {
        experiment::RunSpec run
            = drawnSpec(QStringLiteral(R"("strategy.name":"tensor","net.name":"gpt","dataset.name":"text")"));
        QVERIFY(ui::netPicture(run).problem.isEmpty());
        QCOMPARE(ui::netPicture(run).sharing, 2);
        run.settings["tensor.size"] = std::int64_t{3};
        QCOMPARE(ui::netPicture(run).problem,
            QStringLiteral("Parts per layer: 3 ranks cannot share the 4 heads of “Heads” equally; "
                           "their number must divide it"));
    }

    /// What has nothing to do with the cut does not hide it.
    void otherProblemsAreOthers()
    {
        experiment::RunSpec run = drawnSpec(pipeline(QStringLiteral(R"("net.name":"deep-mlp")")));
        run.settings["dataset.train_samples"] = std::int64_t{3};
        QVERIFY(!experiment::validate(run).isOk());
        const NetPicture picture = ui::netPicture(run);
        QVERIFY(picture.problem.isEmpty());
        QCOMPARE(picture.parts.size(), std::size_t(2));
    }

    void aCutStaysBetweenItsNeighbours()
    {
        const NetPicture picture = ui::netPicture(
            drawnSpec(pipeline(QStringLiteral(R"("net.name":"deep-mlp","pipeline.stages":3,"pipeline.cut":[2,3,3])"))));
        QCOMPARE(ui::movedCut(picture, 0, 3), QStringLiteral("3,2,3"));
        QCOMPARE(ui::movedCut(picture, 0, 4), QStringLiteral("4,1,3"));
        QCOMPARE(ui::movedCut(picture, 0, 5), QStringLiteral("4,1,3")); // the second part keeps a layer
        QCOMPARE(ui::movedCut(picture, 0, -7), QStringLiteral("1,4,3"));
        QCOMPARE(ui::movedCut(picture, 1, 99), QStringLiteral("2,5,1"));
        QCOMPARE(ui::movedCut(picture, 1, 0), QStringLiteral("2,1,5"));
    }
};

LOCKSTEP_TEST(TestNetPicture)
#include "test_net_picture.moc"
