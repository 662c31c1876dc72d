// CIFAR-10's binary files: read as they are laid out, refused with one line, trained on by every net and strategy.
#include "core/engine/data/cifar10_files.h"
#include "core/engine/strategy/trained_ranks.h"
#include "datasets/registry.h"
#include "engine/data/data_identity.h"
#include "engine/data/dataset.h"
#include "engine/data/input_scale.h"
#include "experiment/dataset_folder.h"
#include "program/test_class.h"

#include <torch/types.h>

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

class TestCifar10 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyByteIsWhereItBelongs();
    void partsOfTheSetAreUsed();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void theFolderIsFoundWithoutAPath();
    void theContentIsItsIdentity();
    void trainsAsOneProcessDoes_data();
    void trainsAsOneProcessDoes();

private:
    [[nodiscard]] experiment::RunSpec cifar10(const QString& settings, const QString& folder = {}) const
    {
        const QString path = folder.isEmpty() ? m_folder.path() : folder;
        return runOf(withSettings(
            {{"dataset.name", "cifar10"}, {"dataset.path", path.toStdString()}, {"train.dtype", "float64"}}, settings));
    }

    QTemporaryDir m_folder;
};

void TestCifar10::initTestCase()
{
    QVERIFY(writeCifar10(m_folder.path(), 40, 30));
}

void TestCifar10::everyByteIsWhereItBelongs()
{
    const auto data = loadDataset(cifar10("train.batch=1"));
    QVERIFY2(data.isOk(), messageOf(data).c_str());
    QCOMPARE(data->train.inputs.sizes().vec(), (std::vector<std::int64_t>{200, 3, 32, 32}));
    QCOMPARE(data->test.inputs.sizes().vec(), (std::vector<std::int64_t>{30, 3, 32, 32}));
    QCOMPARE(data->description.english, std::string("CIFAR-10, 200 + 30 images of 3 x 32 x 32"));
    QCOMPARE(data->classes, std::int64_t{10});
    constexpr std::array Mean{0.4914, 0.4822, 0.4465};
    constexpr std::array Deviation{0.2470, 0.2435, 0.2616};
    const auto check = [&](const LabelledInputs& part, int sample, int file, int inFile) {
        // As a net scales them.
        const torch::Tensor scaled
            = InputScale(datasets::dataSetOf(cifar10({})).scale, at::kDouble, at::kCPU)(part.inputs);
        const auto values = scaled.accessor<double, 4>();
        QCOMPARE(part.labels[sample].item<std::int64_t>(), std::int64_t{(file + inFile) % 10});
        for (int channel = 0; channel < 3; ++channel) {
            const auto c = static_cast<std::size_t>(channel);
            for (int row = 0; row < 32; ++row) {
                for (int column = 0; column < 32; ++column) {
                    const double byte = pixelOfCifar10(file, inFile, channel, row, column);
                    QCOMPARE(values[sample][channel][row][column], (byte / 255.0 - Mean.at(c)) / Deviation.at(c));
                }
            }
        }
    };
    for (const int sample : {0, 39, 40, 121, 199}) {
        check(data->train, sample, 1 + sample / 40, sample % 40);
    }
    check(data->test, 29, 6, 29);
}

void TestCifar10::partsOfTheSetAreUsed()
{
    const auto data
        = loadDataset(cifar10("train.batch=1 dataset.train_samples=50 dataset.test_samples=7 train.dtype=float32"));
    QVERIFY2(data.isOk(), messageOf(data).c_str());
    QCOMPARE(data->train.inputs.sizes().vec(), (std::vector<std::int64_t>{50, 3, 32, 32}));
    QCOMPARE(data->test.size(), std::int64_t{7});
    QCOMPARE(data->train.inputs.scalar_type(), at::kByte);
    QCOMPARE(messageOf(loadDataset(cifar10("train.batch=1 dataset.train_samples=201"))),
        std::string("dataset.train_samples: 201 is more than the 200 samples available"));
    QCOMPARE(messageOf(loadDataset(cifar10("train.batch=201"))),
        std::string("train.batch: 201 is more than the 200 training samples"));
}

void TestCifar10::saysWhatIsWrong_data()
{
    QTest::addColumn<int>("file");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("saysWhereToGetIt");
    QTest::addColumn<QString>("says");
    QByteArray badLabel = recordsOfCifar10(4, 5);
    badLabel[3 * 3073] = 10;
    const QString multiple = QStringLiteral(", not a multiple of 3073 (a label and an image of 3 x 32 x 32)");
    QTest::newRow("no file") << 3 << QByteArray() << true << "%1 has no data_batch_3.bin; ";
    QTest::newRow("no test file") << 6 << QByteArray() << true << "%1 has no test_batch.bin; ";
    QTest::newRow("empty") << 1 << QByteArray("") << true << "%1/data_batch_1.bin has 0 bytes" + multiple + "; ";
    QTest::newRow("cut off") << 2 << recordsOfCifar10(2, 4).chopped(1) << true
                             << "%1/data_batch_2.bin has 12291 bytes" + multiple + "; ";
    QTest::newRow("longer") << 6 << recordsOfCifar10(6, 1) + 'x' << true
                            << "%1/test_batch.bin has 3074 bytes" + multiple + "; ";
    QTest::newRow("label") << 4 << badLabel << false << "%1/data_batch_4.bin: label 10 of sample 3 is outside 0 to 9";
    QTest::newRow("no folder") << 0 << QByteArray() << true << "the folder \"%1\" does not exist; ";
}

void TestCifar10::saysWhatIsWrong()
{
    QFETCH(int, file);
    QFETCH(QByteArray, bytes);
    QFETCH(bool, saysWhereToGetIt);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    QVERIFY(writeCifar10(folder.path(), 4, 3));
    if (file > 0 && bytes.isNull()) {
        QVERIFY(QFile::remove(folder.filePath(nameOfCifar10(file))));
    } else if (file > 0) {
        QVERIFY(writeFile(folder.filePath(nameOfCifar10(file)), bytes));
    }
    const QString path = file > 0 ? folder.path() : folder.filePath("nowhere");
    const auto run = cifar10("train.batch=1", path);
    const QString message = QString::fromStdString(messageOf(loadDataset(run)));
    QVERIFY2(message.startsWith("dataset.path: " + says.arg(path)), qPrintable(message));
    QVERIFY(!message.contains(u'\n'));
    // What to do about it, where a file is missing or is none of CIFAR-10's.
    QCOMPARE(message.contains("choose the folder with the .bin files of https://"), saysWhereToGetIt);
    const auto before = datasets::described({&run, 1});
    QCOMPARE(QString::fromStdString(messageOf(before)), message); // before any process starts
}

void TestCifar10::theFolderIsFoundWithoutAPath()
{
    const QByteArray before = qgetenv("LOCKSTEP_CIFAR10");
    qputenv("LOCKSTEP_CIFAR10", m_folder.path().toUtf8());
    const auto data = loadDataset(runOf({{"dataset.name", "cifar10"}, {"train.batch", "1"}}));
    qunsetenv("LOCKSTEP_CIFAR10");
    const QByteArray home = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", "/somewhere");
    const std::string standard = experiment::standardFolder(experiment::DataSet::Cifar10);
    home.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", home);
    if (!before.isNull()) {
        qputenv("LOCKSTEP_CIFAR10", before);
    }
    QVERIFY2(data.isOk(), messageOf(data).c_str());
    QCOMPARE(data->train.size(), std::int64_t{200});
    QCOMPARE(standard, std::string("/somewhere/lockstep/cifar-10-batches-bin"));
}

/// What a checkpoint keeps of its data: the same for equal files anywhere, another for any other byte.
void TestCifar10::theContentIsItsIdentity()
{
    const QTemporaryDir other;
    QVERIFY(writeCifar10(other.path(), 40, 30));
    const auto identity = dataIdentity(cifar10("train.batch=1"));
    QVERIFY2(identity.isOk(), messageOf(identity).c_str());
    QVERIFY(identity->starts_with("sha256:"));
    QCOMPARE(*dataIdentity(cifar10("train.batch=1", other.path())), *identity);
    for (const int file : {1, 5, 6}) {
        const QString path = other.filePath(nameOfCifar10(file));
        const QByteArray good = recordsOfCifar10(file, file == 6 ? 30 : 40);
        QByteArray changed = good;
        changed[changed.size() - 1] = static_cast<char>(changed.back() ^ 1);
        QVERIFY(writeFile(path, changed));
        QVERIFY(*dataIdentity(cifar10("train.batch=1", other.path())) != *identity);
        QVERIFY(writeFile(path, good));
    }
    QVERIFY(!dataIdentity(cifar10("train.batch=1", other.filePath("nowhere"))).isOk());
}

void TestCifar10::trainsAsOneProcessDoes_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<int>("ranks");
    const auto add
        = [](const QString& settings, int ranks) { QTest::newRow(qPrintable(settings)) << settings << ranks; };
    for (const char* net : {"logistic", "mlp", "cnn", "lenet5", "deep-mlp"}) {
        add(QStringLiteral("strategy.name=data world_size=2 partition.name=by-label net.name=%1").arg(net), 2);
    }
    for (const char* net : {"cnn", "lenet5"}) {
        add(QStringLiteral("strategy.name=pipeline pipeline.stages=2 pipeline.microbatches=2 net.name=%1").arg(net), 2);
        add(QStringLiteral("strategy.name=tensor tensor.size=2 net.name=%1").arg(net), 2);
        add(QStringLiteral("strategy.name=zero zero.stage=3 world_size=2 net.name=%1").arg(net), 2);
    }
    add("strategy.name=grid grid.data=1 grid.pipeline=2 grid.tensor=2 pipeline.microbatches=2 net.name=lenet5", 4);
}

void TestCifar10::trainsAsOneProcessDoes()
{
    QFETCH(QString, settings);
    QFETCH(int, ranks);
    const auto run = cifar10("train.batch=20 train.steps=6 optimizer.name=sgd optimizer.lr=0.01 rank.bind=false "
                             "net.hidden=24 net.depth=4 verify=true "
        + settings);
    const auto trained = finishedRun(run, ranks).ranks;
    const auto verified = trained.front().kept->all<wire::Verification>();
    QCOMPARE(verified.size(), std::size_t{1});
    QCOMPARE(verified.front().steps, std::int64_t{6});
    QVERIFY2(verified.front().maxRelativeDifference < 1e-10,
        qPrintable(QString::number(verified.front().maxRelativeDifference)));
    QCOMPARE(trained.front().kept->all<wire::Prepared>().front().dataset,
        std::string("CIFAR-10, 200 + 30 images of 3 x 32 x 32"));
}

LOCKSTEP_TEST(TestCifar10)
#include "test_cifar10.moc"
