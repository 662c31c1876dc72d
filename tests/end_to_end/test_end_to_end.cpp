// `lockstep run` with real rank processes: what it prints, that it prints the same twice, what it learns, and how it
// refuses bad input.
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <tuple>

using namespace lockstep::tests;

namespace {

struct EndedCommand {
    int code = -1;
    QByteArray out;
    QByteArray error;

    [[nodiscard]] QJsonArray runs() const { return QJsonDocument::fromJson(out).object()["runs"].toArray(); }
};

[[nodiscard]] EndedCommand outputOf(const QString& program, const QStringList& words, const QString& store)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LOCKSTEP_STORE", store);
    environment.remove("LOCKSTEP_RANK");
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/") + program, words);
    if (!process.waitForFinished(300000) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

[[nodiscard]] QJsonArray column(const QJsonValue& run, const char* series, const char* name)
{
    return run.toObject()["series"].toObject()[QLatin1String(series)].toObject()[QLatin1String(name)].toArray();
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

[[nodiscard]] QByteArray bigEndian(quint32 number)
{
    QByteArray bytes(4, '\0');
    for (int i = 0; i < 4; ++i) {
        bytes[i] = static_cast<char>((number >> (24 - 8 * i)) & 0xff);
    }
    return bytes;
}

[[nodiscard]] QByteArray images(quint32 count, quint32 magic = 0x803)
{
    return bigEndian(magic) + bigEndian(count) + bigEndian(28) + bigEndian(28)
        + QByteArray(static_cast<qsizetype>(count) * 784, '\x20');
}

[[nodiscard]] QByteArray labels(quint32 count, char label = 3)
{
    return bigEndian(0x801) + bigEndian(count) + QByteArray(static_cast<qsizetype>(count), label);
}

} // namespace

class TestEndToEnd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void threeOptimizersOnDigits();
    void sameLossesTwice();
    void turnsChangeNoLoss();
    void mnistAccuracies();
    void cnnAccuracy();
    void nanEndsTheRun();
    void badData_data();
    void badData();
    void missingDataIsOneLine();
    void batchLargerThanTheData();
    void recordingBecomesARun();
    void interruptEndsARealRank();
    void firstLossIsTimedFromTheCommand();
    void theCheckInFloat64IsOffered();
    void repeatsAreExportedAsTheirMean();

private:
    [[nodiscard]] EndedCommand lockstep(const QStringList& words) const
    {
        return outputOf("lockstep", words, m_store.path());
    }
    QTemporaryDir m_store;
    const QStringList m_small{"run", "optimizers", "--set", "repeats=1", "--json", "--set", "dataset.train_samples=640",
        "--set", "dataset.test_samples=200"};
};

void TestEndToEnd::threeOptimizersOnDigits()
{
    const EndedCommand ended = lockstep(m_small);
    QVERIFY2(ended.code == 0, ended.error.constData());
    const QJsonArray runs = ended.runs();
    QCOMPARE(runs.size(), 3);
    const QStringList names{"GD", "SGD", "Adam"};
    const QList<int> steps{50, 50, 50}; // 50 whole batches; 5 epochs of 10 batches of 64
    for (qsizetype i = 0; i < 3; ++i) {
        const QJsonObject run = runs[i].toObject();
        QCOMPARE(run["name"].toString(), names[i]);
        QCOMPARE(run["status"].toString(), QStringLiteral("finished"));
        const QJsonArray losses = column(run, "loss", "value");
        QCOMPARE(losses.size(), steps[i]);
        QCOMPARE(column(run, "loss", "step").last().toInt(), steps[i]);
        QCOMPARE(column(run, "loss", "epoch").last().toDouble(), i == 0 ? 50.0 : 5.0);
        QVERIFY(losses.last().toDouble() < losses.first().toDouble());
        const QJsonObject summary = run["summary"].toObject();
        QCOMPARE(summary["final_loss"].toDouble(), losses.last().toDouble());
        QCOMPARE(summary["test_accuracy"].toDouble(), column(run, "accuracy", "value").last().toDouble());
        QVERIFY(summary["ms_per_step"].toDouble() > 0);
        QVERIFY(!run["findings"].toArray().isEmpty());
    }
}

void TestEndToEnd::sameLossesTwice()
{
    const EndedCommand first = lockstep(m_small);
    const EndedCommand second = lockstep(m_small);
    QCOMPARE(first.code, 0);
    QCOMPARE(second.code, 0);
    for (qsizetype i = 0; i < 3; ++i) {
        for (const char* name : {"step", "epoch", "value"}) {
            // Exact: JSON numbers are written so that they read back as the same double.
            QCOMPARE(column(first.runs()[i], "loss", name), column(second.runs()[i], "loss", name));
            QCOMPARE(column(first.runs()[i], "accuracy", name), column(second.runs()[i], "accuracy", name));
        }
    }
}

/// Runs that take turns learn what they learn alone, and their times are compared block by block.
void TestEndToEnd::turnsChangeNoLoss()
{
    const QStringList words{"run", "aggregation", "--json", "--only", "all_reduce,parameter_server", "--set",
        "world_size=2", "--set", "train.steps=60", "--set", "dataset.train_samples=640"};
    // Ends at the wanted precision, after a second or two; on a loaded machine the limit leaves time for five blocks.
    const EndedCommand inTurns = lockstep(words + QStringList{"--set", "measure.limit_s=20"});
    QVERIFY2(inTurns.code == 0, inTurns.error.constData());
    const EndedCommand alone = lockstep(words + QStringList{"--set", "measure.interleave=false"});
    QVERIFY2(alone.code == 0, alone.error.constData());
    for (int run = 0; run < 2; ++run) {
        QCOMPARE(column(inTurns.runs()[run], "loss", "value"), column(alone.runs()[run], "loss", "value"));
        QCOMPARE(column(inTurns.runs()[run], "loss", "step").size(), qsizetype{60});
        QCOMPARE(column(inTurns.runs()[run], "accuracy", "value"), column(alone.runs()[run], "accuracy", "value"));
    }
    const auto comparisonOf = [](const EndedCommand& ended) {
        return QJsonDocument::fromJson(ended.out).object()["comparisons"].toArray()[0].toObject();
    };
    const QJsonObject compared = comparisonOf(inTurns);
    QCOMPARE(compared["baseline"].toString(), QStringLiteral("all_reduce"));
    QCOMPARE(compared["run"].toString(), QStringLiteral("parameter_server"));
    QCOMPARE(compared["figure"].toString(), QStringLiteral("ms_per_step"));
    QCOMPARE(compared["unit"].toString(), QStringLiteral("block"));
    QVERIFY(compared["n"].toInt() >= 5);
    const QJsonArray interval = compared["ci95"].toArray();
    QVERIFY(interval[0].toDouble() < interval[1].toDouble());
    QVERIFY(interval[0].toDouble() <= compared["difference"].toDouble());
    QVERIFY(compared["difference"].toDouble() <= interval[1].toDouble());
    // One run each, one after the other: a difference, and nothing about its chance.
    QCOMPARE(comparisonOf(alone)["unit"].toString(), QStringLiteral("seed"));
    QCOMPARE(comparisonOf(alone)["n"].toInt(), 1);
    QVERIFY(comparisonOf(alone)["ci95"].toArray()[0].isNull());
}

void TestEndToEnd::mnistAccuracies()
{
    if (mnistFolder().isEmpty()) {
        QSKIP("no MNIST: set LOCKSTEP_MNIST");
    }
    const EndedCommand ended = lockstep({"run", "optimizers", "--set", "repeats=1", "--set", "dataset.name=mnist",
        "--set", "dataset.path=" + mnistFolder(), "--set", "net.name=mlp", "--json"});
    QVERIFY2(ended.code == 0, ended.error.constData());
    const QList<double> least{0.905, 0.945, 0.94}; // GD at 0.1 falls at every step
    QCOMPARE(ended.runs().size(), 3);
    for (qsizetype i = 0; i < 3; ++i) {
        const double accuracy = ended.runs()[i].toObject()["summary"].toObject()["test_accuracy"].toDouble();
        QVERIFY2(accuracy >= least[i], qPrintable(QString::number(accuracy)));
    }
}

void TestEndToEnd::cnnAccuracy()
{
    if (mnistFolder().isEmpty()) {
        QSKIP("no MNIST: set LOCKSTEP_MNIST");
    }
    const EndedCommand ended
        = lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "Adam", "--set", "dataset.name=mnist", "--set",
            "dataset.path=" + mnistFolder(), "--set", "net.name=cnn", "--set", "train.epochs=2", "--json"});
    QVERIFY2(ended.code == 0, ended.error.constData());
    const double accuracy = ended.runs()[0].toObject()["summary"].toObject()["test_accuracy"].toDouble();
    QVERIFY2(accuracy >= 0.97, qPrintable(QString::number(accuracy)));
}

void TestEndToEnd::nanEndsTheRun()
{
    // Each step multiplies the weights by 1 - 10: they overflow float32 after about 38 steps.
    const EndedCommand ended = lockstep(m_small
        + QStringList{"--only", "SGD", "--set", "optimizer.lr=10", "--set", "optimizer.weight_decay=1", "--set",
            "net.name=logistic"});
    QCOMPARE(ended.code, 3);
    const QRegularExpression line(QStringLiteral("rank 0: loss became (NaN|infinite) at step (\\d+)"));
    const QRegularExpressionMatch match = line.match(QString::fromUtf8(ended.error));
    QVERIFY2(match.hasMatch(), ended.error.constData());
    const QJsonObject run = ended.runs()[0].toObject();
    QCOMPARE(run["status"].toString(), QStringLiteral("failed"));
    const QJsonArray losses = column(run, "loss", "value");
    QCOMPARE(losses.size(), match.captured(2).toInt());
    QVERIFY(losses.last().isNull());
}

void TestEndToEnd::badData_data()
{
    QTest::addColumn<QByteArray>("trainImages");
    QTest::addColumn<QByteArray>("trainLabels");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QString>("name");
    QTest::addRow("no file") << QByteArray() << labels(100) << "dataset.path: .*train-images.*"
                             << "idx";
    QTest::addRow("truncated") << images(100).chopped(10) << labels(100) << "dataset.path: .*train-images.*"
                               << "idx";
    QTest::addRow("wrong magic") << images(100, 0x801) << labels(100)
                                 << "dataset.path: .*has magic 0x00000801.*0x00000803.*"
                                 << "idx";
    QTest::addRow("label out of range") << images(100) << labels(100, 10) << "dataset.path: .*train-labels.*10.*"
                                        << "mnist";
    QTest::addRow("counts differ") << images(100) << labels(99) << "dataset.path: .*100.*99.*"
                                   << "idx";
    QTest::addRow("empty") << QByteArray("") << labels(100) << "dataset.path: .*train-images.*"
                           << "idx";
}

void TestEndToEnd::badData()
{
    QFETCH(QByteArray, trainImages);
    QFETCH(QByteArray, trainLabels);
    QFETCH(QString, says);
    QFETCH(QString, name);
    const QTemporaryDir folder;
    if (!trainImages.isNull()) {
        write(folder.filePath("train-images-idx3-ubyte"), trainImages);
    }
    write(folder.filePath("train-labels-idx1-ubyte"), trainLabels);
    write(folder.filePath("t10k-images-idx3-ubyte"), images(10));
    write(folder.filePath("t10k-labels-idx1-ubyte"), labels(10));
    const EndedCommand ended = lockstep({"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--json", "--set",
        "dataset.name=" + name, "--set", "dataset.path=" + folder.path()});
    QCOMPARE(ended.code, 2);
    const QRegularExpression line(QStringLiteral("^lockstep: ") + says + u'$', QRegularExpression::MultilineOption);
    QVERIFY2(line.match(QString::fromUtf8(ended.error)).hasMatch(), ended.error.constData());
}

/// Looked for before the first process starts, and said once, whatever the number of variants.
void TestEndToEnd::missingDataIsOneLine()
{
    const QTemporaryDir store;
    const QTemporaryDir cutOff;
    write(cutOff.filePath("data_batch_1.bin"), QByteArray(3072, '\0'));
    for (const QStringList& data : {QStringList{"dataset.name=mnist", "dataset.path=/no/such/folder"},
             {"dataset.name=idx", "dataset.path=" + store.path()},
             {"dataset.name=cifar10", "dataset.path=/no/such/folder"},
             {"dataset.name=cifar10", "dataset.path=" + cutOff.path()},
             {"dataset.name=text", "net.name=gpt", "dataset.path=/no/such/text"}}) {
        QStringList words{"run", "optimizers", "--set", "repeats=1", "--store", store.path()};
        for (const QString& setting : data) {
            words << "--set" << setting;
        }
        const EndedCommand ended = lockstep(words);
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.error.startsWith("lockstep: dataset.path: "), ended.error.constData());
        QCOMPARE(ended.error.count('\n'), 1);
        QVERIFY(QDir(store.path()).isEmpty());
    }
}

void TestEndToEnd::batchLargerThanTheData()
{
    const EndedCommand ended = lockstep(m_small + QStringList{"--only", "SGD", "--set", "train.batch=641"});
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.error.contains("lockstep: train.batch: "), ended.error.constData());
}

void TestEndToEnd::recordingBecomesARun()
{
    const EndedCommand live = lockstep(m_small + QStringList{"--only", "SGD"});
    QCOMPARE(live.code, 0);
    const QTemporaryDir folder;
    write(folder.filePath("spec.json"),
        QJsonDocument(live.runs()[0].toObject()["spec"].toObject()).toJson(QJsonDocument::Compact));
    const QString followed = folder.filePath("followed");
    QProcess follower; // waits for the file
    follower.start(Lockstep, {"import", "--follow", folder.filePath("run.frames"), "--store", followed});
    const EndedCommand recorded = outputOf("lockstep-rank",
        {"--spec", folder.filePath("spec.json"), "--record", folder.filePath("run.frames")}, m_store.path());
    QVERIFY2(recorded.code == 0, recorded.error.constData());
    const QString store = folder.filePath("store");
    const EndedCommand imported = lockstep({"import", folder.filePath("run.frames"), "--store", store});
    QVERIFY2(imported.code == 0, imported.error.constData());
    QVERIFY(follower.waitForFinished(60'000));
    QVERIFY2(follower.exitCode() == 0, follower.readAllStandardError().constData());
    for (const QString& each : {store, followed}) {
        const QJsonArray runs = lockstep({"runs", "--json", "--store", each}).runs();
        QCOMPARE(runs.size(), 1);
        QCOMPARE(runs[0].toObject()["status"].toString(), QStringLiteral("finished"));
        QCOMPARE(runs[0].toObject()["summary"].toObject()["final_loss"].toDouble(),
            live.runs()[0].toObject()["summary"].toObject()["final_loss"].toDouble());
    }
}

void TestEndToEnd::interruptEndsARealRank()
{
    QProcess process;
    process.start(Lockstep,
        {"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--json", "--store", m_store.path(), "--set",
            "train.epochs=1000"});
    const QRegularExpression hasSteps("step [1-9]\\d");
    QString said;
    QTRY_VERIFY((said += QString::fromUtf8(process.readAllStandardError())).contains(hasSteps));
    QVERIFY(sendSignal(process.processId(), SIGINT));
    QVERIFY(process.waitForFinished(60'000));
    const QJsonArray runs = QJsonDocument::fromJson(process.readAllStandardOutput()).object()["runs"].toArray();
    QCOMPARE(runs[0].toObject()["status"].toString(), QStringLiteral("stopped"));
    QVERIFY(!column(runs[0], "loss", "value").isEmpty());
}

void TestEndToEnd::firstLossIsTimedFromTheCommand()
{
    QElapsedTimer clock;
    clock.start();
    const EndedCommand ended = lockstep(m_small + QStringList{"--only", "SGD"});
    const double whole = static_cast<double>(clock.elapsed()) / 1e3;
    const double seconds = ended.runs()[0].toObject()["summary"].toObject()["seconds_to_first_loss"].toDouble();
    const double firstStep = column(ended.runs()[0].toObject(), "loss", "seconds")[0].toDouble();
    // It holds the start of two processes and the reading of the data, which the series' own clock does not.
    QVERIFY2(seconds > firstStep && seconds < whole, qPrintable(QString::number(seconds)));
}

void TestEndToEnd::theCheckInFloat64IsOffered()
{
    const QStringList words{"run", "aggregation", "--only", "ring", "--set", "verify=true", "--set",
        "dataset.train_samples=640", "--set", "train.steps=20", "--set", "repeats=1", "--json"};
    const EndedCommand ended = lockstep(words);
    QVERIFY2(ended.code == 0, ended.error.constData());
    const QByteArray offer("lockstep run aggregation --only ring --set verify=true --set dataset.train_samples=640 "
                           "--set train.steps=20 --set repeats=1 --set train.dtype=float64");
    QVERIFY2(ended.error.contains(offer), ended.error.constData());
    const QJsonObject summary = ended.runs()[0].toObject()["summary"].toObject();
    QCOMPARE(summary["verify_drifts"].toArray().size(), 3);
    QVERIFY(summary["interfered"].toArray().isEmpty());
    // The command that is named works, and offers nothing more.
    const EndedCommand again = lockstep(words.mid(0, 12) + QStringList{"--set", "train.dtype=float64", "--json"});
    QVERIFY2(again.code == 0 && !again.error.contains("float64:"), again.error.constData());
    const QJsonObject exact = again.runs()[0].toObject()["summary"].toObject();
    QVERIFY(exact["verify_drifts"].toArray().isEmpty());
    QVERIFY(exact["verify_max_relative_difference"].toDouble() < 1e-12);
}

void TestEndToEnd::repeatsAreExportedAsTheirMean()
{
    const EndedCommand ran = lockstep(m_small + QStringList{"--set", "repeats=2", "--only", "SGD"});
    QVERIFY2(ran.code == 0, ran.error.constData());
    QStringList words{"export"};
    for (const auto& run : ran.runs()) {
        words += run.toObject()["id"].toString();
    }
    const QTemporaryDir out;
    words += {"--chart", "loss", "--format", "csv", "--out", out.path(), "--store", m_store.path()};
    const auto curves = [&](const QStringList& more) {
        const EndedCommand ended = lockstep(words + more);
        QFile csv(out.filePath("loss.csv"));
        const bool isRead = csv.open(QIODevice::ReadOnly);
        const QByteArray text = isRead ? csv.readAll() : QByteArray();
        csv.remove();
        return std::tuple(ended.code, text.count(",loss-mean,"), text.count(",loss-smoothed,"));
    };
    QCOMPARE(curves({}), std::tuple(0, qsizetype{50}, qsizetype{0}));
    QCOMPARE(curves({"--repeats", "each"}), std::tuple(0, qsizetype{0}, qsizetype{100}));
    QCOMPARE(curves({"--with-interfered"}), std::tuple(0, qsizetype{50}, qsizetype{0}));
    QCOMPARE(curves({"--repeats", "some"}), std::tuple(2, qsizetype{0}, qsizetype{0}));
}

LOCKSTEP_TEST(TestEndToEnd)
#include "test_end_to_end.moc"
