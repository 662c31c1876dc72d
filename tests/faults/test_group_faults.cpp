// SIGKILL of one rank of several, at random moments, inside every algorithm and collective: over every backend with
// LOCKSTEP_LONG, else each over one of them. Each time:
// no process is left after 3 s, the run's message names the dead rank, and so does a survivor that was in a collective
// with it. Nothing stays in /dev/shm.
#include "base/clock.h"
#include "base/random.h"
#include "core/engine/comm/mpirun.h"
#include "faults/campaign.h"
#include "faults/marked_processes.h"
#include "program/busy_machine.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"
#include "store/run_store.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <vector>

using namespace lockstep;
using namespace lockstep::tests;

namespace {

constexpr int Ranks = 3;

/// Whether the ranks were built with MPI: where they were not, a run is refused.
[[nodiscard]] bool knowsMpi()
{
    return toldByRanks("--doctor").contains("\"backend\": \"mpi\"");
}

/// Likewise with LibTorch's RPC agent.
[[nodiscard]] bool knowsRpc()
{
    return toldByRanks("--choices").contains("\"rpc\"");
}

struct KilledCase {
    QString name;
    QStringList words; ///< of a run that lasts until its rank is killed
};

[[nodiscard]] QStringList trainingWith(const QString& settings)
{
    QStringList words{"run", "optimizers", "--only", "SGD"};
    for (const QString& setting : ("repeats=1 train.steps=1000000 net.name=deep-mlp " + settings).split(' ')) {
        words << "--set" << setting;
    }
    return words;
}

[[nodiscard]] std::vector<KilledCase> killedCases()
{
    std::vector<KilledCase> cases;
    for (const char* algorithm :
        {"all_reduce", "ring", "reduce_scatter_all_gather", "parameter_server", "parameter_server_async"}) {
        // The preset's variants differ by the algorithm: one of them is left, so it may be set.
        cases.push_back({algorithm,
            {"run", "aggregation", "--only", "ring", "--set", "train.steps=1000000", "--set",
                QStringLiteral("aggregation.algorithm=") + algorithm}});
    }
    const QString pipeline = QStringLiteral("strategy.name=pipeline pipeline.stages=%1 ").arg(Ranks);
    for (const QString& settings : {pipeline + "pipeline.schedule=gpipe", pipeline + "pipeline.schedule=1f1b",
             pipeline + "pipeline.transport=rpc", QStringLiteral("strategy.name=tensor tensor.size=%1").arg(Ranks),
             QStringLiteral("strategy.name=grid grid.data=1 grid.pipeline=%1").arg(Ranks),
             QStringLiteral("strategy.name=grid grid.data=%1 grid.pipeline=1").arg(Ranks),
             QStringLiteral("strategy.name=zero zero.stage=1"), QStringLiteral("strategy.name=zero zero.stage=2"),
             QStringLiteral("strategy.name=zero zero.stage=3")}) {
        cases.push_back({settings, trainingWith(settings)});
    }
    for (const char* collective : {"broadcast", "reduce", "gather", "all_gather", "scatter", "reduce_scatter",
             "all_to_all", "barrier", "send_recv"}) {
        cases.push_back({QString(collective) + " alone",
            {"run", "collectives", "--set", "repeats=1", "--only", "all_reduce", "--set",
                QStringLiteral("collective.name=") + collective, "--set", "sweep.calls=1000000", "--set",
                "sweep.min_bytes=65536", "--set", "sweep.factor=2"}});
    }
    return cases;
}

struct KilledRun {
    analysis::RunStatus status = analysis::RunStatus::Queued;
    QString message;
    std::int64_t steps = 0;
    QStringList said; ///< what the ranks logged and why they ended
};

[[nodiscard]] KilledRun killedRun(const QString& folder)
{
    KilledRun kept;
    const auto store = store::RunStore::open(folder);
    const auto runs = store ? (*store)->list() : std::vector<analysis::RunRecord>();
    if (runs.empty()) {
        return kept;
    }
    kept.status = runs.front().status;
    kept.message = QString::fromStdString(runs.front().message);
    const auto replayed = (*store)->replay(runs.front().id, [&](const store::Delta& delta) {
        for (const auto& [rank, batch] : delta.steps) {
            kept.steps += static_cast<std::int64_t>(batch.size());
        }
        for (const store::RankChange& change : delta.ranks) {
            kept.said.append(QString::fromStdString(change.message));
        }
        return true;
    });
    return replayed ? kept : KilledRun{};
}

/// mpirun ends all ranks at once; it reports which one died.
[[nodiscard]] bool isNamedByOthers(const QString& backend)
{
    return backend != "mpi";
}

} // namespace

class TestGroupFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QFileInfo(RankProgram).isExecutable()) {
            QSKIP("there is no lockstep-rank");
        }
    }
    void aKilledRankIsNamed_data();
    void aKilledRankIsNamed();
    void aSurvivorHasNamedOne();

private:
    int m_killed = 0;
    int m_named = 0; ///< by a survivor that had trained
};

void TestGroupFaults::aKilledRankIsNamed_data()
{
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QStringList>("words");
    std::vector<const char*> backends{"shm", "gloo"};
    if (canRunMpirun() && knowsMpi()) {
        backends.push_back("mpi");
    }
    const bool isLong = qEnvironmentVariableIsSet("LOCKSTEP_LONG");
    std::size_t number = 0;
    for (const auto& [name, words] : killedCases()) {
        const bool isRpc = words.contains("pipeline.transport=rpc");
        if (isRpc && !knowsRpc()) {
            continue;
        }
        const std::size_t allowed = isRpc ? 2 : backends.size(); // mpi comes last
        for (std::size_t backend = 0; backend < std::min(allowed, backends.size()); ++backend) {
            if (isLong || backend == number % allowed) {
                QTest::addRow("%s, %s", backends[backend], qPrintable(name)) << QString(backends[backend]) << words;
            }
        }
        ++number;
    }
}

void TestGroupFaults::aKilledRankIsNamed()
{
    QFETCH(QString, backend);
    QFETCH(QStringList, words);
    const bool isBarrier = words.contains("collective.name=barrier");
    const QStringList before = QDir("/dev/shm").entryList(QDir::Files);
    Random random(Seed{static_cast<std::uint64_t>(wallNs())});
    for (int trial = 0; trial < trialCount(1); ++trial) {
        const QTemporaryDir store;
        const QByteArray mark = markOf(trial);
        QProcess workbench;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_FAULT_MARK", QString::fromUtf8(mark.mid(mark.indexOf('=') + 1)));
        workbench.setProcessEnvironment(environment);
        workbench.start(Lockstep,
            words
                + QStringList{"--set", QStringLiteral("world_size=%1").arg(Ranks), "--set", "comm.backend=" + backend,
                    "--store", store.path()});
        QVERIFY(workbench.waitForStarted());
        Marked marked;
        const auto hasEnded = [&workbench] { return workbench.state() == QProcess::NotRunning; };
        QTRY_VERIFY(hasEnded() || (marked = markedProcesses(mark)).ranks.size() == Ranks);
        if (isBarrier && hasEnded()) {
            continue; // one barrier after the other is soon done
        }
        QTest::qWait(static_cast<int>(random.uniform() * (isBarrier ? 400 : 1500)));
        const int victim = marked.ranks[random.below(Ranks)];
        const int number = rankOf(victim);
        if (isBarrier && number < 0) {
            continue;
        }
        QVERIFY(sendSignal(victim, SIGKILL));
        ++m_killed;
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY(markedProcesses(mark).all.empty());
        QVERIFY2(isWithin(clock.elapsed(), 3000), qPrintable(QStringLiteral("%1 ms").arg(clock.elapsed())));
        QTRY_COMPARE(workbench.state(), QProcess::NotRunning);
        if (isBarrier && workbench.exitCode() == 0) {
            continue;
        }
        QCOMPARE(workbench.exitCode(), 3);
        const KilledRun kept = killedRun(store.path());
        QCOMPARE(kept.status, analysis::RunStatus::Failed);
        const QString name = QStringLiteral("rank %1 (process %2)").arg(number).arg(victim);
        // mpirun reports only when all have ended; a survivor may be quicker.
        const bool isKnown = kept.message.startsWith(QStringLiteral("rank %1 was killed by signal 9").arg(number))
            || (backend == "mpi" && kept.message.contains(name + " has died"));
        QVERIFY2(isKnown, qPrintable(kept.message));
        if (kept.steps > 0 && isNamedByOthers(backend)) {
            ++m_named;
            QVERIFY2(kept.said.join(u'\n').contains(name), qPrintable(name + " is not in:\n" + kept.said.join(u'\n')));
        }
    }
    QTRY_COMPARE(QDir("/dev/shm").entryList(QDir::Files), before); // others have files there for a moment
}

/// Kills that come before the first step tell nothing about survivors.
void TestGroupFaults::aSurvivorHasNamedOne()
{
    constexpr int Few = 8; // a single row was asked for
    QVERIFY2(m_killed < Few || m_named > 0, qPrintable(QString::number(m_killed)));
}

LOCKSTEP_TEST(TestGroupFaults)
#include "test_group_faults.moc"
