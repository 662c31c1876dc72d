// The names and folders that IDX data sets come in, and their labels.
#include "core/datasets/small_files.h"
#include "core/engine/run_of.h"
#include "datasets/idx.h"
#include "datasets/registry.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;
using namespace lockstep::datasets;
using namespace lockstep::tests;

namespace {

const SmallSet Small{{3, 1, 4, 1, 5, 9}, {2, 6, 5}};

experiment::RunSpec idxRun(const QString& path, const char* name = "idx")
{
    return runOf(
        {{"dataset.name", name}, {"dataset.path", path.toStdString()}, {"train.batch", "1"}, {"net.name", "mlp"}});
}

/// The error without `dataset.path: FOLDER`.
QString refusedIn(const QString& folder, const QString& path, const char* name = "idx")
{
    auto run = idxRun(path, name);
    return QString::fromStdString(messageOf(describe(run))).replace(folder, QStringLiteral("DIR"));
}

} // namespace

class TestIdxNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheFilesByTheirNames_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::newRow("MNIST's") << QStringList{
            "train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
        QTest::newRow("compressed") << QStringList{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
            "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"};
        QTest::newRow("dots") << QStringList{
            "train-images.idx3-ubyte", "train-labels.idx1-ubyte", "t10k-images.idx3-ubyte", "t10k-labels.idx1-ubyte"};
        QTest::newRow("folders") << QStringList{"train-images-idx3-ubyte/train-images-idx3-ubyte",
            "train-labels-idx1-ubyte/train-labels-idx1-ubyte", "t10k-images-idx3-ubyte/t10k-images-idx3-ubyte",
            "t10k-labels-idx1-ubyte/t10k-labels-idx1-ubyte"};
        QTest::newRow("EMNIST's") << QStringList{"emnist-letters-train-images-idx3-ubyte.gz",
            "emnist-letters-train-labels-idx1-ubyte.gz", "emnist-letters-test-images-idx3-ubyte.gz",
            "emnist-letters-test-labels-idx1-ubyte.gz"};
        QTest::newRow("QMNIST's") << QStringList{"qmnist-train-images-idx3-ubyte", "qmnist-train-labels-idx2-int",
            "qmnist-test-images-idx3-ubyte", "qmnist-test-labels-idx2-int"};
    }

    void findsTheFilesByTheirNames()
    {
        QFETCH(QStringList, names);
        const QTemporaryDir folder;
        const bool isQmnist = names[1].endsWith(QLatin1String("int"));
        const QList<QByteArray> contents{idxImages(Small.train), idxLabels(Small.train, isQmnist ? 8 : 0),
            idxImages(Small.test), idxLabels(Small.test, isQmnist ? 8 : 0)};
        for (qsizetype i = 0; i < 4; ++i) {
            const bool isPacked = names[i].endsWith(QLatin1String(".gz"));
            QVERIFY(writeSmallFile(folder.filePath(names[i]), isPacked ? packed(contents[i]) : contents[i]));
        }
        for (const QString& path : {folder.path(), folder.filePath(names[0])}) {
            auto run = idxRun(path);
            const auto files = idxFiles(run);
            QVERIFY2(files.isOk(), messageOf(files).c_str());
            for (std::size_t i = 0; i < 4; ++i) {
                QCOMPARE(QString::fromStdString((*files)[i]), folder.filePath(names[static_cast<qsizetype>(i)]));
            }
            const auto described = describe(run);
            QVERIFY2(described.isOk(), messageOf(described).c_str());
            QVERIFY((*run.data == experiment::DataFacts{10, 1, 28, 28, 6, 3}));
            const auto set = readIdx(run, *files);
            QVERIFY2(set.isOk(), messageOf(set).c_str());
            QCOMPARE(set->train.labels, (std::vector<std::uint8_t>{3, 1, 4, 1, 5, 9}));
            QCOMPARE(set->test.labels, (std::vector<std::uint8_t>{2, 6, 5}));
            const QByteArray pixels = smallImages(Small.train);
            QVERIFY(std::equal(pixels.begin(), pixels.end(), set->train.pixels.begin(), set->train.pixels.end(),
                [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }));
        }
    }

    void oneOfSeveralSetsIsChosenByItsTrainingImages()
    {
        const QTemporaryDir folder;
        QVERIFY(writeIdx(folder.path(), {{1, 26}, {2}}, QStringLiteral("emnist-letters-")));
        QVERIFY(writeIdx(folder.path(), {{0, 61, 3}, {2}}, QStringLiteral("emnist-byclass-")));
        QCOMPARE(refusedIn(folder.path(), folder.path()),
            "dataset.path: DIR has several data sets (emnist-byclass-train-..., emnist-letters-train-...); choose the "
            "file of the training images of one of them");
        auto letters = idxRun(folder.filePath(QStringLiteral("emnist-letters-train-images-idx3-ubyte")));
        QVERIFY(describe(letters).isOk());
        QVERIFY((*letters.data == experiment::DataFacts{27, 1, 28, 28, 2, 1}));
        auto classes = idxRun(folder.filePath(QStringLiteral("emnist-byclass-train-images-idx3-ubyte")));
        QVERIFY(describe(classes).isOk());
        QCOMPARE(classes.data->classes, std::int64_t{62});
        QVERIFY(writeIdx(folder.path(), Small)); // MNIST's own names come first
        auto plain = idxRun(folder.path());
        QVERIFY(describe(plain).isOk());
        QCOMPARE(plain.data->trainSamples, std::int64_t{6});
    }

    void onlyMnistHasTenClassesAtMost()
    {
        const QTemporaryDir folder;
        QVERIFY(writeIdx(folder.path(), {{1, 10}, {2}}));
        QCOMPARE(refusedIn(folder.path(), folder.path()), QString());
        QCOMPARE(refusedIn(folder.path(), folder.path(), "mnist"),
            "dataset.path: DIR/train-labels-idx1-ubyte: label 10 of sample 1 is outside 0 to 9");
    }

    void saysWhatIsWrong()
    {
        const QTemporaryDir folder;
        const QString labels = folder.filePath(QStringLiteral("train-labels-idx1-ubyte"));
        QCOMPARE(refusedIn(folder.path(), folder.path()),
            "dataset.path: DIR has neither train-images-idx3-ubyte nor train-images-idx3-ubyte.gz");
        QVERIFY(writeIdx(folder.path(), Small));
        QVERIFY(writeSmallFile(labels, idxLabels({1, 2})));
        QCOMPARE(refusedIn(folder.path(), folder.path()),
            "dataset.path: DIR/train-images-idx3-ubyte has 6 images, but DIR/train-labels-idx1-ubyte has 2 labels");
        QVERIFY(writeSmallFile(labels, idxLabels({1, 2, 3, 4, 300, 6}, 8)));
        QCOMPARE(refusedIn(folder.path(), folder.path()),
            "dataset.path: DIR/train-labels-idx1-ubyte: label 300 of sample 4 is outside 0 to 255");
        QVERIFY(writeSmallFile(labels, idxLabels(Small.train, 8).chopped(1)));
        QCOMPARE(refusedIn(folder.path(), folder.path()),
            "dataset.path: DIR/train-labels-idx1-ubyte is cut off: 203 bytes, its header says 204");
        QVERIFY(writeSmallFile(labels, idxLabels(Small.train)));
        QVERIFY(writeSmallFile(folder.filePath(QStringLiteral("t10k-images-idx3-ubyte")), idxImages(Small.test, 20)));
        QCOMPARE(refusedIn(folder.path(), folder.path()),
            "dataset.path: DIR/train-images-idx3-ubyte has training images of 28 x 28, but "
            "DIR/t10k-images-idx3-ubyte has test images of 20 x 20");
        QVERIFY(writeSmallFile(folder.filePath(QStringLiteral("notes.txt")), "notes"));
        QVERIFY(refusedIn(folder.path(), folder.filePath(QStringLiteral("notes.txt")))
                    .startsWith(QLatin1String("dataset.path: DIR/notes.txt is not named like a file of an IDX")));
        QVERIFY(refusedIn(folder.path(), folder.filePath(QStringLiteral("nowhere")))
                    .contains(QLatin1String("does not exist; choose the folder with the four IDX files")));
    }
};

LOCKSTEP_TEST(TestIdxNames)
#include "test_idx_names.moc"
