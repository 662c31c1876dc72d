// The machine under a run: /proc read right, samples of processes and of GPUs, and their way into store and live feed.
#include "base/proc_files.h"
#include "core/session_fixture.h"
#include "fakes/nvml_script.h"
#include "launch/monitor/machine_sampler.h"
#include "program/busy_machine.h"
#include "program/send_signal.h"
#include "program/test_class.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QTest>

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::store;
using namespace lockstep::launch;
using namespace lockstep::tests;

namespace {

/// A process's line: ticks of work, of its start, and pages.
QByteArray statOf(int pid, int userTicks, int systemTicks, int startedAt, int pages, const char* state = "R")
{
    return QByteArray::number(pid) + " (a (bad) name) " + state + " 1 1 1 0 -1 4194304 100 0 0 0 "
        + QByteArray::number(userTicks) + ' ' + QByteArray::number(systemTicks) + " 7 7 20 0 3 0 "
        + QByteArray::number(startedAt) + " 18446744073709551615 " + QByteArray::number(pages)
        + " 18446744073709551615 1 1\n";
}

/// A /proc of our own.
class ProcFolder {
public:
    void write(const QString& name, const QByteArray& text) const
    {
        const QString path = m_folder.filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    void forget(const QString& name) const { QVERIFY(QFile::remove(m_folder.filePath(name))); }
    [[nodiscard]] std::string path() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

const QByteArray ReportOfTwoGpus = R"({"driver": "580.65.06", "cuda": 13000, "gpus": [
    {"name": "NVIDIA H200", "uuid": "GPU-a", "memory": 150e9, "used": [2e9, 3e9], "use": [10, 90], "memory_use": 5,
     "power": 310.5, "limit": 700, "temperature": 54, "sm": 1980, "clock": 3201, "reasons": 4,
     "processes": [{"pid": 4711, "bytes": 5e8}], "bytes_per_child": 1e9},
    {"name": "NVIDIA T4", "uuid": "GPU-b", "memory": 16e9, "used": 0}]})";

/// NaN is not equal to itself: numbers are compared as bytes.
bool same(double a, double b)
{
    return std::memcmp(&a, &b, sizeof(a)) == 0;
}

bool same(const analysis::MachineSample& a, const analysis::MachineSample& b)
{
    const auto all = [](const auto& left, const auto& right, auto equal) {
        return std::equal(left.begin(), left.end(), right.begin(), right.end(), equal);
    };
    return a.host == b.host && a.timeNs == b.timeNs && same(a.busyCores, b.busyCores)
        && same(a.freeMemoryBytes, b.freeMemoryBytes) && same(a.samplingMs, b.samplingMs)
        && same(a.workbenchCores, b.workbenchCores)
        && all(a.ranks, b.ranks,
            [](const analysis::RankUse& x, const analysis::RankUse& y) {
                return x.rank == y.rank && same(x.cores, y.cores) && same(x.residentBytes, y.residentBytes);
            })
        && all(a.gpus, b.gpus,
            [](const analysis::GpuUse& x, const analysis::GpuUse& y) {
                return x.number == y.number && same(x.usePercent, y.usePercent)
                    && same(x.memoryUsePercent, y.memoryUsePercent) && same(x.memoryBytes, y.memoryBytes)
                    && same(x.powerW, y.powerW) && same(x.powerLimitW, y.powerLimitW)
                    && same(x.temperatureC, y.temperatureC) && same(x.smMhz, y.smMhz) && same(x.memoryMhz, y.memoryMhz)
                    && x.clockReasons == y.clockReasons;
            })
        && all(a.shares, b.shares, [](const analysis::GpuShare& x, const analysis::GpuShare& y) {
               return x.gpu == y.gpu && x.rank == y.rank && same(x.bytes, y.bytes);
           });
}

} // namespace

class TestMonitor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void processorTimes();
    void processTimes();
    void memoryFigures();
    void sampleOfProcesses();
    void reusedNumberIsNotTheRank();
    void sampleOfGpus();
    void ownProcessIsSeen();
    void sharedPagesAreCountedOnce();
    void looksAreCheap();
    void samplesGoEverywhere();
    void nothingWithoutInterval();
    void oldFileHasNone();
};

void TestMonitor::processorTimes()
{
    const auto ticks = cpuTicks("cpu  100 5 20 1000 30 1 2 3 9 9\ncpu0 1 1 1 1\n");
    QVERIFY(ticks);
    QCOMPARE(ticks->busy, std::int64_t{131});
    QCOMPARE(ticks->all, std::int64_t{1161});
    QVERIFY(!cpuTicks(""));
    QVERIFY(!cpuTicks("cpu0 1 2 3 4 5 6 7 8\n"));
    QVERIFY(!cpuTicks("cpu  1 2 x\n"));
}

void TestMonitor::processTimes()
{
    const auto ticks = processTicks(statOf(17, 40, 2, 900, 25).toStdString());
    QVERIFY(ticks);
    QCOMPARE(ticks->busy, std::int64_t{42});
    QCOMPARE(ticks->startedAt, std::int64_t{900});
    QCOMPARE(ticks->residentPages, std::int64_t{25});
    QVERIFY(!processTicks(statOf(17, 40, 2, 900, 25, "Z").toStdString()));
    QVERIFY(!processTicks(""));
    QVERIFY(!processTicks("17 (name) R 1 1 1"));
}

void TestMonitor::memoryFigures()
{
    QCOMPARE(bytesIn("MemTotal:  8 kB\nMemAvailable:       4 kB\n", "MemAvailable"), std::optional(std::int64_t{4096}));
    QVERIFY(!bytesIn("MemAvailableX: 4 kB\n", "MemAvailable"));
    QVERIFY(!bytesIn("MemAvailable: much\n", "MemAvailable"));
    QVERIFY(!bytesIn("", "MemAvailable"));
}

void TestMonitor::sampleOfProcesses()
{
    const ProcFolder proc;
    proc.write(QStringLiteral("stat"), "cpu  100 0 0 100 0 0 0 0 0 0\n");
    proc.write(QStringLiteral("meminfo"), "MemTotal: 1000 kB\nMemAvailable: 600 kB\n");
    proc.write(QStringLiteral("71/stat"), statOf(71, 100, 0, 5, 10));
    proc.write(QStringLiteral("71/smaps_rollup"), "[rollup]\nRss: 48 kB\nPss:   5 kB\nPss_Anon: 2 kB\n");
    Sampler sampler(nullptr, proc.path());
    QCOMPARE(sampler.machine().memoryBytes, std::int64_t{1000 * 1024});
    QVERIFY(!sampler.machine().host.empty() && sampler.machine().cores > 0 && sampler.machine().gpus.empty());
    sampler.watch(0, 71);
    sampler.watch(1, 72); // no such process
    sampler.watch(2, -5); // a rank may report any process id
    QTest::qSleep(200);
    proc.write(QStringLiteral("stat"), "cpu  130 0 0 110 0 0 0 0 0 0\n");
    proc.write(QStringLiteral("71/stat"), statOf(71, 100 + 20, 10, 5, 12));
    const analysis::MachineSample sample = sampler.sample();
    QCOMPARE(sample.busyCores, 0.75 * sampler.machine().cores);
    QCOMPARE(sample.freeMemoryBytes, 600.0 * 1024.0);
    QCOMPARE(sample.ranks.size(), std::size_t{1});
    QCOMPARE(sample.ranks[0].rank, 0);
    QCOMPARE(sample.ranks[0].residentBytes, 5.0 * 1024.0); // not its 12 pages: some are shared
    // 30 hundredths of a second of work in 0.2 s or a little more.
    QVERIFY(sample.ranks[0].cores > 0.3 && sample.ranks[0].cores <= 1.5);
    QVERIFY(sample.gpus.empty() && sample.shares.empty());

    const analysis::MachineSample tooSoon = sampler.sample();
    QVERIFY(std::isnan(tooSoon.busyCores)); // no tick has passed
    QVERIFY(std::isnan(tooSoon.ranks[0].cores));

    sampler.begin();
    QVERIFY(sampler.sample().ranks.empty()); // another run's
}

void TestMonitor::reusedNumberIsNotTheRank()
{
    const ProcFolder proc;
    proc.write(QStringLiteral("71/stat"), statOf(71, 100, 0, 5, 10));
    Sampler sampler(nullptr, proc.path());
    sampler.watch(0, 71);
    const analysis::MachineSample first = sampler.sample();
    QCOMPARE(first.ranks.size(), std::size_t{1});
    // Where the kernel does not tell what is shared: all of it.
    QCOMPARE(first.ranks[0].residentBytes, 10.0 * static_cast<double>(sysconf(_SC_PAGESIZE)));
    proc.write(QStringLiteral("71/stat"), statOf(71, 1, 0, 9999, 10));
    QVERIFY(sampler.sample().ranks.empty());
    proc.write(QStringLiteral("71/stat"), statOf(71, 100, 0, 5, 10));
    QVERIFY(sampler.sample().ranks.empty()); // what is gone stays gone
}

void TestMonitor::sampleOfGpus()
{
    const NvmlScript script(ReportOfTwoGpus);
    OpenedNvml opened = Nvml::open();
    QVERIFY(opened.nvml != nullptr);
    const ProcFolder proc;
    proc.write(QStringLiteral("4711/stat"), statOf(4711, 0, 0, 5, 1));
    Sampler sampler(std::move(opened.nvml), proc.path());
    QCOMPARE(sampler.machine().gpus.size(), std::size_t{2});
    QCOMPARE(sampler.machine().gpus[1], (analysis::MachineGpu{1, "NVIDIA T4", "GPU-b", 16'000'000'000}));
    sampler.watch(3, 4711);
    const analysis::MachineSample sample = sampler.sample();
    QCOMPARE(sample.gpus.size(), std::size_t{2});
    QCOMPARE(sample.gpus[0].usePercent, 90.0);
    QCOMPARE(sample.gpus[0].powerW, 310.5);
    QCOMPARE(sample.gpus[0].clockReasons, std::uint64_t{4});
    QVERIFY(std::isnan(sample.gpus[1].usePercent) && std::isnan(sample.gpus[1].powerW));
    QCOMPARE(sample.gpus[1].memoryBytes, 0.0);
    QVERIFY(!sample.shares.empty());
    QCOMPARE(sample.shares[0].rank, 3);
    QCOMPARE(sample.shares[0].bytes, 5e8);
}

void TestMonitor::ownProcessIsSeen()
{
    Sampler sampler(nullptr);
    sampler.watch(0, getpid());
    QElapsedTimer busy;
    busy.start();
    volatile double sink = 0.0;
    while (busy.elapsed() < 300) {
        sink = sink + std::sqrt(static_cast<double>(busy.elapsed()));
    }
    const analysis::MachineSample sample = sampler.sample();
    QCOMPARE(sample.ranks.size(), std::size_t{1});
    QVERIFY2(sample.ranks[0].cores > 0.1, qPrintable(QString::number(sample.ranks[0].cores)));
    QVERIFY(sample.busyCores > 0.0 && sample.busyCores <= sampler.machine().cores);
    QVERIFY(sample.ranks[0].residentBytes > 1e6);
    QVERIFY(sample.freeMemoryBytes > 1e6);
    QVERIFY(sample.samplingMs > 0.0);
    // This process is the workbench, and its rank.
    QVERIFY2(
        sample.workbenchCores > 0.1 && sample.workbenchCores < 1.5, qPrintable(QString::number(sample.workbenchCores)));
}

/// Two forks of this process: what they share with it and each other is counted once.
void TestMonitor::sharedPagesAreCountedOnce()
{
    constexpr std::size_t Bytes = 96U << 20;
    const std::vector<char> shared(Bytes, 'x');
    std::array<pid_t, 2> ranks{};
    for (pid_t& rank : ranks) {
        rank = fork();
        if (rank == 0) {
            pause();
            _exit(0);
        }
        QVERIFY(rank > 0);
    }
    Sampler sampler(nullptr);
    sampler.watch(0, ranks[0]);
    sampler.watch(1, ranks[1]);
    const analysis::MachineSample sample = sampler.sample();
    for (const pid_t rank : ranks) {
        sendSignal(rank, SIGKILL);
        waitpid(rank, nullptr, 0);
    }
    QCOMPARE(sample.ranks.size(), std::size_t{2});
    const double sum = sample.ranks[0].residentBytes + sample.ranks[1].residentBytes;
    QVERIFY2(sum > 0.5 * Bytes && sum < 1.2 * Bytes, qPrintable(QString::number(sum))); // two of three parts, and more
    QVERIFY(shared.back() == 'x');
}

/// Without a GPU, at two looks a second: below half a hundredth of a core, that is 2.5 ms a look.
void TestMonitor::looksAreCheap()
{
    Sampler sampler(nullptr);
    for (int rank = 0; rank < 8; ++rank) {
        sampler.watch(rank, getpid());
    }
    double spentMs = 0.0;
    constexpr int Looks = 50;
    for (int i = 0; i < Looks; ++i) {
        spentMs += sampler.sample().samplingMs;
    }
    QVERIFY2(isWithin(spentMs / Looks, 2.5), qPrintable(QString::number(spentMs / Looks)));
}

void TestMonitor::samplesGoEverywhere()
{
    const NvmlScript script(ReportOfTwoGpus);
    SessionOptions options = withRanks(2);
    options.sampleEvery = std::chrono::milliseconds(100);
    SessionFixture fixture(options);
    for (int run = 0; run < 2; ++run) { // the second has the same monitor
        const RunId id = fixture.start("steps=300,rate=200");
        const auto source = fixture.session().liveSource(id);
        QVERIFY(source != nullptr);
        store::Delta live;
        const auto take = [&] {
            if (const auto delta = source->take()) {
                live.append(*delta);
            }
        };
        QVERIFY(QTest::qWaitFor(
            [&] {
                take();
                return analysis::isFinal(fixture.record(id).status);
            },
            20000));
        QVERIFY(fixture.waitForEnd(id));
        take();
        QVERIFY2(fixture.record(id).status == analysis::RunStatus::Finished, fixture.record(id).message.c_str());
        const store::Delta stored = fixture.stored(id);
        QCOMPARE(live.machines.size(), std::size_t{1});
        QCOMPARE(live.machines, stored.machines);
        QCOMPARE(live.machines[0].gpus.size(), std::size_t{2});
        QVERIFY2(live.machineSamples.size() >= 3, qPrintable(QString::number(live.machineSamples.size())));
        QCOMPARE(live.machineSamples.size(), stored.machineSamples.size());
        for (std::size_t i = 0; i < live.machineSamples.size(); ++i) {
            QVERIFY(same(live.machineSamples[i], stored.machineSamples[i]));
        }
        const analysis::MachineSample& sample = live.machineSamples.at(2);
        QCOMPARE(sample.ranks.size(), std::size_t{2});
        QVERIFY(sample.ranks[0].residentBytes > 0.0);
        // Both ranks compute on the first GPU, and a stranger does.
        std::vector<std::int32_t> owners;
        for (const analysis::GpuShare& share : sample.shares) {
            owners.push_back(share.rank);
        }
        std::sort(owners.begin(), owners.end());
        QCOMPARE(owners, (std::vector<std::int32_t>{-1, 0, 1}));

        const auto store = RunStore::open(fixture.storeFolder());
        QVERIFY(store.isOk());
        const auto record = (*store)->load(id);
        QVERIFY(record.isOk());
        QCOMPARE(record->machines.size(), std::size_t{1});
        QCOMPARE(record->machines[0].samples, static_cast<std::int64_t>(stored.machineSamples.size()));
        QCOMPARE(record->machines[0].gpus.at(0).meanPowerW, 310.5);
        QCOMPARE(record->machines[0].ranks.size(), std::size_t{2});
        QCOMPARE(record->machines[0].ranks[1].highestGpuBytes, 1e9);
    }
}

void TestMonitor::nothingWithoutInterval()
{
    SessionOptions options = withRanks(1);
    options.sampleEvery = std::chrono::milliseconds(0);
    SessionFixture fixture(options);
    const RunId id = fixture.start("steps=100,rate=200");
    QVERIFY(fixture.waitForEnd(id));
    const store::Delta stored = fixture.stored(id);
    QVERIFY(!stored.steps.empty() && stored.machines.empty() && stored.machineSamples.empty());
}

/// A file from before machine sampling opens, and has everything else.
void TestMonitor::oldFileHasNone()
{
    SessionOptions options = withRanks(1);
    options.sampleEvery = std::chrono::milliseconds(50);
    SessionFixture fixture(options);
    const RunId id = fixture.start("steps=100,rate=200");
    QVERIFY(fixture.waitForEnd(id));
    QVERIFY(!fixture.stored(id).machineSamples.empty());
    const QString path = fixture.storeFolder() + u'/' + QString::fromStdString(id.text) + QStringLiteral(".run");
    {
        QSqlDatabase file = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("old"));
        file.setDatabaseName(path);
        QVERIFY(file.open());
        QSqlQuery query(file);
        QVERIFY2(query.exec(QStringLiteral("DROP TABLE machines")), qPrintable(query.lastError().text()));
        QVERIFY2(query.exec(QStringLiteral("DROP TABLE machine_samples")), qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("old"));
    const store::Delta stored = fixture.stored(id);
    QVERIFY(stored.machines.empty() && stored.machineSamples.empty());
    QCOMPARE(stepsOf(stored, 0).size(), std::size_t{100});
    const auto store = RunStore::open(fixture.storeFolder());
    const auto record = (*store)->load(id);
    QVERIFY2(record.isOk(), record.isOk() ? "" : record.error().message.c_str());
    QVERIFY(record->machines.empty() && !record->loss.step.empty());
}

LOCKSTEP_TEST(TestMonitor)
#include "test_monitor.moc"
