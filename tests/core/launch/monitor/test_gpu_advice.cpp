// The doctor's advice for made-up machines, and that it reads them correctly.
#include "fakes/nvml_script.h"
#include "launch/machine/gpu_situation.h"
#include "launch/machine/machine_facts.h"
#include "launch/monitor/gpu_architectures.h"
#include "program/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace lockstep::launch;
using lockstep::tests::NvmlScript;
using Kind = NvmlFailure::Kind;

namespace {

/// A machine on which everything fits.
GpuSituation allWell()
{
    GpuSituation now;
    now.pciDevices = {"0000:01:00.0"};
    now.kernelModule = "580.65.06";
    now.hasDeviceNodes = true;
    now.driver = {"580.65.06", 13000};
    GpuFacts gpu;
    gpu.name = "NVIDIA H200";
    gpu.memoryBytes = std::int64_t{141} << 30;
    gpu.capability = ComputeCapability{9, 0};
    gpu.isMig = false;
    gpu.isPersistent = true;
    now.gpus = {gpu};
    now.nvcc = "13.0";
    now.flavour = {true, true, "", "2.11.0", 13000, 22809, {"sm_75", "sm_80", "sm_90"}, true};
    return now;
}

GpuSituation without(Kind kind)
{
    GpuSituation now = allWell();
    now.failure = NvmlFailure{kind, "as NVML says"};
    now.driver = {};
    now.gpus.clear();
    now.flavour = {};
    return now;
}

GpuSituation changed(GpuSituation now, const std::function<void(GpuSituation&)>& change)
{
    change(now);
    return now;
}

QString lineOf(const GpuVerdict& verdict, const char* topic)
{
    for (const GpuVerdict::Line& line : verdict.lines) {
        if (line.topic.english == topic) {
            return QString::fromStdString(line.text);
        }
    }
    return {};
}

QString adviceOf(const GpuVerdict& verdict)
{
    QStringList lines;
    for (const std::string& line : verdict.advice) {
        lines += QString::fromStdString(line);
    }
    return lines.join(u'\n');
}

struct AdvisedMachine {
    const char* name;
    GpuSituation now;
    const char* state;
    const char* advises; ///< a part of it; empty: there is none
};

void removeDriver(GpuSituation& now)
{
    now.kernelModule.clear();
    now.hasDeviceNodes = false;
}

void removeHardware(GpuSituation& now)
{
    now.pciDevices.clear();
    removeDriver(now);
}

/// Where the driver is missing or does not answer.
std::vector<AdvisedMachine> driverMachines()
{
    return {
        {"no GPU", changed(without(Kind::NoLibrary), removeHardware), "no_gpu", ""},
        {"GPU without driver", changed(without(Kind::NoLibrary), removeDriver), "no_driver", "ubuntu-drivers install"},
        {"nouveau",
            changed(changed(without(Kind::NoLibrary), removeDriver), [](GpuSituation& now) { now.hasNouveau = true; }),
            "nouveau", "nvidia-driver"},
        {"libraries missing", without(Kind::NoLibrary), "no_driver", "580.65.06"},
        {"not loaded", changed(without(Kind::NotLoaded), removeDriver), "not_loaded", "modprobe nvidia"},
        {"no device nodes", changed(without(Kind::NotLoaded), [](GpuSituation& now) { now.hasDeviceNodes = false; }),
            "no_device_nodes", "nvidia-modprobe"},
        {"mismatch", without(Kind::Mismatch), "mismatch", "Restart the machine"},
        {"no permission", without(Kind::NoPermission), "no_permission", "usermod"},
        {"driver without GPU", without(Kind::NoGpu), "no_gpu", "dmesg"},
        {"driver that fails", without(Kind::Other), "unusable_driver", "nvidia-smi"},
    };
}

/// Containers, and Linux inside Windows.
std::vector<AdvisedMachine> guestMachines()
{
    const auto wsl = [](bool hasGpu) {
        return [hasGpu](GpuSituation& now) {
            now.isWsl = true;
            now.hasWslGpu = hasGpu;
            removeHardware(now);
        };
    };
    return {
        {"mismatch in a container", changed(without(Kind::Mismatch), [](GpuSituation& now) { now.isContainer = true; }),
            "mismatch", "Start the container again"},
        {"container without --gpus",
            changed(changed(without(Kind::NoLibrary), removeDriver),
                [](GpuSituation& now) {
                    now.isContainer = true;
                    now.kernelModule = "580.65.06"; // the host's
                }),
            "hidden_from_container", "docker run --gpus all"},
        {"container without libraries",
            changed(without(Kind::NoLibrary), [](GpuSituation& now) { now.isContainer = true; }), "no_driver",
            "NVIDIA_DRIVER_CAPABILITIES"},
        {"WSL without a GPU", changed(without(Kind::NoLibrary), wsl(false)), "no_wsl_gpu", "wsl --update"},
        {"WSL without a driver", changed(without(Kind::NoLibrary), wsl(true)), "no_driver", "in Windows, not in WSL"},
        {"WSL, all well", changed(allWell(), wsl(true)), "ready", ""},
    };
}

/// Driver, GPU and LibTorch that fit together or do not.
std::vector<AdvisedMachine> versionMachines()
{
    const auto oldDriver = [](GpuSituation& now) {
        now.driver = {"535.183.01", 12020};
        now.flavour.canUseGpu = false;
    };
    const auto capability = [](int major, int minor) {
        return [major, minor](GpuSituation& now) {
            now.gpus[0].capability = ComputeCapability{major, minor};
            now.flavour.canUseGpu = false;
        };
    };
    return {
        {"too old driver", changed(allWell(), oldDriver), "driver_too_old",
            "needs driver 580 or newer; here is 535.183.01"},
        {"too old driver that reports no CUDA",
            changed(allWell(),
                [](GpuSituation& now) {
                    now.driver = {"550.1", 0};
                }),
            "driver_too_old", "needs driver 580 or newer; here is 550.1"},
        {"driver of a later minor version", changed(allWell(), [](GpuSituation& now) { now.driver.cuda = 13020; }),
            "ready", ""},
        {"driver of an earlier minor version",
            changed(allWell(),
                [](GpuSituation& now) {
                    now.driver = {"525.60.13", 12000};
                    now.flavour.cuda = 12060;
                }),
            "ready", ""},
        {"too old GPU", changed(allWell(), capability(6, 1)), "wrong_architecture", "too old for this LibTorch"},
        {"too new GPU", changed(allWell(), capability(10, 0)), "wrong_architecture", "newer than this LibTorch"},
        {"GPU of a later minor version",
            changed(allWell(),
                [](GpuSituation& now) {
                    now.gpus[0].capability = {8, 9};
                }),
            "ready", ""},
    };
}

/// The rank program and the GPUs that it may use.
std::vector<AdvisedMachine> rankMachines()
{
    return {
        {"all well", allWell(), "ready", ""},
        {"no CUDA rank", changed(allWell(), [](GpuSituation& now) { now.flavour = {}; }), "no_cuda_rank",
            "./run --cuda"},
        {"broken CUDA rank",
            changed(allWell(),
                [](GpuSituation& now) {
                    now.flavour = {};
                    now.flavour.isThere = true;
                    now.flavour.message = "no such library";
                }),
            "no_cuda_rank", "no such library"},
        {"hidden GPUs", changed(allWell(), [](GpuSituation& now) { now.visibleDevices = ""; }), "hidden_by_variable",
            "CUDA_VISIBLE_DEVICES"},
        {"chosen GPUs", changed(allWell(), [](GpuSituation& now) { now.visibleDevices = "0"; }), "ready", ""},
        {"all fits, yet no GPU", changed(allWell(), [](GpuSituation& now) { now.flavour.canUseGpu = false; }),
            "not_usable", "nvidia-uvm"},
        {"MIG without slices", changed(allWell(), [](GpuSituation& now) { now.gpus[0].isMig = true; }), "ready",
            "nvidia-smi mig"},
    };
}

std::vector<AdvisedMachine> machines()
{
    std::vector<AdvisedMachine> all;
    for (const auto group : {driverMachines, guestMachines, versionMachines, rankMachines}) {
        for (AdvisedMachine& machine : group()) {
            all.push_back(std::move(machine));
        }
    }
    return all;
}

} // namespace

class TestGpuAdvice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void eachMachineHasItsAdvice_data()
    {
        QTest::addColumn<int>("number");
        const auto all = machines();
        for (std::size_t i = 0; i < all.size(); ++i) {
            QTest::newRow(all[i].name) << static_cast<int>(i);
        }
    }

    void eachMachineHasItsAdvice()
    {
        QFETCH(int, number);
        const AdvisedMachine machine = machines().at(static_cast<std::size_t>(number));
        const GpuVerdict verdict = gpuVerdict(machine.now);
        QCOMPARE(verdict.state, std::string(machine.state));
        const QString advice = adviceOf(verdict);
        QCOMPARE(advice.isEmpty(), *machine.advises == '\0');
        QVERIFY2(advice.contains(QLatin1String(machine.advises)), qPrintable(advice));
        QVERIFY(!verdict.summary.empty() && verdict.summary.english.find('\n') == std::string::npos);
        QCOMPARE(verdict.summary.english.ends_with("runs use the CPU"), verdict.state != "ready");
        for (const std::string& line : verdict.advice) {
            QVERIFY2(line.ends_with('.') && line.find('\n') == std::string::npos, line.c_str());
        }
    }

    void sharingIsExplained()
    {
        GpuSituation now = allWell();
        QVERIFY(lineOf(gpuVerdict(now), "CUDA IPC").startsWith(QStringLiteral("possible")));
        QVERIFY(lineOf(gpuVerdict(now), "MPS").contains(QStringLiteral("nvidia-cuda-mps-control is not in PATH")));
        now.hasMpsProgram = true;
        QVERIFY(lineOf(gpuVerdict(now), "MPS").startsWith(QStringLiteral("does not run yet")));
        QVERIFY(lineOf(gpuVerdict(now), "NCCL")
                    .startsWith(QStringLiteral("2.28.9: one rank per GPU; several ranks on one GPU use shm")));
        now.isMpsRunning = true;
        now.isContainer = true;
        now.flavour.nccl = 23002;
        QVERIFY(lineOf(gpuVerdict(now), "MPS").startsWith(QStringLiteral("runs")));
        QVERIFY(lineOf(gpuVerdict(now), "CUDA IPC").contains(QStringLiteral("--ipc=host")));
        QVERIFY(lineOf(gpuVerdict(now), "NCCL").contains(QStringLiteral("NCCL_MULTI_RANK_GPU_ENABLE=1")));
        now.gpus[0].isMig = true;
        now.gpus[0].slices = {{"H200 MIG 1g.18gb", "MIG-a", std::int64_t{16} << 30}};
        now.flavour.nccl = 0;
        const GpuVerdict verdict = gpuVerdict(now);
        QVERIFY(lineOf(verdict, "CUDA IPC").startsWith(QStringLiteral("not between MIG slices")));
        QVERIFY(lineOf(verdict, "GPU 0").contains(QStringLiteral("cut into 1 slice")));
        QVERIFY(lineOf(verdict, "slice").contains(QStringLiteral("16.0 GiB")));
        QVERIFY(lineOf(verdict, "NCCL").startsWith(QStringLiteral("not linked")));
        QVERIFY(verdict.advice.empty());
    }

    void architectures()
    {
        QVERIFY(runsOn({8, 9}, {"sm_80"}));
        QVERIFY(runsOn({8, 0}, {"sm_80"}));
        QVERIFY(!runsOn({8, 0}, {"sm_86"}));
        QVERIFY(!runsOn({9, 0}, {"sm_80", "sm_89"}));
        QVERIFY(runsOn({9, 0}, {"compute_80"}));
        QVERIFY(!runsOn({7, 5}, {"compute_80"}));
        QVERIFY(runsOn({9, 0}, {"sm_90a"}));
        QVERIFY(!runsOn({9, 1}, {"sm_90a"}));
        QVERIFY(runsOn({12, 1}, {"sm_120"}));
        QVERIFY(!runsOn({12, 1}, {"nonsense", "sm_", "xx_120"}));
        QCOMPARE(cudaText(12060), std::string("12.6"));
        QCOMPARE(ncclText(22809), std::string("2.28.9"));
    }

    void machineIsRead()
    {
        const QTemporaryDir folder;
        const auto write = [&](const char* path, const QByteArray& text) {
            QVERIFY(QDir().mkpath(QFileInfo(folder.filePath(QLatin1String(path))).path()));
            QFile file(folder.filePath(QLatin1String(path)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        qputenv("LOCKSTEP_NVML", "/nowhere/libnvidia-ml.so.1");
        const GpuSituation empty = gpuSituation(folder.path());
        QVERIFY(empty.pciDevices.empty() && empty.kernelModule.empty() && !empty.hasDeviceNodes && !empty.isWsl);
        QVERIFY(!empty.isContainer && !empty.hasNouveau && !empty.isMpsRunning && empty.nvcc.empty());
        QVERIFY(empty.failure && empty.failure->kind == Kind::NoLibrary);

        write("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
        write("sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n");
        write("sys/bus/pci/devices/0000:01:00.1/vendor", "0x10de\n"); // its sound
        write("sys/bus/pci/devices/0000:01:00.1/class", "0x040300\n");
        write("sys/bus/pci/devices/0000:00:02.0/vendor", "0x8086\n");
        write("sys/bus/pci/devices/0000:00:02.0/class", "0x030000\n");
        write("proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\nGCC version: 12\n");
        write("sys/module/nouveau/refcnt", "0\n");
        write("dev/nvidiactl", "");
        write("dev/nvidia0", "");
        write("dev/dxg", "");
        write(".dockerenv", "");
        write("proc/sys/kernel/osrelease", "5.15.90.1-Microsoft-standard-WSL2\n");
        write("proc/77/comm", "nvidia-cuda-mps\n");
        write("usr/local/cuda/bin/nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n");
        QVERIFY(::chmod(qPrintable(folder.filePath(QStringLiteral("usr/local/cuda/bin/nvcc"))), 0755) == 0);
        const GpuSituation now = gpuSituation(folder.path());
        qunsetenv("LOCKSTEP_NVML");
        QCOMPARE(now.pciDevices, std::vector<std::string>{"0000:01:00.0"});
        QCOMPARE(now.kernelModule, std::string("580.65.06"));
        QVERIFY(now.hasNouveau && now.hasDeviceNodes && now.hasWslGpu && now.isContainer && now.isWsl);
        QVERIFY(now.isMpsRunning);
        QCOMPARE(now.nvcc, std::string("13.0"));
    }

    /// In a container the daemon's pipe is there, and its process is not to be seen.
    void daemonIsHeardAtItsPipe()
    {
        const QTemporaryDir folder;
        QVERIFY(QDir().mkpath(folder.filePath(QStringLiteral("tmp/nvidia-mps"))));
        const QByteArray pipe = QFile::encodeName(folder.filePath(QStringLiteral("tmp/nvidia-mps/control")));
        QVERIFY(::mkfifo(pipe.constData(), 0600) == 0);
        QVERIFY(!gpuSituation(folder.path()).isMpsRunning); // left behind: no listener
        const int listener = ::open(pipe.constData(), O_RDONLY | O_NONBLOCK);
        QVERIFY(listener >= 0);
        QVERIFY(gpuSituation(folder.path()).isMpsRunning);
        ::close(listener);
    }

    void factsComeFromNvml()
    {
        const NvmlScript script(R"({"driver": "580.65.06", "cuda": 13000, "gpus": [
            {"name": "NVIDIA H200", "uuid": "GPU-a", "memory": 150754820096, "capability": [9, 0], "mig": false}]})");
        const QTemporaryDir folder;
        GpuSituation now = gpuSituation(folder.path());
        QVERIFY(!now.failure);
        now.flavour = allWell().flavour;
        const GpuVerdict verdict = gpuVerdict(now);
        QCOMPARE(verdict.state, std::string("ready"));
        const MachineFacts facts = machineFacts(now, verdict);
        QCOMPARE(facts.gpus.size(), std::size_t{1});
        QCOMPARE(facts.gpus[0], std::string("NVIDIA H200, 143771 MiB, driver 580.65.06"));
        QVERIFY(facts.gpuMessage.empty());
        const auto json = gpuJson(now, verdict);
        QCOMPARE(json["state"].get<std::string>(), std::string("ready"));
        QCOMPARE(json["driver_cuda"].get<std::string>(), std::string("13.0"));
        QCOMPARE(json["devices"][0]["compute_capability"].get<std::string>(), std::string("9.0"));
        QVERIFY(json["devices"][0]["mig"] == false);
        QVERIFY(json["devices"][0]["persistence"].is_null());
    }

    void rankReportIsRead()
    {
        const auto report = nlohmann::ordered_json::parse(R"({"libtorch": "2.11.0", "cuda": {"available": true,
            "version": 13000, "nccl": 22809, "architectures": ["sm_75", "sm_90"]}})");
        const CudaFlavour flavour = flavourOf(report);
        QVERIFY(flavour.isThere && flavour.works && flavour.canUseGpu);
        QCOMPARE(flavour.libtorch, std::string("2.11.0"));
        QCOMPARE(flavour.cuda, 13000);
        QCOMPARE(flavour.nccl, 22809);
        QCOMPARE(flavour.architectures, (std::vector<std::string>{"sm_75", "sm_90"}));
        QCOMPARE(flavourOf(nlohmann::ordered_json::parse(R"({"cuda": {"built": false}})")).cuda, 0);
    }
};

LOCKSTEP_TEST(TestGpuAdvice)
#include "test_gpu_advice.moc"
