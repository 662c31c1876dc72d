// What the files of a data set hold, and what follows from it before any process starts.
#include "core/datasets/small_files.h"
#include "core/engine/run_of.h"
#include "datasets/registry.h"
#include "experiment/parameter.h"
#include "program/test_class.h"

#include <QTest>

#include <numeric>

using namespace lockstep;
using namespace lockstep::datasets;
using namespace lockstep::tests;

namespace {

experiment::RunSpec runFrom(const char* name, const QString& path, const QString& settings = {})
{
    return runOf(withSettings(
        {{"dataset.name", name}, {"dataset.path", path.toStdString()}, {"train.batch", "2"}, {"net.name", "mlp"}},
        settings));
}

QList<int> labelsUpTo(int count)
{
    QList<int> labels(count);
    std::iota(labels.begin(), labels.end(), 0);
    return labels;
}

} // namespace

class TestDataFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyChoiceHasARow()
    {
        const experiment::Parameter* parameter = experiment::findParameter("dataset.name");
        QCOMPARE(dataSets().size(), parameter->choices.size());
        for (std::size_t i = 0; i < dataSets().size(); ++i) {
            const DataSet& set = dataSets()[i];
            QCOMPARE(experiment::nameOf(set.name), parameter->choices[i].name);
            const bool isText = set.name == experiment::DataSet::Text;
            QCOMPARE(set.read == nullptr, isText); // the engine cuts a text into windows
            QCOMPARE(set.scale.empty(), isText);
            QCOMPARE(set.files == nullptr, !set.identity.empty());
        }
    }

    void cifar100HasFineAndCoarseLabels()
    {
        const QTemporaryDir folder;
        QVERIFY(writeSmallFile(folder.filePath("train.bin"), recordsOfCifar100({0, 99, 42, 7})));
        QVERIFY(writeSmallFile(folder.filePath("test.bin"), recordsOfCifar100({3, 50})));
        auto fine = runFrom("cifar100", folder.path());
        QVERIFY(describe(fine).isOk());
        QVERIFY((*fine.data == experiment::DataFacts{100, 3, 32, 32, 4, 2}));
        auto coarse = runFrom("cifar100", folder.path(), "dataset.labels=coarse");
        QVERIFY(describe(coarse).isOk());
        QCOMPARE(coarse.data->classes, std::int64_t{20});
        const auto labels
            = [](const experiment::RunSpec& run) { return dataSetOf(run).read(run, *filesOf(run))->train.labels; };
        QCOMPARE(labels(fine), (std::vector<std::uint8_t>{0, 99, 42, 7}));
        QCOMPARE(labels(coarse), (std::vector<std::uint8_t>{0, 19, 8, 1}));
        const auto set = dataSetOf(fine).read(fine, *filesOf(fine));
        const QByteArray image = smallImage(100, 1, 32); // the second channel of the second image
        QVERIFY(std::equal(image.begin(), image.end(), set->train.pixels.begin() + 3072 + 1024,
            [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }));

        const auto refused = [&](const QString& name, const QByteArray& bytes) {
            static_cast<void>(writeSmallFile(folder.filePath(name), bytes));
            auto run = runFrom("cifar100", folder.path());
            return QString::fromStdString(messageOf(describe(run))).replace(folder.path(), "DIR");
        };
        QByteArray bad = recordsOfCifar100({1, 2});
        bad[3074 + 1] = 100;
        QCOMPARE(refused("train.bin", bad), "dataset.path: DIR/train.bin: label 100 of sample 1 is outside 0 to 99");
        QVERIFY(refused("train.bin", bad.chopped(1))
                    .startsWith("dataset.path: DIR/train.bin has 6147 bytes, not a multiple of 3074 (two labels"));
        QFile::remove(folder.filePath("train.bin"));
        QVERIFY(refused("test.bin", bad).startsWith("dataset.path: DIR has no train.bin; choose the folder with the"));
    }

    void theSpecKeepsWhatAnotherNetFollowsFrom()
    {
        const QTemporaryDir folder;
        QVERIFY(writeIdx(folder.path(), {labelsUpTo(62), {1, 2}}));
        auto run = runFrom("idx", folder.path());
        const std::string before = experiment::toJson(run);
        QVERIFY(before.find("classes") == std::string::npos);
        QVERIFY(describe(run).isOk());
        QCOMPARE(experiment::dataFactsOf(run).classes, std::int64_t{62});
        const auto read = experiment::parseRunSpec(experiment::toJson(run));
        QVERIFY2(read.isOk(), messageOf(read).c_str());
        QVERIFY(read->data == run.data);
        // Ten classes of 28 x 28 are what every spec meant before: its text stays as it was.
        QVERIFY(writeIdx(folder.path(), {labelsUpTo(10), {1, 2}}));
        auto usual = runFrom("idx", folder.path());
        QVERIFY(describe(usual).isOk());
        QCOMPARE(experiment::toJson(usual), before);
    }

    void aSpecsFactsAreChecked_data()
    {
        QTest::addColumn<QString>("data");
        QTest::newRow("none") << "3";
        QTest::newRow("missing") << R"({"classes":10})";
        for (const char* classes : {"0", "257", "-1", "1.5", "\"10\"", "18446744073709551615"}) {
            QTest::newRow(classes) << QStringLiteral(
                R"({"classes":%1,"channels":1,"rows":28,"columns":28,"train_samples":1,"test_samples":1})")
                                          .arg(QLatin1String(classes));
        }
    }

    void aSpecsFactsAreChecked()
    {
        QFETCH(QString, data);
        const std::string json = R"({"version":1,"experiment":"own","base":{},"data":)" + data.toStdString() + "}";
        QVERIFY(QString::fromStdString(messageOf(experiment::parseRunSpec(json))).startsWith("spec: data."));
    }

    void samplesBatchAndNetAreCheckedAgainstTheFiles()
    {
        const QTemporaryDir folder;
        QVERIFY(writeSmallFile(folder.filePath("train.csv"), csvOf(labelsUpTo(12), true, 5)));
        const auto refused = [&](const char* settings) {
            const auto run = runFrom("csv", folder.path(), QLatin1String(settings));
            return messageOf(described({&run, 1}));
        };
        QCOMPARE(refused(""), std::string());
        QCOMPARE(refused("dataset.train_samples=11"),
            std::string("dataset.train_samples: 11 is more than the 10 samples available"));
        QCOMPARE(refused("dataset.test_samples=3"),
            std::string("dataset.test_samples: 3 is more than the 2 samples available"));
        QCOMPARE(refused("train.batch=11"), std::string("train.batch: 11 is more than the 10 training samples"));
        QCOMPARE(refused("net.name=cnn"),
            std::string("net.name: cnn does not take images of 5 x 5; cnn needs square ones from 6 x 6, lenet5 square "
                        "ones of an even side up to 32; use mlp"));
        QVERIFY(refused("net.name=lenet5").starts_with("net.name: lenet5 does not take images of 5 x 5"));
    }

    void filesAreReadAgainWhenTheyChange()
    {
        const QTemporaryDir folder;
        QVERIFY(writeSmallFile(folder.filePath("train.csv"), csvOf(labelsUpTo(12), true, 5)));
        auto first = runFrom("csv", folder.path());
        QVERIFY(describe(first).isOk());
        QVERIFY(writeSmallFile(folder.filePath("train.csv"), csvOf(labelsUpTo(18), true, 5)));
        auto second = runFrom("csv", folder.path());
        QVERIFY(describe(second).isOk());
        QCOMPARE(first.data->classes, std::int64_t{12});
        QCOMPARE(second.data->classes, std::int64_t{18});
        QCOMPARE(second.data->trainSamples, std::int64_t{15});
    }
};

LOCKSTEP_TEST(TestDataFacts)
#include "test_data_facts.moc"
