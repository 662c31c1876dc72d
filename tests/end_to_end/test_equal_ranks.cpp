// All variants are treated alike: whatever the strategy and the backend, a rank takes no more of its core than as many
// busy threads as `rank.threads` would, and all its threads have the rank's binding.
//
// The test runs a busy loop on each core, beside the ranks and in their session, so that the kernel weighs each thread
// alike. Two laws then hold on an idle machine and on a full one:
// - a thread that never sleeps polls or computes; a rank has no more of these than `rank.threads`;
// - the time that a rank's threads run together is at most `rank.threads` times what the loop on its core runs.
// The sum of run time and run delay would not do: a thread that seldom wakes (telemetry, a backend's sockets) then
// waits for its turn, longer the fuller the core is. One process alone comes to 1.0 on a free core, and to 1.5 beside
// eleven.
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
#include <atomic>
#include <csignal>
#include <ctime>
#include <map>
#include <memory>
#include <numeric>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

using namespace Qt::StringLiterals;
using namespace lockstep::tests;

namespace {

constexpr double NsPerSecond = 1e9;
constexpr int Threads = 1; ///< `rank.threads`
/// The kernel shares a core to within a few slices of 3 ms, in the second for which each loop runs.
constexpr double Tolerance = 0.15;
constexpr double LoopSeconds = 1.0;

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

/// Computes on one core until it is destroyed.
class BusyLoop {
public:
    explicit BusyLoop(int core)
        : m_thread([this, core](const std::stop_token& stop) {
            cpu_set_t only;
            CPU_ZERO(&only);
            CPU_SET(core, &only);
            static_cast<void>(sched_setaffinity(0, sizeof(only), &only));
            while (!stop.stop_requested()) {
                m_turns.fetch_add(1, std::memory_order_relaxed);
            }
        })
    {
        pthread_getcpuclockid(m_thread.native_handle(), &m_clock);
    }

    [[nodiscard]] double seconds() const
    {
        timespec time{};
        clock_gettime(m_clock, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / NsPerSecond;
    }

private:
    std::atomic<std::uint64_t> m_turns{0};
    clockid_t m_clock{};
    std::jthread m_thread;
};

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
    double runSeconds = 0.0;
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
        seen.runSeconds += ran;
        seen.neverSlept += now.sleeps == then.sleeps && runnable >= Always * seconds ? 1 : 0;
        seen.threads += u"%1: runnable %2, running %3 of the time, %4 sleeps"_s.arg(QString::fromUtf8(now.name))
                            .arg(runnable / seconds, 0, 'f', 2)
                            .arg(ran / seconds, 0, 'f', 2)
                            .arg(now.sleeps - then.sleeps);
    }
    return seen;
}

/// The cores of a rank: its own, or one that equally many ranks have; else those of this process.
std::vector<int> bindingOf(int rank, int ranks, const std::vector<int>& cores)
{
    const auto count = static_cast<int>(cores.size());
    return ranks <= count || ranks % count == 0 ? std::vector<int>{cores[static_cast<std::size_t>(rank % count)]}
                                                : cores;
}

/// A run that goes on until this is destroyed.
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
        QTest::addColumn<int>("more"); // threads that work beside the rank's own, by what the strategy or MPI is
        QTest::addRow("single") << QStringList{u"--only"_s, u"single"_s} << 1 << 0;
        QTest::addRow("rpc") << QStringList{u"--only"_s, u"rpc"_s} << 2 << 0;
        for (const QString& backend : {u"shm"_s, u"gloo"_s, u"mpi"_s}) {
            const auto add = [&backend](const char* variant, const QStringList& settings, int ranks, int more) {
                QStringList words{u"--only"_s, QString::fromLatin1(variant), u"--set"_s, u"comm.backend="_s + backend};
                for (const QString& each : settings) {
                    words += {u"--set"_s, each};
                }
                const QString name = settings.isEmpty() ? QString::fromLatin1(variant) : settings.join(u' ');
                QTest::addRow("%s, %s", qPrintable(name), qPrintable(backend)) << words << ranks << more;
            };
            add("data", {}, 2, 0);
            for (const QString& algorithm : {u"ring"_s, u"tree"_s, u"halving_doubling"_s, u"parameter_server"_s}) {
                add("data", {u"aggregation.algorithm="_s + algorithm}, 2, 0);
            }
            // Rank 0 trains, and its server's thread updates the weights for the other rank.
            add("data", {u"aggregation.algorithm=parameter_server_async"_s}, 2, 1);
            add("data", {u"strategy.name=local"_s}, 2, 0);
            add("data", {u"strategy.name=zero"_s, u"zero.stage=1"_s}, 2, 0);
            add("data", {u"strategy.name=zero"_s, u"zero.stage=3"_s}, 2, 0);
            add("tensor", {}, 2, 0);
            // MPI carries a started message on only while a thread calls it: one tests it while the stage computes.
            const int tester = backend == u"mpi" ? 1 : 0;
            add("p2p", {}, 2, tester);
            add("grid", {}, 4, tester);
        }
    }

    void aRankTakesNoMoreThanItsThreads()
    {
        QFETCH(QStringList, words);
        QFETCH(int, ranks);
        QFETCH(int, more);
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
        const std::vector<int> cores = coresOf(0);
        EndlessRun run(words, m_store.path());
        QVERIFY2(run.hasBegunItsSteps(), run.said().constData());
        const std::vector<int> processes = run.ranks();
        QCOMPARE(processes.size(), static_cast<std::size_t>(ranks));

        std::map<int, std::unique_ptr<BusyLoop>> loops;
        for (const int core : cores) {
            loops[core] = std::make_unique<BusyLoop>(core);
        }
        QElapsedTimer clock;
        clock.start();
        std::map<int, double> loopBefore = secondsOf(loops);
        const auto before = statesOf(processes);
        QTRY_VERIFY(std::ranges::all_of(
            loops, [&](const auto& each) { return each.second->seconds() >= loopBefore[each.first] + LoopSeconds; }));
        const auto after = statesOf(processes);
        std::map<int, double> loopAfter = secondsOf(loops);
        const double seconds = static_cast<double>(clock.nsecsElapsed()) / NsPerSecond;
        loops.clear();

        for (const int process : processes) {
            const std::vector<int> binding = bindingOf(rankOf(process), ranks, cores);
            for (const auto& [id, thread] : after.at(process)) {
                QVERIFY2(thread.cores == binding, thread.name.constData());
            }
            const RankUse seen = between(before.at(process), after.at(process), seconds);
            const QByteArray threads = seen.threads.join(u"; ").toUtf8();
            QVERIFY2(seen.neverSlept <= Threads, threads.constData());
            const double loop = std::accumulate(binding.begin(), binding.end(), 0.0,
                [&](double most, int core) { return std::max(most, loopAfter[core] - loopBefore[core]); });
            QVERIFY2(seen.runSeconds <= (Threads + more + Tolerance) * loop, threads.constData());
        }
    }

private:
    static std::map<int, double> secondsOf(const std::map<int, std::unique_ptr<BusyLoop>>& loops)
    {
        std::map<int, double> seconds;
        for (const auto& [core, loop] : loops) {
            seconds[core] = loop->seconds();
        }
        return seconds;
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
