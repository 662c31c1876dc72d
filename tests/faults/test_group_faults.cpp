// SIGKILL of one rank of several, at random moments, inside every algorithm and collective of every backend. Each time:
// no process is left after 3 s, the run's message names the dead rank, and so does a survivor that was in a collective
// with it. Nothing stays in /dev/shm.
#include "base/clock.h"
#include "base/random.h"
#include "core/engine/comm/mpirun.h"
#include "faults/marked_processes.h"
#include "program/test_class.h"
#include "session/store/run_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int Ranks = 3;

[[nodiscard]] int trialCount()
{
    const int asked = qEnvironmentVariableIntValue("LOCKSTEP_FAULT_TRIALS");
    return asked > 0 ? asked : 1;
}

/// Whether the ranks report it themselves.
[[nodiscard]] bool ranksTell(const QString& option, const QByteArray& what)
{
    QProcess rank;
    rank.start(QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep-rank"), {option});
    return rank.waitForFinished(60'000) && rank.readAllStandardOutput().contains(what);
}

/// Whether the ranks were built with MPI: where they were not, a run is refused.
[[nodiscard]] bool knowsMpi()
{
    return ranksTell("--doctor", "\"backend\": \"mpi\"");
}

/// Likewise with LibTorch's RPC agent.
[[nodiscard]] bool knowsRpc()
{
    return ranksTell("--choices", "\"rpc\"");
}

struct Kept {
    analysis::RunStatus status = analysis::RunStatus::Queued;
    QString message;
    std::int64_t steps = 0;
    QStringList said; ///< what the ranks logged and why they ended
};

[[nodiscard]] Kept readStore(const QString& folder)
{
    Kept kept;
    const auto store = session::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    if (runs.empty()) {
        return kept;
    }
    kept.status = runs.front().status;
    kept.message = QString::fromStdString(runs.front().message);
    const auto replayed = (*store)->replay(runs.front().id, [&](const session::Delta& delta) {
        for (const auto& [rank, batch] : delta.steps) {
            kept.steps += static_cast<std::int64_t>(batch.size());
        }
        for (const session::RankChange& change : delta.ranks) {
            kept.said.append(QString::fromStdString(change.message));
        }
        return true;
    });
    return replayed ? kept : Kept{};
}

} // namespace

class TestGroupFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep-rank")).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
    }
    void aKilledRankIsNamed_data();
    void aKilledRankIsNamed();
};

void TestGroupFaults::aKilledRankIsNamed_data()
{
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QStringList>("words");
    std::vector<const char*> backends{"shm", "gloo"};
    if (canRunMpirun() && knowsMpi()) {
        backends.push_back("mpi");
    }
    for (const char* backend : backends) {
        for (const char* algorithm :
            {"all_reduce", "ring", "reduce_scatter_all_gather", "parameter_server", "parameter_server_async"}) {
            const QStringList words{"run", "aggregation", "--only", "ring", "--set", "train.steps=1000000"};
            // The preset's variants differ by the algorithm: one of them is left, so it may be set.
            QTest::addRow("%s, %s", backend, algorithm)
                << backend << words + QStringList{"--set", QStringLiteral("aggregation.algorithm=") + algorithm};
        }
        for (const char* schedule : {"gpipe", "1f1b"}) {
            QTest::addRow("%s, pipeline %s", backend, schedule)
                << backend
                << QStringList{"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--set",
                       "strategy.name=pipeline", "--set", "net.name=deep-mlp", "--set",
                       QStringLiteral("pipeline.stages=%1").arg(Ranks), "--set",
                       QStringLiteral("pipeline.schedule=") + schedule, "--set", "train.steps=1000000"};
        }
        for (const char* ranks :
            {"strategy.name=tensor tensor.size=%1", "strategy.name=grid grid.data=1 grid.pipeline=%1",
                "strategy.name=grid grid.data=%1 grid.pipeline=1"}) {
            const QString settings = QString(ranks).arg(Ranks);
            QStringList words{"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--set",
                "train.steps=1000000", "--set", "net.name=deep-mlp"};
            for (const QString& setting : settings.split(' ')) {
                words << "--set" << setting;
            }
            QTest::addRow("%s, %s", backend, qPrintable(settings)) << backend << words;
        }
        for (const char* stage : {"1", "2", "3"}) {
            QTest::addRow("%s, ZeRO-%s", backend, stage)
                << backend
                << QStringList{"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--set",
                       "strategy.name=zero", "--set", "net.name=deep-mlp", "--set",
                       QStringLiteral("zero.stage=") + stage, "--set", "train.steps=1000000"};
        }
        if (knowsRpc() && backend != std::string_view("mpi")) {
            QTest::addRow("%s, pipeline by remote calls", backend)
                << backend
                << QStringList{"run", "optimizers", "--set", "repeats=1", "--only", "SGD", "--set",
                       "strategy.name=pipeline", "--set", "net.name=deep-mlp", "--set",
                       QStringLiteral("pipeline.stages=%1").arg(Ranks), "--set", "pipeline.transport=rpc", "--set",
                       "train.steps=1000000"};
        }
        for (const char* collective : {"broadcast", "reduce", "gather", "all_gather", "scatter", "reduce_scatter",
                 "all_to_all", "barrier", "send_recv"}) {
            QTest::addRow("%s, %s alone", backend, collective)
                << backend
                << QStringList{"run", "collectives", "--set", "repeats=1", "--only", "all_reduce", "--set",
                       QStringLiteral("collective.name=") + collective, "--set", "sweep.calls=1000000", "--set",
                       "sweep.min_bytes=65536", "--set", "sweep.factor=2"};
        }
    }
}

void TestGroupFaults::aKilledRankIsNamed()
{
    QFETCH(QString, backend);
    QFETCH(QStringList, words);
    const bool isBarrier = words.contains("collective.name=barrier");
    const QStringList before = QDir("/dev/shm").entryList(QDir::Files);
    Random random(Seed{static_cast<std::uint64_t>(wallNs())});
    for (int trial = 0; trial < trialCount(); ++trial) {
        const QTemporaryDir store;
        const QByteArray mark = markOf(trial);
        QProcess workbench;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
        workbench.setProcessEnvironment(environment);
        workbench.start(QStringLiteral(LOCKSTEP_BINARY_DIR "/bin/lockstep"),
            words
                + QStringList{"--set", QStringLiteral("world_size=%1").arg(Ranks), "--set", "comm.backend=" + backend,
                    "--store", store.path()});
        QVERIFY(workbench.waitForStarted());
        Marked marked;
        const auto hasEnded = [&workbench] { return workbench.state() == QProcess::NotRunning; };
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded() || (marked = markedProcesses(mark)).ranks.size() == Ranks, 5000);
        if (isBarrier && hasEnded()) {
            continue; // one barrier after the other is soon done
        }
        QTest::qWait(static_cast<int>(random.uniform() * (isBarrier ? 400 : 1500)));
        const int victim = marked.ranks[random.below(Ranks)];
        const int number = rankOf(victim);
        if (isBarrier && number < 0) {
            continue;
        }
        ::kill(victim, SIGKILL);
        QElapsedTimer clock;
        clock.start();
        while (!markedProcesses(mark).all.empty() && clock.elapsed() < 3500) {
            QTest::qWait(10);
        }
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        QTRY_COMPARE_WITH_TIMEOUT(workbench.state(), QProcess::NotRunning, 1000);
        if (isBarrier && workbench.exitCode() == 0) {
            continue;
        }
        QCOMPARE(workbench.exitCode(), 3);
        const Kept kept = readStore(store.path());
        QCOMPARE(kept.status, analysis::RunStatus::Failed);
        const QString name = QStringLiteral("rank %1 (process %2)").arg(number).arg(victim);
        // mpirun reports only when all have ended; a survivor may be quicker.
        const bool isTold = kept.message.startsWith(QStringLiteral("rank %1 was killed by signal 9").arg(number))
            || (backend == "mpi" && kept.message.contains(name + " has died"));
        QVERIFY2(isTold, qPrintable(kept.message));
        // mpirun ends all ranks at once; it reports which one died.
        if (kept.steps > 0 && backend != "mpi") {
            QVERIFY2(kept.said.join(u'\n').contains(name), qPrintable(name + " is not in:\n" + kept.said.join(u'\n')));
        }
    }
    QCOMPARE(QDir("/dev/shm").entryList(QDir::Files), before);
}

LOCKSTEP_TEST(TestGroupFaults)
#include "test_group_faults.moc"
