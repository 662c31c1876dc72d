// All variants are treated alike: whatever the strategy and the backend, a rank has no more threads that never sleep
// than `rank.threads`, and all its threads have the rank's binding.
//
// A thread that never sleeps polls or computes. The sum of run time and run delay would not do: a thread that seldom
// wakes (telemetry, a backend's sockets) waits for its turn, longer the fuller the core is.
#include "core/engine/comm/mpirun.h"
#include "faults/marked_processes.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <csignal>
#include <map>
#include <memory>
#include <sched.h>
#include <vector>

using namespace Qt::StringLiterals;
using namespace lockstep::tests;

namespace {

constexpr double NsPerSecond = 1e9;
constexpr int Threads = 1; ///< `rank.threads`
constexpr double LookSeconds = 1.0; ///< of each rank, running or waiting for a core

std::vector<int> coresOf(pid_t thread)
{
    std::vector<int> cores;
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    static_cast<void>(sched_getaffinity(thread, sizeof(allowed), &allowed));
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed)) {
            cores.push_back(core);
        }
    }
    return cores;
}

struct ThreadState {
    QByteArray name;
    double runSeconds = 0.0;
    double delaySeconds = 0.0; ///< runnable, on a core that another thread has
    qint64 sleeps = 0;
    std::vector<int> cores;
};

using RankState = std::map<QByteArray, ThreadState>; ///< by thread id

RankState stateOf(int process)
{
    RankState state;
    const QString tasks = u"/proc/%1/task"_s.arg(process);
    for (const QString& id : QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const QString folder = tasks + u'/' + id + u'/';
        const QList<QByteArray> times = contentOf(folder + u"schedstat"_s).simplified().split(' ');
        if (times.size() != 3) {
            continue; // it has ended
        }
        ThreadState& thread = state[id.toUtf8()];
        thread.name = contentOf(folder + u"comm"_s).trimmed();
        thread.runSeconds = times[0].toDouble() / NsPerSecond;
        thread.delaySeconds = times[1].toDouble() / NsPerSecond;
        for (const QByteArray& line : contentOf(folder + u"status"_s).split('\n')) {
            if (line.startsWith("voluntary_ctxt_switches:")) {
                thread.sleeps = line.mid(line.indexOf(':') + 1).trimmed().toLongLong();
            }
        }
        thread.cores = coresOf(id.toInt());
    }
    return state;
}

/// What a rank's threads have done between two looks.
struct RankUse {
    double runnableSeconds = 0.0;
    int neverSlept = 0;
    QStringList threads; ///< for a message
};

RankUse between(const RankState& before, const RankState& after, double seconds)
{
    constexpr double Always = 0.9; // of the time; a thread that has begun in it is none that always runs
    RankUse seen;
    for (const auto& [id, now] : after) {
        const auto found = before.find(id);
        const ThreadState then = found == before.end() ? ThreadState{} : found->second;
        const double ran = now.runSeconds - then.runSeconds;
        const double runnable = ran + now.delaySeconds - then.delaySeconds;
        seen.runnableSeconds += runnable;
        seen.neverSlept += now.sleeps == then.sleeps && runnable >= Always * seconds ? 1 : 0;
        seen.threads += u"%1: runnable %2, running %3 of the time, %4 sleeps"_s.arg(QString::fromUtf8(now.name))
                            .arg(runnable / seconds, 0, 'f', 2)
                            .arg(ran / seconds, 0, 'f', 2)
                            .arg(now.sleeps - then.sleeps);
    }
    return seen;
}

/// A run that lasts until this is destroyed.
class EndlessRun {
public:
    EndlessRun(const QStringList& words, const QString& store)
    {
        static int trials = 0;
        m_mark = markOf(++trials);
        QProcessEnvironment environment = mpirunEnvironment();
        environment.remove(u"LOCKSTEP_RANK"_s);
        environment.insert(QString::fromUtf8(m_mark.split('=')[0]), QString::fromUtf8(m_mark.split('=')[1]));
        m_process.setProcessEnvironment(environment);
        m_process.start(Lockstep,
            QStringList{u"run"_s, u"model-parallel"_s, u"--store"_s, store, u"--set"_s, u"repeats=1"_s, u"--set"_s,
                u"train.epochs=100000"_s}
                + words);
    }
    ~EndlessRun()
    {
        sendSignal(m_process.processId(), SIGINT);
        if (!m_process.waitForFinished(lockstep::test::PatienceMs)) {
            m_process.kill();
            m_process.waitForFinished();
        }
    }
    EndlessRun(const EndlessRun&) = delete;
    EndlessRun& operator=(const EndlessRun&) = delete;

    /// False if it has ended before.
    [[nodiscard]] bool hasBegunItsSteps()
    {
        QElapsedTimer clock;
        clock.start();
        while (!m_said.contains(": step ") && m_process.state() != QProcess::NotRunning
            && clock.elapsed() < lockstep::test::PatienceMs) {
            m_process.waitForReadyRead(100);
            m_said += m_process.readAllStandardError();
        }
        return m_said.contains(": step ");
    }
    [[nodiscard]] const QByteArray& said() const { return m_said; }
    [[nodiscard]] std::vector<int> ranks() const { return markedProcesses(m_mark).ranks; }

private:
    QByteArray m_mark;
    QByteArray m_said;
    QProcess m_process;
};

std::map<int, RankState> statesOf(const std::vector<int>& ranks)
{
    std::map<int, RankState> states;
    for (const int process : ranks) {
        states[process] = stateOf(process);
    }
    return states;
}

} // namespace

class TestEqualRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u".*"_s)); }

    void aRankTakesNoMoreThanItsThreads_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("ranks");
        QTest::addRow("single") << QStringList{u"--only"_s, u"single"_s} << 1;
        QTest::addRow("rpc") << QStringList{u"--only"_s, u"rpc"_s} << 2;
        for (const QString& backend : {u"shm"_s, u"gloo"_s, u"mpi"_s}) {
            const auto add = [&backend](const char* variant, const QStringList& settings, int ranks) {
                QStringList words{u"--only"_s, QString::fromLatin1(variant), u"--set"_s, u"comm.backend="_s + backend};
                for (const QString& each : settings) {
                    words += {u"--set"_s, each};
                }
                const QString name = settings.isEmpty() ? QString::fromLatin1(variant) : settings.join(u' ');
                QTest::addRow("%s, %s", qPrintable(name), qPrintable(backend)) << words << ranks;
            };
            add("data", {}, 2);
            add("data", {u"aggregation.algorithm=ring"_s}, 2);
            add("data", {u"aggregation.algorithm=parameter_server_async"_s}, 2);
            add("data", {u"strategy.name=local"_s}, 2);
            add("data", {u"strategy.name=zero"_s, u"zero.stage=3"_s}, 2);
            add("tensor", {}, 2);
            add("p2p", {}, 2);
            add("grid", {}, 4);
        }
    }

    void aRankTakesNoMoreThanItsThreads()
    {
        QFETCH(QStringList, words);
        QFETCH(int, ranks);
        const QString row = QString::fromUtf8(QTest::currentDataTag());
        if (contentOf(u"/proc/self/schedstat"_s).isEmpty()) {
            QSKIP("this kernel has no /proc/*/schedstat");
        }
        if (row.endsWith(u", mpi") && !(offers("mpi") && canRunMpirun())) {
            QSKIP("mpirun starts nothing here, or MPI is not built in");
        }
        if (row == u"rpc" && !offers("rpc")) {
            QSKIP("this LibTorch has no RPC");
        }
        EndlessRun run(words, m_store.path());
        QVERIFY2(run.hasBegunItsSteps(), run.said().constData());
        const std::vector<int> processes = run.ranks();
        QCOMPARE(processes.size(), static_cast<std::size_t>(ranks));

        QElapsedTimer clock;
        clock.start();
        const auto before = statesOf(processes);
        std::map<int, RankUse> seen;
        QTRY_VERIFY_WITH_TIMEOUT(look(before, clock, seen), lockstep::test::PatienceMs);
        const auto states = statesOf(processes);
        for (const int process : processes) {
            const QByteArray threads = seen.at(process).threads.join(u"; ").toUtf8();
            QVERIFY2(seen.at(process).neverSlept <= Threads, threads.constData());
            const std::vector<int> binding = coresOf(process);
            for (const auto& [id, thread] : states.at(process)) {
                QVERIFY2(thread.cores == binding, thread.name.constData());
            }
        }
    }

private:
    /// Whether every rank has been looked at for long enough.
    static bool look(const std::map<int, RankState>& before, const QElapsedTimer& clock, std::map<int, RankUse>& seen)
    {
        for (const auto& [process, state] : before) {
            seen[process] = between(state, stateOf(process), static_cast<double>(clock.nsecsElapsed()) / NsPerSecond);
        }
        return std::ranges::all_of(seen, [](const auto& each) { return each.second.runnableSeconds >= LookSeconds; });
    }

    /// Whether the rank program lists this choice.
    [[nodiscard]] static bool offers(const QByteArray& choice)
    {
        QProcess process;
        process.start(RankProgram, {u"--choices"_s});
        return process.waitForFinished(lockstep::test::PatienceMs)
            && process.readAllStandardOutput().contains('"' + choice + '"');
    }

    QTemporaryDir m_store;
};

LOCKSTEP_TEST(TestEqualRanks)
#include "test_equal_ranks.moc"
