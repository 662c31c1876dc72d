// Ranks that are forked from a ready process: the same losses as those that are started, the same names for how they
// end, and no process left, whichever of workbench, ready process and rank is killed first.
#include "base/clock.h"
#include "base/random.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "program/programs.h"
#include "program/sanitizer.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>

using namespace lockstep;
using namespace lockstep::tests;
using namespace Qt::StringLiterals;

namespace {

const QString Forked = u"the ranks are forked from the ready process"_s;

void start(QProcess& workbench, const QString& store, const QStringList& settings,
    const QList<std::pair<QString, QString>>& variables = {}, const QString& program = Lockstep)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("LOCKSTEP_RANK");
    environment.remove("LOCKSTEP_READY");
    for (const auto& [name, value] : variables) {
        environment.insert(name, value);
    }
    QStringList words{"run", "own", "--json", "--store", store};
    for (const QString& setting : settings) {
        words << (setting.startsWith("--") ? QStringList{"--vary", setting.mid(2)} : QStringList{"--set", setting});
    }
    workbench.setProcessEnvironment(environment);
    workbench.start(program, words);
}

/// Two ranks that train for longer than any trial.
const QStringList LongRun{"strategy.name=data", "world_size=2", "train.steps=1000000"};

struct Stored {
    analysis::RunRecord record;
    QStringList log;
};

/// The runs of the store in the order of their start.
[[nodiscard]] QList<Stored> storedIn(const QString& folder)
{
    QList<Stored> runs;
    const auto store = store::RunStore::open(folder);
    for (const analysis::RunRecord& record : store ? (*store)->list() : std::vector<analysis::RunRecord>()) {
        Stored run{record, {}};
        const auto replayed = (*store)->replay(record.id, [&run](const store::Delta& delta) {
            for (const auto& [rank, line] : delta.logs) {
                run.log += QString::fromStdString(line.text);
            }
            return true;
        });
        if (replayed) {
            runs.prepend(run);
        }
    }
    std::sort(runs.begin(), runs.end(),
        [](const Stored& a, const Stored& b) { return a.record.createdNs < b.record.createdNs; });
    return runs;
}

[[nodiscard]] qsizetype linesWith(const Stored& run, const QString& text)
{
    return std::count_if(run.log.begin(), run.log.end(), [&text](const QString& line) { return line.contains(text); });
}

/// Loss and accuracy of every run, by step.
[[nodiscard]] QJsonArray curvesOf(const QByteArray& json)
{
    QJsonArray curves;
    for (const QJsonValue& run : QJsonDocument::fromJson(json).object()["runs"].toArray()) {
        for (const char* name : {"loss", "accuracy"}) {
            const QJsonObject series = run.toObject()["series"].toObject()[QLatin1String(name)].toObject();
            curves.append(QJsonArray{series["step"], series["value"]});
        }
    }
    return curves;
}

} // namespace

class TestReadyProcess : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
        if (IsSanitized) {
            QSKIP("no rank is forked: a sanitizer does not survive it");
        }
    }
    void lossesAreThoseOfStartedRanks_data();
    void lossesAreThoseOfStartedRanks();
    void comparisonsAndSweepsUseIt();
    void killedInAnyOrder_data();
    void killedInAnyOrder();
    void itsDeathIsNamedAndTheNextRunStarts();
    void withoutItRanksAreStarted();
};

void TestReadyProcess::lossesAreThoseOfStartedRanks_data()
{
    QTest::addColumn<QStringList>("settings");
    // Two runs, so that one rank is forked as well; the second finds the data set loaded.
    const QStringList few{"repeats=2", "train.steps=6", "dataset.train_samples=640", "dataset.test_samples=200"};
    QTest::addRow("CNN, 1 thread") << few + QStringList{"net.name=cnn"};
    QTest::addRow("CNN, 2 threads") << few + QStringList{"net.name=cnn", "rank.threads=2"};
    QTest::addRow("GPT, 2 threads") << few
            + QStringList{
                "net.name=gpt", "dataset.name=text", "train.batch=8", "train.dtype=float64", "rank.threads=2"};
    QTest::addRow("MLP of two ranks, 1 thread")
        << few + QStringList{"net.name=mlp", "strategy.name=data", "world_size=2"};
}

void TestReadyProcess::lossesAreThoseOfStartedRanks()
{
    QFETCH(QStringList, settings);
    QJsonArray curves[2];
    for (const int isReady : {0, 1}) {
        const QTemporaryDir store;
        QProcess workbench;
        start(workbench, store.path(), settings, {{u"LOCKSTEP_READY"_s, QString::number(isReady)}});
        QVERIFY(workbench.waitForFinished(60'000));
        QVERIFY2(workbench.exitCode() == 0, workbench.readAllStandardError().constData());
        curves[isReady] = curvesOf(workbench.readAllStandardOutput());
        const QList<Stored> runs = storedIn(store.path());
        QCOMPARE(runs.size(), 2);
        for (const Stored& run : runs) {
            QCOMPARE(linesWith(run, Forked), isReady);
        }
    }
    QCOMPARE(curves[1].size(), 4);
    QCOMPARE(curves[1][0].toArray()[1].toArray().size(), 6);
    QCOMPARE(curves[1], curves[0]);
}

void TestReadyProcess::comparisonsAndSweepsUseIt()
{
    // Runs that take turns: all are alive together.
    const QTemporaryDir store;
    QProcess workbench;
    start(workbench, store.path(),
        {"strategy.name=data", "world_size=2", "train.steps=40", "dataset.train_samples=640",
            "dataset.test_samples=200", "measure.interleave=true", "--optimizer.lr=0.01,0.1"});
    QVERIFY(workbench.waitForFinished(60'000));
    QVERIFY2(workbench.exitCode() == 0, workbench.readAllStandardError().constData());
    const QList<Stored> runs = storedIn(store.path());
    QCOMPARE(runs.size(), 2);
    for (const Stored& run : runs) {
        QCOMPARE(run.record.status, analysis::RunStatus::Finished);
        QCOMPARE(linesWith(run, Forked), 1);
    }
}

void TestReadyProcess::killedInAnyOrder_data()
{
    QTest::addColumn<QString>("order");
    QString order = "rsw"; // rank, ready process (s), workbench
    do {
        QTest::addRow("%s", qPrintable(order)) << order;
    } while (std::next_permutation(order.begin(), order.end()));
}

void TestReadyProcess::killedInAnyOrder()
{
    QFETCH(QString, order);
    Random random(Seed{static_cast<std::uint64_t>(wallNs())});
    for (int trial = 0; trial < std::max(1, trialCount(1) / 5); ++trial) {
        const QTemporaryDir store;
        const QByteArray mark = markOf(trial);
        QProcess workbench;
        start(workbench, store.path(), LongRun,
            {{u"LOCKSTEP_FAULT_MARK"_s, QString::fromUtf8(mark.mid(mark.indexOf('=') + 1))}});
        Marked marked;
        QTRY_VERIFY((marked = markedProcesses(mark)).ranks.size() == 2);
        QCOMPARE(marked.ready.size(), 1U);
        QTest::qWait(static_cast<int>(random.uniform() * 300));
        for (const QChar each : order) {
            // The workbench may have ended before its turn comes: its ranks were lost.
            sendSignal(each == 'r' ? marked.ranks[random.below(2)]
                    : each == 's'  ? marked.ready.front()
                                   : workbench.processId(),
                SIGKILL);
            QTest::qWait(static_cast<int>(random.uniform() * 20));
        }
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY(markedProcesses(mark).all.empty());
        qInfo("%s: nothing left after %lld ms", qPrintable(order), clock.elapsed());
        workbench.waitForFinished();
    }
}

void TestReadyProcess::itsDeathIsNamedAndTheNextRunStarts()
{
    const QTemporaryDir store;
    const QByteArray mark = markOf(0);
    QProcess workbench;
    start(workbench, store.path(),
        {"strategy.name=data", "world_size=2", "--train.steps=1000000,3", "measure.interleave=false",
            "dataset.train_samples=640", "dataset.test_samples=200"},
        {{u"LOCKSTEP_FAULT_MARK"_s, QString::fromUtf8(mark.mid(mark.indexOf('=') + 1))}});
    Marked marked;
    QTRY_VERIFY((marked = markedProcesses(mark)).ranks.size() == 2);
    QTest::qWait(300);
    QVERIFY(sendSignal(marked.ready.front(), SIGKILL));
    QVERIFY(workbench.waitForFinished(60'000));
    QCOMPARE(workbench.exitCode(), 3);
    const QList<Stored> runs = storedIn(store.path());
    QCOMPARE(runs.size(), 2);
    QCOMPARE(runs[0].record.status, analysis::RunStatus::Failed);
    const QString message = QString::fromStdString(runs[0].record.message);
    QVERIFY2(message.contains("ended with the process that it was forked from, which was killed by signal 9 (Killed)"),
        qPrintable(message));
    const QString line = u"the ready process was killed by signal 9 (Killed); the ranks are started without it"_s;
    QCOMPARE(linesWith(runs[0], line) + linesWith(runs[1], line), 1);
    QCOMPARE(runs[1].record.status, analysis::RunStatus::Finished);
    QCOMPARE(linesWith(runs[1], Forked), 0);
}

void TestReadyProcess::withoutItRanksAreStarted()
{
    // A copy of the workbench beside a lockstep-rank that cannot be a ready process.
    const QTemporaryDir folder;
    const QTemporaryDir store;
    QVERIFY(QFile::copy(Lockstep, folder.filePath("lockstep")));
    QFile wrapper(folder.filePath("lockstep-rank"));
    QVERIFY(wrapper.open(QIODevice::WriteOnly));
    wrapper.write(
        "#!/bin/sh\n[ \"$1\" = --ready ] && { echo no room >&2; exit 9; }\nexec " + RankProgram.toUtf8() + "\n");
    wrapper.close();
    QVERIFY(wrapper.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QProcess workbench;
    start(workbench, store.path(),
        {"repeats=2", "strategy.name=data", "world_size=2", "train.steps=3", "dataset.train_samples=640",
            "dataset.test_samples=200"},
        {}, folder.filePath("lockstep"));
    QVERIFY(workbench.waitForFinished(60'000));
    QVERIFY2(workbench.exitCode() == 0, workbench.readAllStandardError().constData());
    const QList<Stored> runs = storedIn(store.path());
    QCOMPARE(runs.size(), 2);
    const QString line
        = u"the ready process ended with exit code 9: no room; the ranks are started without it, which takes longer"_s;
    QCOMPARE(linesWith(runs[0], line) + linesWith(runs[1], line), 1);
}

LOCKSTEP_TEST(TestReadyProcess)
#include "test_ready_process.moc"
