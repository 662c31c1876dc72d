// NVML as the workbench reads it, over a scripted library.
#include "fakes/nvml_script.h"
#include "launch/monitor/nvml.h"
#include "program/test_class.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lockstep;
using namespace lockstep::launch;
using tests::NvmlScript;
using Kind = NvmlFailure::Kind;

class TestNvml : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void missingLibraryIsNamed()
    {
        qputenv("LOCKSTEP_NVML", "/nowhere/libnvidia-ml.so.1");
        const OpenedNvml opened = Nvml::open();
        qunsetenv("LOCKSTEP_NVML");
        QVERIFY(opened.nvml == nullptr);
        QVERIFY(opened.failure.kind == Kind::NoLibrary);
        QVERIFY(opened.failure.message.english.find("/nowhere/libnvidia-ml.so.1") != std::string::npos);
    }

    void otherLibraryIsRefused()
    {
        qputenv("LOCKSTEP_NVML", "libc.so.6");
        const OpenedNvml opened = Nvml::open();
        qunsetenv("LOCKSTEP_NVML");
        QVERIFY(opened.nvml == nullptr);
        QVERIFY(opened.failure.kind == Kind::Unusable);
    }

    void failuresAreTold_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("kind");
        QTest::newRow("not loaded") << 9 << static_cast<int>(Kind::NotLoaded);
        QTest::newRow("library missing") << 12 << static_cast<int>(Kind::Unusable);
        QTest::newRow("of different versions") << 18 << static_cast<int>(Kind::Mismatch);
        QTest::newRow("no permission") << 4 << static_cast<int>(Kind::NoPermission);
        QTest::newRow("forbidden by a group") << 17 << static_cast<int>(Kind::NoPermission);
        QTest::newRow("no GPU") << 6 << static_cast<int>(Kind::NoGpu);
        QTest::newRow("anything else") << 999 << static_cast<int>(Kind::Other);
    }

    void failuresAreTold()
    {
        QFETCH(int, status);
        QFETCH(int, kind);
        const NvmlScript script("{\"init\": " + QByteArray::number(status) + "}");
        const OpenedNvml opened = Nvml::open();
        QVERIFY(opened.nvml == nullptr);
        QCOMPARE(static_cast<int>(opened.failure.kind), kind);
        QVERIFY(!opened.failure.message.empty());
        QVERIFY(opened.failure.message.english.find('\n') == std::string::npos);
        if (status == 999) {
            QVERIFY(opened.failure.message.english.find("as the fake was told (999)") != std::string::npos);
        }
    }

    void factsOfGpus()
    {
        const NvmlScript script(R"({"driver": "580.65.06", "cuda": 13000, "gpus": [
            {"name": "NVIDIA H200", "uuid": "GPU-a", "memory": 150e9, "capability": [9, 0], "limit": 700,
             "persistence": true, "mig": true,
             "slices": [{"name": "H200 MIG 1g.18gb", "uuid": "MIG-a", "memory": 18e9}]},
            {"name": "NVIDIA GeForce GTX 1080"}]})");
        const OpenedNvml opened = Nvml::open();
        QVERIFY2(opened.nvml != nullptr, opened.failure.message.english.c_str());
        QCOMPARE(opened.nvml->driver().version, std::string("580.65.06"));
        QCOMPARE(opened.nvml->driver().cuda, 13000);
        const auto gpus = opened.nvml->gpus();
        QCOMPARE(gpus.size(), std::size_t{2});
        QCOMPARE(gpus[0].name, std::string("NVIDIA H200"));
        QCOMPARE(gpus[0].uuid, std::string("GPU-a"));
        QCOMPARE(gpus[0].memoryBytes, std::int64_t{150'000'000'000});
        QVERIFY((gpus[0].capability == ComputeCapability{9, 0}));
        QCOMPARE(gpus[0].powerLimitW, std::optional(700.0));
        QCOMPARE(gpus[0].isMig, std::optional(true));
        QCOMPARE(gpus[0].isPersistent, std::optional(true));
        QCOMPARE(gpus[0].slices.size(), std::size_t{1});
        QCOMPARE(gpus[0].slices[0].uuid, std::string("MIG-a"));
        QCOMPARE(gpus[0].slices[0].memoryBytes, std::int64_t{18'000'000'000});
        QCOMPARE(gpus[1].number, 1);
        QVERIFY(!gpus[1].capability && !gpus[1].isMig && !gpus[1].isPersistent && !gpus[1].powerLimitW);
        QVERIFY(gpus[1].uuid.empty() && gpus[1].slices.empty());
    }

    void readings()
    {
        const NvmlScript script(R"({"gpus": [
            {"name": "A", "memory": 8e9, "used": 2e9, "use": [90, 40], "memory_use": 20, "power": 310.5, "limit": 700,
             "temperature": 54, "sm": 1980, "clock": 3201, "reasons": 4,
             "processes": [{"pid": 17, "bytes": 1e9}, {"pid": 18}]},
            {"name": "B"}]})");
        const OpenedNvml opened = Nvml::open();
        QVERIFY(opened.nvml != nullptr);
        const GpuReading first = opened.nvml->read(0);
        QCOMPARE(first.usePercent, std::optional(40.0));
        QCOMPARE(first.memoryUsePercent, std::optional(20.0));
        QCOMPARE(first.memoryUsedBytes, std::optional(std::int64_t{2'000'000'000}));
        QCOMPARE(first.powerW, std::optional(310.5));
        QCOMPARE(first.powerLimitW, std::optional(700.0));
        QCOMPARE(first.temperatureC, std::optional(54.0));
        QCOMPARE(first.smMhz, std::optional(1980.0));
        QCOMPARE(first.memoryMhz, std::optional(3201.0));
        QCOMPARE(first.clockReasons, std::optional(std::uint64_t{4}));
        QCOMPARE(first.processes.size(), std::size_t{2});
        QCOMPARE(first.processes[0].pid, std::int64_t{17});
        QCOMPARE(first.processes[0].bytes, std::optional(std::int64_t{1'000'000'000}));
        QVERIFY(!first.processes[1].bytes);
        QCOMPARE(opened.nvml->read(0).usePercent, std::optional(90.0));

        for (const int number : {1, 2, -1}) { // one that reports nothing, and two that do not exist
            const GpuReading none = opened.nvml->read(number);
            QVERIFY(!none.usePercent && !none.memoryUsedBytes && !none.powerW && !none.temperatureC && !none.smMhz);
            QVERIFY(!none.clockReasons && none.processes.empty());
        }
    }

    void manyProcesses()
    {
        QByteArray list;
        for (int pid = 1; pid <= 300; ++pid) {
            list += (pid == 1 ? "{\"pid\":" : ",{\"pid\":") + QByteArray::number(pid) + ",\"bytes\":4096}";
        }
        const NvmlScript script("{\"gpus\": [{\"name\": \"A\", \"processes\": [" + list + "]}]}");
        const OpenedNvml opened = Nvml::open();
        QVERIFY(opened.nvml != nullptr);
        const GpuReading reading = opened.nvml->read(0);
        QCOMPARE(reading.processes.size(), std::size_t{300});
        QCOMPARE(reading.processes.back().pid, std::int64_t{300});
    }

    void lostGpuIsLeftOut()
    {
        const NvmlScript script(R"({"no_gpu": true, "gpus": [{"name": "A"}]})");
        const OpenedNvml opened = Nvml::open();
        QVERIFY(opened.nvml != nullptr);
        QVERIFY(opened.nvml->gpus().empty());
    }
};

LOCKSTEP_TEST(TestNvml)
#include "test_nvml.moc"
