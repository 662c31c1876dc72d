// MPS of Lockstep's own, on a fake control daemon: who starts it, who stops it, and what is left after kills.
#include "core/experiment/overrides.h"
#include "core/session_fixture.h"
#include "fakes/nvml_script.h"
#include "launch/monitor/mps_obstacle.h"
#include "launch/mps/mps_share.h"
#include "program/programs.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>
#include <memory>
#include <optional>

using namespace lockstep;
using namespace lockstep::launch;
using namespace Qt::StringLiterals;
using lockstep::tests::NvmlScript;

namespace {

const QByteArray OneGpu = R"({"driver": "580.65.06", "cuda": 13000, "gpus": [
    {"name": "NVIDIA H200", "uuid": "GPU-0", "memory": 150e9, "capability": [9, 0],
     "mig": false, "compute_mode": 0}]})";
const std::vector<std::string> Uuids{"GPU-0"};

experiment::RunSpec runWith(const QString& settings)
{
    const auto spec = experiment::customise(
        {.experiment = "test", .base = {}, .variants = {}, .repeats = 1}, withSettings({}, settings), {});
    return experiment::expand(*spec)->front();
}

/// The fake in PATH, one GPU, and folders of this test for its pipes and its history.
class MpsMachine {
public:
    explicit MpsMachine(const QByteArray& gpus = OneGpu)
        : m_nvml(gpus)
    {
        qputenv("PATH", LOCKSTEP_SOURCE_DIR "/tests/fakes/mps:" + m_path);
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(m_folder.path()));
        qputenv("LOCKSTEP_FAKE_MPS_HISTORY", QFile::encodeName(m_folder.filePath(u"history"_s)));
        qputenv("LOCKSTEP_RANK", QFile::encodeName(tests::fakeRankProgram()));
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=200");
    }
    ~MpsMachine()
    {
        for (const char* name : {"LOCKSTEP_FAKE_MPS_HISTORY", "LOCKSTEP_FAKE_MPS", "LOCKSTEP_RANK", "LOCKSTEP_FAKE",
                 "CUDA_MPS_PIPE_DIRECTORY"}) {
            qunsetenv(name);
        }
        qputenv("PATH", m_path);
        m_runtime ? qputenv("XDG_RUNTIME_DIR", *m_runtime) : qunsetenv("XDG_RUNTIME_DIR");
        for (const qint64 process : processes()) {
            tests::sendSignal(process, SIGKILL);
        }
    }
    MpsMachine(const MpsMachine&) = delete;
    MpsMachine& operator=(const MpsMachine&) = delete;

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    /// Daemons and servers that use a folder of this test.
    [[nodiscard]] QList<qint64> processes() const
    {
        QList<qint64> found;
        for (const QString& pid : QDir(u"/proc"_s).entryList({u"[1-9]*"_s}, QDir::Dirs)) {
            const auto content = [&](const QString& name) {
                QFile file(u"/proc/%1/%2"_s.arg(pid, name));
                return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
            };
            if (content(u"comm"_s).trimmed() == "nvidia-cuda-mps"
                && content(u"environ"_s).contains(QFile::encodeName(m_folder.path()))) {
                found << pid.toLongLong();
            }
        }
        return found;
    }
    [[nodiscard]] bool isGone() const
    {
        return QTest::qWaitFor([this] { return processes().isEmpty(); }, 20000);
    }

    [[nodiscard]] QStringList history() const
    {
        QFile file(path(u"history"_s));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split(u'\n') : QStringList();
    }
    [[nodiscard]] qsizetype starts() const { return history().filter(u" started"_s).size(); }
    /// The daemon that was started last.
    [[nodiscard]] pid_t daemon() const
    {
        const QStringList lines = history().filter(u" started"_s);
        return lines.isEmpty() ? 0 : static_cast<pid_t>(lines.last().section(u' ', 0, 0).toInt());
    }

private:
    QTemporaryDir m_folder{QDir::tempPath() + u"/mps-XXXXXX"_s};
    QByteArray m_path = qgetenv("PATH");
    std::optional<QByteArray> m_runtime
        = qEnvironmentVariableIsSet("XDG_RUNTIME_DIR") ? std::optional(qgetenv("XDG_RUNTIME_DIR")) : std::nullopt;
    NvmlScript m_nvml;
};

/// `lockstep run` of two ranks on one GPU.
class Workbench {
public:
    explicit Workbench(const MpsMachine& machine, const QString& mode = u"auto"_s)
    {
        const QString spec = machine.path(u"spec-%1.json"_s.arg(mode));
        QFile file(spec);
        if (file.open(QIODevice::WriteOnly)) {
            file.write(QJsonDocument(QJsonObject{{u"version"_s, 1}, {u"experiment"_s, u"optimizers"_s},
                                         {u"base"_s,
                                             QJsonObject{{u"strategy.name"_s, u"data"_s}, {u"world_size"_s, 2},
                                                 {u"device"_s, u"cuda:0"_s}, {u"device.mps"_s, mode}}}})
                           .toJson());
        }
        file.close();
        m_process.start(tests::Lockstep, {u"run"_s, spec, u"--json"_s, u"--store"_s, machine.path(u"store"_s)});
    }
    ~Workbench() { kill(); }
    Workbench(const Workbench&) = delete;
    Workbench& operator=(const Workbench&) = delete;

    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    [[nodiscard]] bool hasFinished() { return m_process.waitForFinished(60000); }
    [[nodiscard]] int exitCode() const { return m_process.exitCode(); }
    [[nodiscard]] QByteArray errors() { return m_process.readAllStandardError(); }
    /// `mps` of the run's summary.
    [[nodiscard]] QJsonValue mps()
    {
        const QJsonDocument results = QJsonDocument::fromJson(m_process.readAllStandardOutput());
        return results[u"runs"_s][0][u"summary"_s][u"mps"_s];
    }

private:
    QProcess m_process;
};

int kills()
{
    return qEnvironmentVariableIsSet("LOCKSTEP_LONG") ? 100 : 5;
}

} // namespace

class TestMps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksShareAGpuWhereThereAreMoreRanksThanGpus_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<bool>("share");
        QTest::newRow("one rank") << u"device=cuda:0"_s << 1 << 1 << false;
        QTest::newRow("two on one") << u"device=cuda:0"_s << 2 << 4 << true;
        QTest::newRow("two on two") << u"device=auto"_s << 2 << 2 << false;
        QTest::newRow("three on two") << u"device=auto"_s << 3 << 2 << true;
        QTest::newRow("chosen apart") << u"device.gpus=1,0"_s << 2 << 2 << false;
        QTest::newRow("chosen twice") << u"device.gpus=1,1"_s << 2 << 2 << true;
        QTest::newRow("chosen in turn") << u"device.gpus=0,1"_s << 3 << 4 << true;
        QTest::newRow("CPU") << u"device=cpu"_s << 4 << 1 << false;
        QTest::newRow("no GPU") << u"device=auto"_s << 4 << 0 << false;
    }

    void ranksShareAGpuWhereThereAreMoreRanksThanGpus()
    {
        QFETCH(const QString, settings);
        QFETCH(const int, ranks);
        QFETCH(const int, gpus);
        QTEST(shareGpu(runWith(u"strategy.name=data "_s + settings), ranks, gpus), "share");
    }

    void obstaclesAreNamed_data()
    {
        QTest::addColumn<std::function<void(MpsFacts&)>>("change");
        QTest::addColumn<QString>("obstacle");
        const auto row = [](const char* name, std::function<void(MpsFacts&)> change, const char* obstacle) {
            QTest::newRow(name) << std::move(change) << QString::fromUtf8(obstacle);
        };
        row(
            "none", [](MpsFacts&) {}, "");
        row(
            "exclusive process", [](MpsFacts& now) { now.gpus[0].computeMode = 3; }, "");
        row(
            "mode unknown", [](MpsFacts& now) { now.gpus[0].computeMode.reset(); }, "");
        row(
            "program", [](MpsFacts& now) { now.hasProgram = false; }, "nvidia-cuda-mps-control is not in PATH");
        row(
            "WSL", [](MpsFacts& now) { now.isWsl = true; }, "WSL");
        row(
            "no GPU", [](MpsFacts& now) { now.gpus.clear(); }, "no GPU");
        row(
            "MIG", [](MpsFacts& now) { now.gpus[0].isMig = true; }, "MIG");
        row(
            "Pascal",
            [](MpsFacts& now) {
                now.gpus[0].capability = ComputeCapability{6, 1};
            },
            "compute capability 6.1");
        row(
            "prohibited", [](MpsFacts& now) { now.gpus[0].computeMode = 2; }, "Prohibited");
        row(
            "exclusive thread", [](MpsFacts& now) { now.gpus[0].computeMode = 1; }, "Exclusive_Thread");
    }

    void obstaclesAreNamed()
    {
        QFETCH(const std::function<void(MpsFacts&)>, change);
        QFETCH(const QString, obstacle);
        MpsFacts facts{true, false, {GpuFacts{}}};
        facts.gpus[0].capability = ComputeCapability{7, 0};
        facts.gpus[0].isMig = false;
        facts.gpus[0].computeMode = 0;
        change(facts);
        const QString found = QString::fromStdString(mpsObstacle(facts).english);
        QVERIFY2(obstacle.isEmpty() ? found.isEmpty() : found.contains(obstacle), qPrintable(found));
    }

    void theFirstUserStartsAndTheLastStops()
    {
        const MpsMachine machine;
        auto first = MpsDaemon::use(Uuids);
        QVERIFY2(first.isOk(), first.isOk() ? "" : first.error().message.c_str());
        QVERIFY((*first)->wasStarted());
        QVERIFY((*first)->control().isListening());
        QVERIFY((*first)->control().pipes().size() < 80);
        QCOMPARE(
            QFile::permissions((*first)->control().pipes()) & (QFile::ReadGroup | QFile::ReadOther | QFile::ExeOther),
            QFile::Permissions());
        auto second = MpsDaemon::use(Uuids);
        QVERIFY(second.isOk() && !(*second)->wasStarted());
        QCOMPARE((*second)->control().pipes(), (*first)->control().pipes());
        auto elsewhere = MpsDaemon::use({"GPU-1"});
        QVERIFY(elsewhere.isOk() && (*elsewhere)->wasStarted());
        (*elsewhere).reset();
        (*first).reset();
        QVERIFY((*second)->control().isListening());
        (*second).reset();
        QVERIFY(machine.isGone());
        QCOMPARE(machine.starts(), 2);
    }

    void aDaemonThatCrashedOrHangsIsStartedAnew_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("crash") << SIGKILL;
        QTest::newRow("hang") << SIGSTOP;
    }

    void aDaemonThatCrashedOrHangsIsStartedAnew()
    {
        QFETCH(const int, signal);
        const MpsMachine machine;
        auto first = MpsDaemon::use(Uuids);
        QVERIFY(first.isOk());
        const pid_t broken = machine.daemon();
        QVERIFY(tests::sendSignal(broken, signal));
        auto second = MpsDaemon::use(Uuids);
        QVERIFY2(second.isOk(), second.isOk() ? "" : second.error().message.c_str());
        QVERIFY((*second)->wasStarted());
        QVERIFY(!machine.processes().contains(qint64{broken}));
        (*first).reset();
        QVERIFY((*second)->control().isListening());
        (*second).reset();
        QVERIFY(machine.isGone());
    }

    void aHungDaemonIsStoppedAtTheEnd()
    {
        const MpsMachine machine;
        auto daemon = MpsDaemon::use(Uuids);
        QVERIFY(daemon.isOk());
        QVERIFY(tests::sendSignal(machine.daemon(), SIGSTOP));
        (*daemon).reset();
        QVERIFY(machine.processes().isEmpty());
    }

    void whatDoesNotStartLeavesNothing_data()
    {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::addColumn<QString>("reason");
        QTest::newRow("refuses") << QByteArray("refuse") << u"the GPU is in use"_s;
        QTest::newRow("no server") << QByteArray("no_server") << u"Failed to start the MPS server"_s;
    }

    void whatDoesNotStartLeavesNothing()
    {
        QFETCH(const QByteArray, behaviour);
        QFETCH(const QString, reason);
        const MpsMachine machine;
        qputenv("LOCKSTEP_FAKE_MPS", behaviour);
        const auto daemon = MpsDaemon::use(Uuids);
        QVERIFY(!daemon.isOk());
        QVERIFY2(
            daemon.error().message.find(reason.toStdString()) != std::string::npos, daemon.error().message.c_str());
        QVERIFY(machine.isGone());
        // The run continues without MPS, unless it requires MPS.
        MpsShare share;
        const auto without = share.begin(runWith(u"strategy.name=data device=cuda:0"_s), 2);
        QVERIFY(without.isOk() && without->origin.empty() && !without->line.empty());
        const auto refused = share.begin(runWith(u"strategy.name=data device=cuda:0 device.mps=on"_s), 2);
        QVERIFY(!refused.isOk());
        QCOMPARE(refused.error().subject, std::string("device.mps"));
    }

    void onlyRunsThatShareAGpuUseIt()
    {
        const MpsMachine machine;
        MpsShare share;
        const auto alone = share.begin(runWith(u"device=cuda:0"_s), 1);
        QVERIFY(alone.isOk() && alone->origin.empty() && alone->pipes.isEmpty());
        const auto off = share.begin(runWith(u"strategy.name=data device=cuda:0 device.mps=off"_s), 2);
        QVERIFY(off.isOk() && off->origin.empty());
        QVERIFY2(!MpsControl(off->pipes).isListening() && !off->pipes.isEmpty(), "the ranks would find one that runs");
        QCOMPARE(machine.starts(), 0);
        const auto shared = share.begin(runWith(u"strategy.name=data device=cuda:0"_s), 2);
        QVERIFY(shared.isOk() && shared->origin == "own");
        QCOMPARE(machine.starts(), 1);
        // Its clients are ended by its commands.
        MpsShare::endClients(*shared, {17, 18});
        QCOMPARE(machine.history().filter(QRegularExpression(u"terminate_client \\d+ (17|18)$"_s)).size(), 2);
        // After a fault the next run gets another daemon.
        share.end(*shared, true);
        const auto next = share.begin(runWith(u"strategy.name=data device=cuda:0"_s), 2);
        QVERIFY(next.isOk() && next->origin == "own");
        QCOMPARE(machine.starts(), 2);
        share.end(*next, false);
        share.release();
        QVERIFY(machine.isGone());
    }

    void anotherMpsIsUsedAndLeft()
    {
        const MpsMachine machine;
        const QString pipes = machine.path(u"other"_s);
        QDir().mkdir(pipes);
        qputenv("CUDA_MPS_PIPE_DIRECTORY", QFile::encodeName(pipes));
        const MpsControl other(pipes);
        QVERIFY(other.start(machine.path({}), std::chrono::seconds(10)).isOk());
        {
            MpsShare share;
            const auto use = share.begin(runWith(u"strategy.name=data device=cuda:0"_s), 2);
            QVERIFY(use.isOk());
            QCOMPARE(use->origin, std::string("other"));
            QCOMPARE(use->pipes, pipes);
            share.end(*use, true);
        }
        QVERIFY(other.isListening());
        QCOMPARE(machine.starts(), 1);
        // One that hangs is none, and the ranks must not wait for it.
        QVERIFY(tests::sendSignal(machine.daemon(), SIGSTOP));
        MpsShare share;
        const auto own = share.begin(runWith(u"strategy.name=data device=cuda:0"_s), 2);
        QVERIFY(own.isOk() && own->origin == "own" && own->pipes != pipes);
    }

    void faultsThatMayBeAnothersAreKnown()
    {
        QVERIFY(isSharedFault("rank 1: cudaLaunchKernel: unspecified launch failure"));
        QVERIFY(isSharedFault("the remote procedural call between the MPS server and the MPS client failed"));
        QVERIFY(!isSharedFault("CUDA out of memory"));
    }

    void aRunSaysThatItRanUnderMps()
    {
        const MpsMachine machine;
        Workbench bench(machine);
        QVERIFY(bench.hasFinished());
        QVERIFY2(bench.exitCode() == 0, bench.errors().constData());
        QCOMPARE(bench.mps().toString(), u"own"_s);
        QVERIFY(machine.isGone());
        Workbench without(machine, u"off"_s);
        QVERIFY(without.hasFinished());
        QVERIFY(without.mps().isNull());
        QCOMPARE(machine.starts(), 1);
    }

    void whereMpsIsRequiredAndCannotRunNothingStarts()
    {
        const MpsMachine machine(R"({"gpus": [{"name": "P100", "uuid": "GPU-0", "capability": [6, 0]}]})");
        Workbench bench(machine, u"on"_s);
        QVERIFY(bench.hasFinished());
        QCOMPARE(bench.exitCode(), 2);
        QVERIFY(bench.errors().contains("compute capability 6.0"));
        QCOMPARE(machine.starts(), 0);
    }

    void twoWorkbenchesShareOne()
    {
        const MpsMachine machine;
        Workbench first(machine);
        Workbench second(machine);
        QVERIFY(first.hasFinished() && second.hasFinished());
        QVERIFY2(first.exitCode() == 0 && second.exitCode() == 0, (first.errors() + second.errors()).constData());
        QCOMPARE(first.mps().toString(), u"own"_s);
        QCOMPARE(second.mps().toString(), u"own"_s);
        QVERIFY(machine.isGone());
    }

    void killedWorkbenchesLeaveNothingToTheNext()
    {
        const MpsMachine machine;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=200");
        for (int i = 0; i < kills(); ++i) {
            // Every other one is killed while it starts the daemon.
            const QString moment = i % 2 == 0 ? u"get_server_list"_s : u" started"_s;
            const qsizetype before = machine.history().filter(moment).size();
            Workbench bench(machine);
            QVERIFY(QTest::qWaitFor([&] { return machine.history().filter(moment).size() > before; }, 60000));
            bench.kill();
        }
        qputenv("LOCKSTEP_FAKE", "steps=20,rate=200");
        Workbench bench(machine);
        QVERIFY(bench.hasFinished());
        QVERIFY2(bench.exitCode() == 0, bench.errors().constData());
        QCOMPARE(bench.mps().toString(), u"own"_s);
        QVERIFY(machine.isGone());
    }

    void anyNextSessionStopsWhatIsAbandoned()
    {
        const MpsMachine machine;
        qputenv("LOCKSTEP_FAKE", "steps=100000,rate=200");
        {
            Workbench bench(machine);
            QVERIFY(QTest::qWaitFor([&] { return machine.processes().size() >= 2; }, 30000));
            bench.kill();
        }
        QVERIFY(!machine.processes().isEmpty());
        auto used = MpsDaemon::use({"GPU-1"});
        MpsDaemon::stopAbandoned();
        QCOMPARE(machine.processes().size(), 2); // of the one that is used
        (*used).reset();
        QVERIFY(machine.isGone());
    }
};

LOCKSTEP_TEST(TestMps)
#include "test_mps.moc"
