// Texts: windows and their labels, the user's files, refusals, and a net that learns from one.
#include "core/engine/run_of.h"
#include "engine/data/batches.h"
#include "engine/data/built_in_text.h"
#include "engine/data/dataset.h"
#include "engine/model/evaluation.h"
#include "engine/model/flat_parameters.h"
#include "engine/model/gradient.h"
#include "engine/model/net.h"
#include "engine/optim/optimizer.h"
#include "experiment/text_windows.h"
#include "program/test_class.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <numeric>

using namespace lockstep;
using namespace lockstep::engine;

namespace {

using Overrides = std::vector<experiment::Override>;

experiment::RunSpec textRun(const Overrides& more)
{
    Overrides overrides{{"net.name", "gpt"}, {"dataset.name", "text"}, {"train.batch", "1"}};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return runOf(overrides);
}

std::string writeText(const QTemporaryDir& folder, const QByteArray& text)
{
    QFile file(folder.filePath(QStringLiteral("own.txt")));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        qFatal("no temporary file");
    }
    return file.fileName().toStdString();
}

} // namespace

class TestText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theBuiltInTextIsTheFile()
    {
        QFile file(QStringLiteral(LOCKSTEP_SOURCE_DIR "/resources/text/shakespeare.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray wanted = file.readAll();
        const auto text = builtInText();
        QCOMPARE(static_cast<std::int64_t>(text.size()), experiment::BuiltInTextBytes);
        QVERIFY(std::equal(text.begin(), text.end(), wanted.begin(), wanted.end(),
            [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
    }

    void labelsAreTheInputOneByteFurther()
    {
        const auto run = textRun({{"net.context", "50"}});
        const auto data = loadDataset(run);
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        const std::int64_t windows = experiment::BuiltInTextBytes / 51;
        QCOMPARE(data->test.size(), windows / 10);
        QCOMPARE(data->train.size(), windows - windows / 10);
        QCOMPARE(data->train.size(), experiment::knownTrainSamples(run));
        QCOMPARE(data->test.size(), experiment::knownTestSamples(run));
        QCOMPARE(data->classes, std::int64_t{256});
        QCOMPARE(data->description.english, std::string("Shakespeare, 5,595 + 621 windows of 51 bytes"));
        const auto text = builtInText();
        std::size_t first = 0;
        for (const LabelledInputs* part : {&data->train, &data->test}) {
            QCOMPARE(part->inputs.sizes().vec(), (std::vector<std::int64_t>{part->size(), 50}));
            QCOMPARE(part->labels.sizes().vec(), (std::vector<std::int64_t>{part->size(), 50}));
            QCOMPARE(part->inputs.scalar_type(), at::kLong);
            QVERIFY(part->inputs.is_contiguous() && part->labels.is_contiguous());
            QVERIFY(torch::equal(part->inputs.narrow(1, 1, 49), part->labels.narrow(1, 0, 49)));
            const auto inputs = part->inputs.accessor<std::int64_t, 2>();
            const auto labels = part->labels.accessor<std::int64_t, 2>();
            for (std::int64_t window = 0; window < part->size(); ++window, first += 51) {
                QCOMPARE(inputs[window][0], std::int64_t{text[first]});
                QCOMPARE(labels[window][49], std::int64_t{text[first + 50]});
            }
        }
    }

    void aTextOfOnesOwnIsReadAndCut()
    {
        const QTemporaryDir folder;
        QByteArray text(100, '\0');
        std::iota(text.begin(), text.end(), static_cast<char>(100)); // beyond 127, too
        const auto data = loadDataset(
            textRun({{"dataset.path", writeText(folder, text)}, {"net.context", "9"}, {"dataset.train_samples", "4"}}));
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QCOMPARE(data->description.english, std::string("own.txt, 4 + 1 windows of 10 bytes"));
        QCOMPARE(data->train.inputs[3][0].item<std::int64_t>(), std::int64_t{130});
        QCOMPARE(
            data->test.inputs[0][0].item<std::int64_t>(), std::int64_t{190}); // the last tenth, whatever is left out
        QCOMPARE(data->test.labels[0][8].item<std::int64_t>(), std::int64_t{199});
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("samples");
        QTest::addColumn<QString>("message");
        QTest::addRow("nothing there") << "nowhere.txt"
                                       << "0"
                                       << "nowhere.txt does not exist; a text is one file";
        QTest::addRow("a folder") << ""
                                  << "0"
                                  << " is not a file; a text is one file";
        QTest::addRow("too short") << "own.txt"
                                   << "0"
                                   << "own.txt has 100 bytes; a window for training and one for testing take 130";
        QTest::addRow("too many") << "long.txt"
                                  << "3"
                                  << "dataset.train_samples: 3 is more than the 2 samples available";
    }

    void saysWhatIsWrong()
    {
        QFETCH(QString, path);
        QFETCH(QString, samples);
        QFETCH(QString, message);
        const QTemporaryDir folder;
        QVERIFY(QFile::rename(QString::fromStdString(writeText(folder, QByteArray(200, 'x'))),
            folder.filePath(QStringLiteral("long.txt"))));
        writeText(folder, QByteArray(100, 'x'));
        const auto data = loadDataset(textRun(
            {{"dataset.path", folder.filePath(path).toStdString()}, {"dataset.train_samples", samples.toStdString()}}));
        const QString given = QString::fromStdString(messageOf(data));
        QVERIFY2(given.startsWith(QLatin1String("dataset.")) && given.endsWith(message), qPrintable(given));
    }

    void batchesHoldAllLabelsOfTheirSamples()
    {
        const auto run = textRun({{"net.context", "7"}, {"dataset.train_samples", "40"}, {"train.batch", "16"}});
        const auto data = loadDataset(run);
        QVERIFY(data.isOk());
        const std::vector<std::int64_t> classes(40, 0);
        const auto partitioned = plan::partitionData(run, 1, classes, 1);
        QVERIFY(partitioned.isOk());
        Batches batches(data->train, *partitioned->sampler);
        for (const std::int64_t step : {1, 3}) { // the last batch of an epoch is smaller
            const auto indices = partitioned->sampler->indices(step, 0);
            const torch::Tensor rows = torch::tensor(at::ArrayRef(indices.data(), indices.size()), torch::kLong);
            const Batch batch = batches.ofRank(step, 0);
            QVERIFY(torch::equal(batch.inputs, data->train.inputs.index_select(0, rows)));
            QVERIFY(torch::equal(batch.labels, data->train.labels.index_select(0, rows)));
        }
    }

    void scoresCountEveryByte()
    {
        const auto run = textRun({{"net.context", "16"}, {"net.width", "8"}, {"net.heads", "2"},
            {"dataset.test_samples", "150"}, {"train.dtype", "float64"}});
        const auto data = loadDataset(run);
        auto net = makeNet(run, torch::kCPU);
        QVERIFY(data.isOk() && net.isOk());
        const TestScore score = evaluate(*net, data->test).score();
        const torch::NoGradGuard noGrad;
        const torch::Tensor scores = net->forward(data->test.inputs);
        const torch::Tensor logs = scores.log_softmax(-1).gather(2, data->test.labels.unsqueeze(2));
        QVERIFY(std::abs(score.loss + logs.mean().item<double>()) < 1e-10);
        QCOMPARE(score.accuracy,
            static_cast<double>(scores.argmax(-1).eq(data->test.labels).sum().item<std::int64_t>()) / (150.0 * 16.0));
    }

    void aGptLearnsFromIt_data()
    {
        QTest::addColumn<QString>("tied");
        QTest::addRow("two weights") << "false";
        QTest::addRow("tied") << "true";
    }

    void aGptLearnsFromIt()
    {
        QFETCH(QString, tied);
        const auto run = textRun(
            {{"net.context", "32"}, {"net.width", "32"}, {"net.blocks", "2"}, {"net.tied", tied.toStdString()},
                {"train.batch", "16"}, {"optimizer.name", "adam"}, {"dataset.test_samples", "100"}});
        const auto data = loadDataset(run);
        auto net = makeNet(run, torch::kCPU);
        QVERIFY(data.isOk() && net.isOk());
        FlatParameters parameters(*net);
        auto optimizer = makeOptimizer(run, {parameters.weights()});
        QVERIFY(optimizer.isOk());
        const std::vector<std::int64_t> classes(static_cast<std::size_t>(data->train.size()), 0);
        const auto partitioned = plan::partitionData(run, 1, classes, 1);
        Batches batches(data->train, *partitioned->sampler);
        StepClock clock;
        clock.start();
        double begin = 0.0;
        for (std::int64_t step = 1; step <= 300; ++step) {
            parameters.clearGradients();
            const torch::Tensor loss = addGradient(*net, batches.ofRank(step, 0), clock);
            begin = step == 1 ? loss.item<double>() : begin;
            (*optimizer)->step({&parameters.gradients(), 1}, 0.003);
        }
        const TestScore score = evaluate(*net, data->test).score();
        qInfo("loss %.3f, then %.3f on the test windows, accuracy %.3f", begin, score.loss, score.accuracy);
        QVERIFY(std::abs(begin - std::log(256.0)) < 0.2);
        QVERIFY(score.loss < 2.9);
        QVERIFY(score.accuracy > 0.2);
    }
};

LOCKSTEP_TEST(TestText)
#include "test_text.moc"
