// Every kind of file trains, and the same images and labels train alike from all of them, to the last bit.
#include "core/datasets/small_files.h"
#include "core/engine/strategy/trained_ranks.h"
#include "datasets/registry.h"
#include "engine/data/data_identity.h"
#include "engine/data/dataset.h"
#include "engine/model/net.h"
#include "engine/program/run_spec.h"
#include "program/test_class.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lockstep;
using namespace lockstep::engine;
using namespace lockstep::tests;

namespace {

const SmallSet Letters{{3, 14, 15, 9, 26, 5, 3, 5, 8, 9}, {7, 26}}; // ten and two: a CSV file's last sixth tests

experiment::RunSpec described(const char* name, const QString& path, const QString& settings = {})
{
    auto run = runOf(
        withSettings({{"dataset.name", name}, {"dataset.path", path.toStdString()}, {"net.name", "mlp"},
                         {"net.hidden", "16"}, {"train.batch", "4"}, {"train.steps", "6"}, {"rank.bind", "false"}},
            settings));
    if (const auto read = datasets::describe(run); !read) {
        qFatal("%s", read.error().message.c_str());
    }
    return run;
}

} // namespace

class TestKindsOfData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(writeIdx(path("idx"), Letters));
        for (const QByteArray& part : {QByteArray("train"), QByteArray("test")}) {
            const QList<int>& labels = part == "train" ? Letters.train : Letters.test;
            const QString begin = path("emnist") + "/emnist-letters-" + part;
            QVERIFY(writeSmallFile(begin + "-images-idx3-ubyte.gz", packed(idxImages(labels))));
            QVERIFY(writeSmallFile(begin + "-labels-idx1-ubyte.gz", packed(idxLabels(labels))));
            const QString qmnist = path("qmnist") + "/qmnist-" + part;
            QVERIFY(writeSmallFile(qmnist + "-images-idx3-ubyte", idxImages(labels)));
            QVERIFY(writeSmallFile(qmnist + "-labels-idx2-int", idxLabels(labels, 8)));
            QVERIFY(writeSmallFile(path("csv") + "/letters-" + part + ".csv", csvOf(labels)));
        }
        QList<int> all = Letters.train;
        all += Letters.test;
        QVERIFY(writeSmallFile(path("kaggle/train.csv"), csvOf(all)));
        QVERIFY(writeSmallFile(path("kaggle/test.csv"), csvOf(all, true, 28, false)));
        QVERIFY(writeSmallFile(path("stored.npz"), zipOf(npzMembers(Letters), false)));
        QVERIFY(writeSmallFile(path("deflated.npz"), zipOf(npzMembers(Letters), true)));
        QVERIFY(writeSmallFile(path("cifar100/train.bin"), recordsOfCifar100({0, 99, 42, 7, 50, 61, 3, 88})));
        QVERIFY(writeSmallFile(path("cifar100/test.bin"), recordsOfCifar100({3, 50})));
    }

    void theKindOfFileChangesNothing()
    {
        const TrainedRun expected = finishedRun(described("idx", path("idx")), 1);
        const std::vector<double> losses = lossesOf(expected.ranks);
        QCOMPARE(losses.size(), std::size_t{6});
        QVERIFY(std::abs(losses.front() - std::log(27.0)) < 0.5); // 27 classes, none of them known yet
        QVERIFY(losses.back() < losses.front());
        const std::vector<std::pair<const char*, QString>> others{{"idx", path("emnist")}, {"idx", path("qmnist")},
            {"npz", path("stored.npz")}, {"npz", path("deflated.npz")}, {"csv", path("csv")}};
        for (const auto& [name, where] : others) {
            const TrainedRun run = finishedRun(described(name, where), 1);
            QVERIFY2(lossesOf(run.ranks) == losses, qPrintable(where));
        }
        // And to several ranks the same samples.
        const auto ofTwo = [&](const char* name, const QString& where) {
            const auto run = described(name, where, "strategy.name=data world_size=2 partition.name=by-label");
            return lossesOf(finishedRun(run, 2).ranks);
        };
        QVERIFY(ofTwo("idx", path("idx")) == ofTwo("npz", path("stored.npz")));
    }

    void cifar100TrainsOnEitherLabel()
    {
        for (const auto& [labels, classes] : {std::pair("fine", 100.0), std::pair("coarse", 20.0)}) {
            const auto run = described("cifar100", path("cifar100"),
                QStringLiteral("net.name=lenet5 train.batch=8 optimizer.lr=0.01 dataset.labels=%1")
                    .arg(QLatin1String(labels)));
            const TrainedRun trained = finishedRun(run, 1);
            const std::vector<double> losses = lossesOf(trained.ranks);
            QVERIFY2(std::abs(losses.front() - std::log(classes)) < 0.5, labels);
            QVERIFY(losses.back() < losses.front());
        }
    }

    void trainsAsPlainPythonDoes_data()
    {
        QTest::addColumn<QString>("kind"); // of plain_softmax.py
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("settings");
        const auto row = [&](const char* kind, const char* name, const char* where, const char* settings = "") {
            QTest::newRow(where + QByteArray(settings).mid(14)) << kind << name << path(where) << settings;
        };
        row("idx", "idx", "idx");
        row("idx", "idx", "emnist");
        row("idx", "idx", "qmnist");
        row("npz", "npz", "deflated.npz");
        row("csv", "csv", "kaggle/train.csv");
        row("fine", "cifar100", "cifar100");
        row("coarse", "cifar100", "cifar100", "dataset.labels=coarse");
    }

    /// The files are read, split and scaled as someone would who has only their description.
    void trainsAsPlainPythonDoes()
    {
        QFETCH(QString, kind);
        QFETCH(QString, name);
        QFETCH(QString, where);
        QFETCH(QString, settings);
        constexpr std::size_t Steps = 2;
        const auto run = described(name.toLatin1().constData(), where,
            "net.name=logistic optimizer.name=gd optimizer.lr=0.01 train.steps=2 train.dtype=float64 " + settings);
        QByteArray weights;
        const auto net = makeNet(run, torch::kCPU);
        for (const NamedTensor& parameter : net->parameters()) {
            const torch::Tensor flat = parameter.tensor.detach().flatten();
            for (std::int64_t i = 0; i < flat.numel(); ++i) {
                weights += QByteArray::number(flat.data_ptr<double>()[i], 'g', 17) + '\n';
            }
        }
        QProcess python;
        python.start(QStringLiteral("python3"),
            {QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/core/engine/data/plain_softmax.py"), kind, where,
                QStringLiteral("0.01"), QString::number(Steps)});
        python.write(weights);
        python.closeWriteChannel();
        QVERIFY(python.waitForFinished(100'000));
        const QList<QByteArray> lines = python.readAllStandardOutput().split('\n');
        QVERIFY2(lines.size() == Steps + 3, python.readAllStandardError().constData());
        const TrainedRun trained = finishedRun(run, 1);
        const std::vector<double> losses = lossesOf(trained.ranks);
        QCOMPARE(losses.size(), Steps);
        const auto isNear = [&](double ours, qsizetype line) { return std::abs(ours - lines[line].toDouble()) < 1e-9; };
        for (std::size_t step = 0; step < Steps; ++step) {
            QVERIFY2(isNear(losses[step], static_cast<qsizetype>(step)), lines.join(' ').constData());
        }
        const auto last = trained.ranks.front().kept->all<wire::Evaluation>().back();
        QVERIFY2(isNear(last.loss, Steps), lines.join(' ').constData());
        QVERIFY2(isNear(last.accuracy, Steps + 1), lines.join(' ').constData());
    }

    void aPixelIsAByteInMemory()
    {
        const auto data = loadDataset(described("npz", path("stored.npz")));
        QVERIFY2(data.isOk(), messageOf(data).c_str());
        QCOMPARE(static_cast<std::int64_t>(data->train.inputs.nbytes()), std::int64_t{10 * 784});
        QCOMPARE(data->classes, std::int64_t{27});
        QCOMPARE(data->description.english, std::string("npz, 10 + 2 images of 28 x 28"));
    }

    void aRankRefusesOtherFilesThanTheSpecWasMadeFor()
    {
        auto run = described("npz", path("stored.npz"));
        QVERIFY(readRunSpec(experiment::toJson(run)).isOk());
        run.data->classes = 62;
        QCOMPARE(messageOf(readRunSpec(experiment::toJson(run))),
            std::string("dataset.path: the spec was made for 62 classes of 1 x 28 x 28 images, but the files here have "
                        "27 classes of 1 x 28 x 28; use the same files, or remove `data` from the spec"));
    }

    void theIdentityIsTheFiles()
    {
        const auto identity
            = [](const char* name, const QString& where) { return dataIdentity(described(name, where)).value(); };
        QCOMPARE(identity("idx", path("idx")), identity("idx", path("emnist"))); // whatever they are called and packed
        QVERIFY(identity("npz", path("stored.npz")) != identity("npz", path("deflated.npz")));
        QCOMPARE(dataIdentity(runOf({})).value(), std::string("digits 1"));
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    QTemporaryDir m_folder;
};

LOCKSTEP_TEST(TestKindsOfData)
#include "test_kinds_of_data.moc"
