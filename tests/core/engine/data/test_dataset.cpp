#include "core/engine/run_of.h"
#include "engine/data/dataset.h"
#include "engine/data/normalise.h"
#include "program/programs.h"
#include "program/test_class.h"

#include <ATen/ATen.h>

#include <QRegularExpression>
#include <QTest>

#include <array>
#include <numeric>

using namespace lockstep;
using namespace lockstep::engine;
using lockstep::tests::mnistFolder;

namespace {

const std::string BadFolder = LOCKSTEP_SOURCE_DIR "/tests/data/bad/idx/";

Result<Dataset> load(std::vector<experiment::Override> overrides)
{
    overrides.push_back({"train.batch", "1"});
    return loadDataset(runOf(overrides));
}

} // namespace

class TestDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyByteIsScaledAndRoundedOnce()
    {
        std::array<std::uint8_t, 256> bytes{};
        std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
        std::array<double, 256> exact{};
        std::array<float, 256> rounded{};
        normalise(bytes, MnistScale, bytes.size(), exact.data());
        normalise(bytes, MnistScale, bytes.size(), rounded.data());
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            QCOMPARE(exact.at(i), (static_cast<double>(i) / 255.0 - 0.1307) / 0.3081);
            QCOMPARE(rounded.at(i), static_cast<float>(exact.at(i)));
        }
    }

    void digitsComeInTheRunsTypeAndShape_data()
    {
        QTest::addColumn<QString>("dtype");
        QTest::addRow("float32") << QStringLiteral("float32");
        QTest::addRow("float64") << QStringLiteral("float64");
    }

    void digitsComeInTheRunsTypeAndShape()
    {
        QFETCH(QString, dtype);
        const auto data = load(
            {{"train.dtype", dtype.toStdString()}, {"dataset.train_samples", "120"}, {"dataset.test_samples", "30"}});
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QCOMPARE(data->train.inputs.sizes().vec(), (std::vector<std::int64_t>{120, 1, 28, 28}));
        QCOMPARE(data->test.inputs.sizes().vec(), (std::vector<std::int64_t>{30, 1, 28, 28}));
        QVERIFY(data->train.inputs.is_contiguous());
        QCOMPARE(data->train.inputs.scalar_type(), dtype == QLatin1String("float64") ? at::kDouble : at::kFloat);
        QCOMPARE(data->train.labels.scalar_type(), at::kLong);
        QCOMPARE(data->train.labels.max().item<std::int64_t>(), std::int64_t{9});
        QCOMPARE(data->description, std::string("digits, 120 + 30 images of 28 x 28"));
    }

    void withoutANumberThereAreTenThousandDigits()
    {
        const auto data = load({});
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QCOMPARE(data->train.size(), std::int64_t{8000});
        QCOMPARE(data->test.size(), std::int64_t{2000});
    }

    void foldersAreReadAndCut()
    {
        const auto data = load(
            {{"dataset.name", "idx"}, {"dataset.path", BadFolder + "folder-good"}, {"dataset.train_samples", "3"}});
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QCOMPARE(data->train.size(), std::int64_t{3});
        QCOMPARE(data->test.size(), std::int64_t{2});
        QCOMPARE(data->train.inputs.size(0), std::int64_t{3});
        QCOMPARE(data->train.labels[2].item<std::int64_t>(), std::int64_t{2});
    }

    void saysWhatIsWrongWithAFolder_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("samples");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* folder, const char* samples, const char* message) {
            QTest::addRow("%s", folder) << QString::fromLatin1(folder) << QString::fromLatin1(samples)
                                        << QString::fromLatin1(message);
        };
        row("folder-label-10", "0", "train-labels-idx1-ubyte: label 10 of sample 2 is outside 0 to 9");
        row("folder-counts-differ", "0",
            "has 4 images in train-images-idx3-ubyte but 3 labels in train-labels-idx1-ubyte");
        row("folder-small-images", "0", "has images of 20 x 20; the nets take 28 x 28");
        row("folder-sizes-differ", "0", "has training images of 28 x 28 but test images of 20 x 20");
        row("folder-no-labels", "0", "has neither t10k-labels-idx1-ubyte nor t10k-labels-idx1-ubyte.gz");
        row("folder-not-there", "0", "does not exist; choose the folder with the four IDX files");
        row("folder-good", "5", "dataset.train_samples: 5 is more than the 4 samples available");
    }

    void saysWhatIsWrongWithAFolder()
    {
        QFETCH(QString, folder);
        QFETCH(QString, samples);
        QFETCH(QString, message);
        const auto data = load({{"dataset.name", "idx"}, {"dataset.path", BadFolder + folder.toStdString()},
            {"dataset.train_samples", samples.toStdString()}});
        QVERIFY(!data.isOk());
        const QString given = QString::fromStdString(data.error().message);
        QVERIFY2(given.startsWith(QLatin1String("dataset.")) && given.endsWith(message), qPrintable(given));
        QVERIFY2(!given.contains(QLatin1Char('\n')), qPrintable(given));
    }

    void aBatchLargerThanTheFolderIsRefused()
    {
        const auto data = loadDataset(
            runOf({{"dataset.name", "idx"}, {"dataset.path", BadFolder + "folder-good"}, {"train.batch", "5"}}));
        QCOMPARE(messageOf(data), std::string("train.batch: 5 is more than the 4 training samples"));
    }

    void realMnist()
    {
        const QString folder = mnistFolder();
        if (folder.isEmpty()) {
            QSKIP("no MNIST on this machine: set LOCKSTEP_MNIST to its folder");
        }
        const auto data = load({{"dataset.name", "mnist"}, {"dataset.path", folder.toStdString()}});
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QVERIFY(data->train.size() >= 8000);
        // Scaled with MNIST's own mean and deviation, so what comes out is near 0 and 1.
        QVERIFY(std::abs(data->train.inputs.mean().item<double>()) < 0.05);
        QVERIFY(std::abs(data->train.inputs.std().item<double>() - 1.0) < 0.05);
        QVERIFY(at::bincount(data->train.labels, {}, 10).min().item<std::int64_t>() > data->train.size() / 15);
    }
};

LOCKSTEP_TEST(TestDataset)
#include "test_dataset.moc"
