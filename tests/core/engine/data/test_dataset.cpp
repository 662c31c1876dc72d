#include "core/engine/run_of.h"
#include "engine/data/dataset.h"
#include "engine/data/input_scale.h"
#include "program/programs.h"
#include "program/test_class.h"

#include <ATen/ATen.h>

#include <QRegularExpression>
#include <QTest>

#include <array>
#include <span>

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
        const torch::Tensor bytes = at::arange(512, at::kLong).remainder(256).to(at::kByte).view({1, 2, 16, 16});
        const auto check = [&](std::span<const datasets::ChannelScale> scale) {
            const torch::Tensor exact = InputScale(scale, at::kDouble, at::kCPU)(bytes).flatten();
            const torch::Tensor rounded = InputScale(scale, at::kFloat, at::kCPU)(bytes).flatten();
            for (std::int64_t i = 0; i < 512; ++i) {
                const auto& [mean, deviation] = scale.size() == 1 || i < 256 ? scale.front() : scale.back();
                const double expected = (static_cast<double>(i % 256) / 255.0 - mean) / deviation;
                QCOMPARE(exact[i].item<double>(), expected);
                QCOMPARE(rounded[i].item<float>(), static_cast<float>(expected));
            }
        };
        check(std::array{datasets::ChannelScale{0.1307, 0.3081}});
        check(std::array{datasets::ChannelScale{0.1307, 0.3081}, datasets::ChannelScale{0.4, 0.2}});
        // What is not bytes is used as it is.
        const torch::Tensor numbers = at::rand({1, 2, 3, 3});
        const std::array any{datasets::ChannelScale{0.1, 0.2}};
        QVERIFY(InputScale(any, at::kFloat, at::kCPU)(numbers).is_same(numbers));
    }

    void digitsAreBytesInTheirShape()
    {
        const auto data = load({{"dataset.train_samples", "120"}, {"dataset.test_samples", "30"}});
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QCOMPARE(data->train.inputs.sizes().vec(), (std::vector<std::int64_t>{120, 1, 28, 28}));
        QCOMPARE(data->test.inputs.sizes().vec(), (std::vector<std::int64_t>{30, 1, 28, 28}));
        QVERIFY(data->train.inputs.is_contiguous());
        QCOMPARE(data->train.inputs.scalar_type(), at::kByte);
        QCOMPARE(data->train.labels.scalar_type(), at::kLong);
        QCOMPARE(data->train.labels.max().item<std::int64_t>(), std::int64_t{9});
        QCOMPARE(data->description.english, std::string("digits, 120 + 30 images of 28 x 28"));
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
        row("folder-sizes-differ", "0", "t10k-images-idx3-ubyte.gz has test images of 20 x 20");
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
        const std::array scale{datasets::ChannelScale{0.1307, 0.3081}};
        const torch::Tensor scaled = InputScale(scale, at::kFloat, at::kCPU)(data->train.inputs);
        QVERIFY(std::abs(scaled.mean().item<double>()) < 0.05);
        QVERIFY(std::abs(scaled.std().item<double>() - 1.0) < 0.05);
        QVERIFY(at::bincount(data->train.labels, {}, 10).min().item<std::int64_t>() > data->train.size() / 15);
    }
};

LOCKSTEP_TEST(TestDataset)
#include "test_dataset.moc"
