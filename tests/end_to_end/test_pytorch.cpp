// `lockstep pytorch`: the scripts, run by PyTorch, have the losses of our runs. LOCKSTEP_LONG tries every variant.
#include "core/datasets/small_files.h"
#include "program/programs.h"
#include "program/python.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace Qt::StringLiterals;
using namespace lockstep::tests;

namespace {

constexpr int LimitMs = 180'000;
const bool IsLong = qEnvironmentVariableIsSet("LOCKSTEP_LONG");

struct EndedPython {
    int code = -1;
    QByteArray out;
    QByteArray error;
};

[[nodiscard]] QProcessEnvironment environment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMP_NUM_THREADS", "1"); // before main() says so
    environment.remove("RANK");
    return environment;
}

[[nodiscard]] EndedPython ended(const QString& program, const QStringList& words)
{
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(program, words);
    if (!process.waitForFinished(LimitMs) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished(2000);
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

struct Variant {
    QString preset;
    QString name;
    QStringList settings{};
    bool isShort = false; ///< also without LOCKSTEP_LONG
};

const std::vector<Variant> Variants{{u"optimizers"_s, u"GD"_s, {u"train.steps=0"_s}}, {u"optimizers"_s, u"SGD"_s},
    {u"optimizers"_s, u"Adam"_s, {}, true},
    {u"optimizers"_s, u"SGD"_s, {u"optimizer.name=momentum"_s, u"optimizer.weight_decay=0.001"_s}},
    {u"optimizers"_s, u"SGD"_s,
        {u"optimizer.name=nesterov"_s, u"optimizer.schedule=cosine"_s, u"optimizer.warmup=5"_s}},
    {u"optimizers"_s, u"Adam"_s,
        {u"optimizer.name=adamw"_s, u"optimizer.schedule=step"_s, u"optimizer.schedule_every=1"_s,
            u"optimizer.clip=0.5"_s, u"optimizer.weight_decay=0.01"_s}},
    {u"optimizers"_s, u"SGD"_s, {u"net.name=lenet5"_s, u"train.accumulate=3"_s}}, {u"aggregation"_s, u"all_reduce"_s},
    {u"aggregation"_s, u"reduce_broadcast"_s}, {u"aggregation"_s, u"gather_broadcast"_s},
    {u"aggregation"_s, u"all_gather"_s}, {u"aggregation"_s, u"reduce_scatter_all_gather"_s},
    {u"aggregation"_s, u"ring"_s, {u"world_size=3"_s}, true}, {u"aggregation"_s, u"tree"_s},
    {u"aggregation"_s, u"tree"_s, {u"world_size=3"_s}}, {u"aggregation"_s, u"halving_doubling"_s},
    {u"aggregation"_s, u"halving_doubling"_s, {u"world_size=3"_s}}, {u"aggregation"_s, u"parameter_server"_s},
    {u"aggregation"_s, u"weighted_mean"_s}, {u"aggregation"_s, u"sum"_s}, {u"aggregation"_s, u"median"_s},
    {u"aggregation"_s, u"trimmed_mean"_s}, {u"partitioning"_s, u"random"_s}, {u"partitioning"_s, u"random-sampling"_s},
    {u"partitioning"_s, u"contiguous"_s}, {u"partitioning"_s, u"by-label"_s, {u"world_size=2"_s}, true},
    {u"partitioning"_s, u"dirichlet-0.05"_s}, {u"partitioning"_s, u"unequal"_s},
    {u"partitioning"_s, u"random"_s,
        {u"partition.name=strided"_s, u"partition.overlap=0.2"_s, u"partition.uneven=pad"_s}},
    {u"partitioning"_s, u"random"_s,
        {u"strategy.name=local"_s, u"local.every=7"_s, u"local.outer_lr=0.7"_s, u"local.outer_momentum=0.9"_s,
            u"local.what=differences"_s}},
    {u"model-parallel"_s, u"data"_s}, {u"model-parallel"_s, u"rpc"_s}, {u"model-parallel"_s, u"p2p"_s, {}, true},
    {u"model-parallel"_s, u"p2p"_s, {u"pipeline.stages=3"_s, u"pipeline.schedule=gpipe"_s}},
    {u"model-parallel"_s, u"tensor"_s}, {u"model-parallel"_s, u"tensor"_s, {u"net.depth=3"_s, u"tensor.size=3"_s}},
    {u"sharding"_s, u"zero-1"_s, {u"world_size=2"_s}, true}};

[[nodiscard]] QStringList withSettings(QStringList words, const QStringList& settings)
{
    for (const QString& setting : settings) {
        words += {u"--set"_s, setting};
    }
    return words;
}

[[nodiscard]] std::vector<double> lossesOf(const EndedPython& script)
{
    std::vector<double> losses;
    for (const QByteArray& line : script.out.split('\n')) {
        const QJsonObject row = QJsonDocument::fromJson(line).object();
        if (row.contains("loss"_L1)) {
            losses.push_back(row["loss"_L1].toDouble());
        }
    }
    return losses;
}

[[nodiscard]] std::vector<double> lossesOfRun(const EndedPython& run)
{
    std::vector<double> losses;
    const QJsonObject first = QJsonDocument::fromJson(run.out).object()["runs"_L1].toArray().at(0).toObject();
    for (const auto& value : first["series"_L1].toObject()["loss"_L1].toObject()["value"_L1].toArray()) {
        losses.push_back(value.toDouble());
    }
    return losses;
}

[[nodiscard]] double largestDifference(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = a.size() == b.size() && !a.empty() ? 0.0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        largest = std::max(largest, std::fabs(a[i] - b[i]));
    }
    return largest;
}

/// A row for each of the variants `among`: all with LOCKSTEP_LONG, else those that are wanted.
template <typename Wanted, typename Among>
void addVariants(const Wanted& isWanted, const Among& among)
{
    QTest::addColumn<int>("number");
    for (int i = 0; i < static_cast<int>(Variants.size()); ++i) {
        const Variant& variant = Variants[static_cast<std::size_t>(i)];
        if (among(variant) && (IsLong || isWanted(variant))) {
            QTest::addRow("%s %s %s", qPrintable(variant.preset), qPrintable(variant.name),
                qPrintable(variant.settings.join(u' ')))
                << i;
        }
    }
}

template <typename Wanted>
void addVariants(const Wanted& isWanted)
{
    addVariants(isWanted, [](const Variant&) { return true; });
}

} // namespace

class TestPytorch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void lossesAreEqual_data();
    void lossesAreEqual();
    void lossesOfGptAreEqual_data();
    void lossesOfGptAreEqual();
    void everyKindOfDataIsRead_data();
    void everyKindOfDataIsRead();
    void torchsOwnAreEqual_data();
    void torchsOwnAreEqual();
    void float32IsAsCloseAsAnotherOrder();
    void runsUnderTorchrun_data();
    void runsUnderTorchrun();
    void runsWithoutItsFolder_data();
    void runsWithoutItsFolder();
    void refused_data();
    void refused();
    void fullDiskLeavesNothing_data();
    void fullDiskLeavesNothing();

private:
    [[nodiscard]] EndedPython written(const Variant& variant, const QStringList& settings) const;
    [[nodiscard]] EndedPython trained(const Variant& variant, const QStringList& settings) const;
    [[nodiscard]] QString script() const { return m_folder->filePath("script.py"); }
    void edit(const QByteArray& before, const QByteArray& after) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    const QString m_python = pythonWith(u"torch"_s);
};

void TestPytorch::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

EndedPython TestPytorch::written(const Variant& variant, const QStringList& settings) const
{
    return ended(Lockstep,
        withSettings({u"pytorch"_s, variant.preset, u"--only"_s, variant.name, u"--out"_s, script()},
            settings + variant.settings));
}

EndedPython TestPytorch::trained(const Variant& variant, const QStringList& settings) const
{
    const EndedPython run = ended(Lockstep,
        withSettings({u"run"_s, variant.preset, u"--only"_s, variant.name, u"--json"_s, u"--store"_s,
                         m_folder->filePath("store")},
            settings + variant.settings + QStringList{u"repeats=1"_s}));
    return run;
}

/// Makes the change that a comment of the script proposes.
void TestPytorch::edit(const QByteArray& before, const QByteArray& after) const
{
    QFile file(script());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QByteArray text = file.readAll();
    QVERIFY2(text.contains(before), before);
    text.replace(before, after);
    QVERIFY(file.resize(0) && file.seek(0) && file.write(text) == text.size());
}

void TestPytorch::lossesAreEqual_data()
{
    addVariants([](const Variant& variant) { return variant.isShort; });
}

void TestPytorch::lossesAreEqual()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    QFETCH(int, number);
    const Variant& variant = Variants[static_cast<std::size_t>(number)];
    const QString seed = u"train.seed=%1"_s.arg(QRandomGenerator::global()->bounded(1'000'000));
    const QStringList settings{u"train.dtype=float64"_s, u"train.steps=50"_s, u"dataset.train_samples=1000"_s,
        u"dataset.test_samples=100"_s, seed};
    const EndedPython file = written(variant, settings);
    QVERIFY2(file.code == 0, file.error);
    const EndedPython python = ended(m_python, {script()});
    QVERIFY2(python.code == 0, python.error.right(2000));
    const EndedPython run = trained(variant, settings);
    QVERIFY2(run.code == 0, run.error);
    const std::vector<double> losses = lossesOf(python);
    QCOMPARE(losses.size(), std::size_t{50});
    const double difference = largestDifference(losses, lossesOfRun(run));
    QVERIFY2(difference <= 1e-12, qPrintable(u"%1, %2"_s.arg(seed).arg(difference)));
}

void TestPytorch::lossesOfGptAreEqual_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<double>("tolerance");
    const QStringList data{u"strategy.name=data"_s, u"world_size=2"_s};
    const QString float64 = u"train.dtype=float64"_s;
    const QString longer = u"net.context=150"_s; // several blocks of queries
    QTest::addRow("single, tied") << QStringList{float64, u"net.tied=true"_s} << 1e-10;
    QTest::addRow("single, long") << QStringList{float64, longer} << 1e-10;
    QTest::addRow("two ranks, long") << data + QStringList{float64, longer} << 1e-10;
    QTest::addRow("two ranks, accumulated") << data + QStringList{float64, u"train.accumulate=3"_s} << 1e-10;
    QTest::addRow("float32") << QStringList{longer} << 1e-5;
}

void TestPytorch::lossesOfGptAreEqual()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    QFETCH(QStringList, settings);
    QFETCH(double, tolerance);
    settings += {u"train.steps=12"_s, u"dataset.train_samples=60"_s, u"dataset.test_samples=20"_s};
    const Variant small{u"gpt"_s, u"small"_s};
    const EndedPython file = written(small, settings);
    QVERIFY2(file.code == 0, file.error);
    const EndedPython python = ended(m_python, {script()});
    QVERIFY2(python.code == 0, python.error.right(2000));
    const EndedPython run = trained(small, settings);
    QVERIFY2(run.code == 0, run.error);
    const std::vector<double> losses = lossesOf(python);
    QCOMPARE(losses.size(), std::size_t{12});
    QVERIFY(losses.back() < losses.front());
    const double difference = largestDifference(losses, lossesOfRun(run));
    QVERIFY2(difference <= tolerance, qPrintable(QString::number(difference)));
    QVERIFY(QDir(m_folder->filePath("script.data")).removeRecursively());
    const EndedPython alone = ended(m_python, {script()});
    QVERIFY2(alone.code == 0, alone.error.right(2000));
    QCOMPARE(lossesOf(alone).size(), std::size_t{12});
}

void TestPytorch::everyKindOfDataIsRead_data()
{
    QTest::addColumn<QStringList>("settings");
    const auto row = [](const char* kind, const QString& file, const QStringList& settings = {}) {
        QTest::newRow(kind) << QStringList{u"dataset.name=%1"_s.arg(QString::fromLatin1(kind).section(u' ', 0, 0)),
                                   u"dataset.path="_s + file}
                + settings;
    };
    row("idx with a prefix, 32-bit labels", u"idx"_s);
    row("npz", u"set.npz"_s);
    row("csv in two files", u"train.csv"_s);
    row("csv in one file", u"all.csv"_s);
    row("cifar100 fine", u"cifar"_s);
    row("cifar100 coarse", u"cifar"_s, {u"dataset.labels=coarse"_s});
}

void TestPytorch::everyKindOfDataIsRead()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    QFETCH(QStringList, settings);
    SmallSet set;
    for (int i = 0; i < 120; ++i) {
        (i < 96 ? set.train : set.test).append(i * 7 % 13);
    }
    const QString folder = m_folder->path() + u'/';
    for (const auto& [part, labels] : {std::pair(u"train"_s, set.train), std::pair(u"test"_s, set.test)}) {
        const QString qmnist = folder + u"idx/qmnist-"_s + part;
        QVERIFY(writeSmallFile(qmnist + u"-images-idx3-ubyte.gz"_s, packed(idxImages(labels))));
        QVERIFY(writeSmallFile(qmnist + u"-labels-idx2-int"_s, idxLabels(labels, 8)));
        QVERIFY(writeSmallFile(folder + u"cifar/%1.bin"_s.arg(part), recordsOfCifar100(labels)));
        QVERIFY(writeSmallFile(folder + part + u".csv"_s, csvOf(labels)));
    }
    QVERIFY(writeSmallFile(folder + u"set.npz"_s, zipOf(npzMembers(set), true)));
    QVERIFY(writeSmallFile(folder + u"all.csv"_s, csvOf(set.train, false)));
    settings.replaceInStrings(u"dataset.path="_s, u"dataset.path="_s + folder);
    settings += {u"train.dtype=float64"_s, u"train.steps=12"_s, u"train.batch=16"_s, u"dataset.train_samples=0"_s,
        u"dataset.test_samples=0"_s};
    const Variant adam{u"optimizers"_s, u"Adam"_s};
    const EndedPython file = written(adam, settings);
    QVERIFY2(file.code == 0, file.error);
    const EndedPython python = ended(m_python, {script()});
    QVERIFY2(python.code == 0, python.error.right(2000));
    const EndedPython run = trained(adam, settings);
    QVERIFY2(run.code == 0, run.error);
    const std::vector<double> losses = lossesOf(python);
    QCOMPARE(losses.size(), std::size_t{12});
    const double difference = largestDifference(losses, lossesOfRun(run));
    QVERIFY2(difference <= 1e-12, qPrintable(QString::number(difference)));
    const auto figureOf = [](const QString& name, const QByteArray& out) {
        const QRegularExpression figure(u"\"%1\": ?([0-9.e-]+)"_s.arg(name));
        return figure.match(QString::fromUtf8(out)).captured(1).toDouble();
    };
    for (const QString& name : {u"test_accuracy"_s, u"train_loss"_s}) {
        QVERIFY2(figureOf(name, python.out) > 0.0, python.out.right(300));
        QVERIFY2(std::fabs(figureOf(name, python.out) - figureOf(name, run.out)) < 1e-9, qPrintable(name));
    }
}

void TestPytorch::torchsOwnAreEqual_data()
{
    QTest::addColumn<QString>("optimizer");
    for (const char* name : {"sgd", "momentum", "nesterov", "adam", "adamw"}) {
        if (IsLong || name == QByteArrayView("adam")) {
            QTest::addRow("%s", name) << QString::fromLatin1(name);
        }
    }
}

/// What the script's comments say gives the same: PyTorch's optimizer, and DistributedDataParallel.
void TestPytorch::torchsOwnAreEqual()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    QFETCH(QString, optimizer);
    const Variant variant{u"aggregation"_s, u"all_reduce"_s, {u"world_size=2"_s, u"optimizer.name="_s + optimizer}};
    const QStringList settings{u"train.dtype=float64"_s, u"train.steps=20"_s, u"dataset.train_samples=1000"_s,
        u"dataset.test_samples=100"_s, u"optimizer.weight_decay=0.01"_s};
    QVERIFY(written(variant, settings).code == 0);
    const EndedPython own = ended(m_python, {script()});
    QVERIFY2(own.code == 0, own.error.right(2000));
    QFile file(script());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArrayList lines = file.readAll().split('\n');
    file.close();
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines[i].startsWith("    # or: optimizer = ")) {
            lines[i - 1].clear();
            lines[i].replace("# or: ", "");
        }
    }
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(lines.join('\n'));
    file.close();
    edit("    # or: net = nn.parallel.DistributedDataParallel(net), ",
        "    net = nn.parallel.DistributedDataParallel(net)\n    # ");
    edit("        aggregate_gradients(net)\n", "");
    const EndedPython torchs = ended(m_python, {script()});
    QVERIFY2(torchs.code == 0, torchs.error.right(2000));
    QVERIFY(largestDifference(lossesOf(own), lossesOf(torchs)) <= 1e-12);
}

/// No further from our run than two single processes of ours whose sums are in another order.
void TestPytorch::float32IsAsCloseAsAnotherOrder()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    const QStringList settings{u"train.steps=50"_s, u"dataset.train_samples=1000"_s, u"dataset.test_samples=100"_s};
    const Variant ranks{u"aggregation"_s, u"all_reduce"_s, {u"world_size=2"_s}};
    QVERIFY(written(ranks, settings).code == 0);
    const EndedPython python = ended(m_python, {script()});
    QVERIFY2(python.code == 0, python.error.right(2000));
    const double difference = largestDifference(lossesOf(python), lossesOfRun(trained(ranks, settings)));
    const Variant single{u"optimizers"_s, u"SGD"_s};
    const auto whole = lossesOfRun(trained(single, settings));
    const auto inParts = lossesOfRun(trained(single, settings + QStringList{u"train.accumulate=4"_s}));
    QVERIFY2(difference <= largestDifference(whole, inParts),
        qPrintable(u"%1 > %2"_s.arg(difference).arg(largestDifference(whole, inParts))));
}

void TestPytorch::runsUnderTorchrun_data()
{
    addVariants([](const Variant& variant) { return variant.name == u"by-label"_s; },
        [](const Variant& variant) { return variant.preset != u"optimizers"_s; });
}

/// With the number of processes that its first lines say.
void TestPytorch::runsUnderTorchrun()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    QFETCH(int, number);
    const Variant& variant = Variants[static_cast<std::size_t>(number)];
    const EndedPython file = written(variant,
        {u"train.dtype=float64"_s, u"train.steps=8"_s, u"dataset.train_samples=1000"_s, u"dataset.test_samples=100"_s});
    QVERIFY2(file.code == 0, file.error);
    QFile text(script());
    QVERIFY(text.open(QIODevice::ReadOnly));
    const auto command = QRegularExpression(
        u"^    torchrun (--nproc_per_node=\\d+) script\\.py$"_s, QRegularExpression::MultilineOption)
                             .match(QString::fromUtf8(text.readAll()));
    QVERIFY(command.hasMatch());
    const QString port = QString::number(QRandomGenerator::global()->bounded(20000, 30000));
    // -r 1 -t 1, because without them PyTorch 1.13's fails with Python 3.11; they put the rank before each line.
    EndedPython torchrun = ended(m_python,
        {u"-m"_s, u"torch.distributed.run"_s, u"-r"_s, u"1"_s, u"-t"_s, u"1"_s, u"--master_port"_s, port,
            command.captured(1), script()});
    QVERIFY2(torchrun.code == 0, torchrun.error.right(2000));
    torchrun.out.replace("[default0]:", "");
    const EndedPython alone = ended(m_python, {script()});
    QVERIFY2(alone.code == 0, alone.error.right(2000));
    QCOMPARE(lossesOf(torchrun).size(), std::size_t{8});
    QVERIFY(largestDifference(lossesOf(torchrun), lossesOf(alone)) <= 1e-12);
}

void TestPytorch::runsWithoutItsFolder_data()
{
    addVariants([](const Variant& variant) { return variant.name == u"by-label"_s; });
}

void TestPytorch::runsWithoutItsFolder()
{
    if (m_python.isEmpty()) {
        QSKIP("python3-torch is not installed");
    }
    QFETCH(int, number);
    const Variant& variant = Variants[static_cast<std::size_t>(number)];
    const EndedPython file
        = written(variant, {u"train.steps=8"_s, u"dataset.train_samples=1000"_s, u"dataset.test_samples=100"_s});
    QVERIFY2(file.code == 0, file.error);
    QVERIFY(QDir(m_folder->filePath("script.data")).removeRecursively());
    const EndedPython python = ended(m_python, {script()});
    QVERIFY2(python.code == 0, python.error.right(2000));
    const std::vector<double> losses = lossesOf(python);
    QVERIFY(!losses.empty());
    QVERIFY(std::ranges::all_of(losses, [](double loss) { return std::isfinite(loss); }));
}

void TestPytorch::refused_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QByteArray>("begin");
    const QStringList ring{u"aggregation"_s, u"--only"_s, u"ring"_s};
    QTest::newRow("no variant") << QStringList{u"aggregation"_s, u"--out"_s, u"a.py"_s} << QByteArray("--only: ");
    QTest::newRow("no file") << ring << QByteArray("pytorch: needs --out");
    QTest::newRow("no Python file") << ring + QStringList{u"--out"_s, u"a.txt"_s} << QByteArray("--out: ");
    QTest::newRow("a device") << ring + QStringList{u"--out"_s, u"/dev/full"_s} << QByteArray("--out: /dev/full ");
    QTest::newRow("a name with a quote") << ring + QStringList{u"--out"_s, u"a\"b.py"_s} << QByteArray("--out: ");
    QTest::newRow("no script") << QStringList{u"sharding"_s, u"--only"_s, u"zero-3"_s, u"--out"_s, u"a.py"_s}
                               << QByteArray("zero.stage: 3 ");
}

void TestPytorch::refused()
{
    QFETCH(QStringList, words);
    QFETCH(QByteArray, begin);
    const EndedPython refused = ended(Lockstep, QStringList{u"pytorch"_s} + words);
    QCOMPARE(refused.code, 2);
    QCOMPARE(refused.error.count('\n'), 1);
    QVERIFY2(refused.error.startsWith("lockstep: " + begin), refused.error);
    QVERIFY(refused.out.isEmpty());
}

void TestPytorch::fullDiskLeavesNothing_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("cause");
    // As a full disk does, in the middle of the images.
    QTest::newRow("a limit on files") << u"ulimit -f 100; trap '' XFSZ"_s << u"File too large"_s;
    const QString mount = u"mount -t tmpfs -o size=200k tmpfs '%1'"_s;
    QTest::newRow("a small disk") << mount.arg(u"$FOLDER/out"_s) << u"No space left on device"_s;
    QTest::newRow("a small temporary folder")
        << mount.arg(u"$FOLDER/tmp"_s) + u"; export TMPDIR='$FOLDER/tmp'"_s << u"No space left on device"_s;
}

void TestPytorch::fullDiskLeavesNothing()
{
    QFETCH(const QString, before);
    QFETCH(const QString, cause);
    const QString folder = m_folder->path();
    QVERIFY(QDir(folder).mkdir("out") && QDir(folder).mkdir("tmp"));
    const bool mounts = before.contains(u"mount"_s);
    if (mounts && ended(u"unshare"_s, {u"-m"_s, u"mount"_s, u"-t"_s, u"tmpfs"_s, u"tmpfs"_s, folder}).code != 0) {
        QSKIP("a small disk can be mounted by root only");
    }
    // The folder is looked at while the disk is still mounted.
    QString command = before;
    command += u"; '%1' pytorch aggregation --only ring --lang en --out '$FOLDER/out/a.py'; code=$?; "
               "ls -A '$FOLDER/out' '$FOLDER/tmp' | grep -v -e '^/' -e '^$'; exit $code"_s.arg(Lockstep);
    command.replace(u"$FOLDER"_s, folder);
    const QStringList bash{u"/bin/bash"_s, u"-c"_s, command};
    const EndedPython full = mounts ? ended(u"unshare"_s, QStringList{u"-m"_s} + bash) : ended(bash[0], bash.sliced(1));
    QCOMPARE(full.code, 2);
    QCOMPARE(full.error.count('\n'), 1);
    QVERIFY2(full.error.contains("cannot be written: " + cause.toUtf8()), full.error);
    QVERIFY2(!full.error.contains(".lockstep-"), full.error); // the name of a draft
    QCOMPARE(full.out, QByteArray());
}

LOCKSTEP_TEST(TestPytorch)
#include "test_pytorch.moc"
