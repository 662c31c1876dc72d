#include "launch/machine/gpu_situation.h"

#include "launch/machine/machine_facts.h"
#include "launch/monitor/mps_obstacle.h"
#include "launch/mps/mps_control.h"

#include <fmt/format.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr int NvccLimitMs = 5000;

[[nodiscard]] QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed() : QString();
}

/// Class 0x03 is a display device; a graphics card's sound is one of NVIDIA's too.
[[nodiscard]] std::vector<std::string> nvidiaDevices(const QString& root)
{
    std::vector<std::string> found;
    const QDir bus(root + u"/sys/bus/pci/devices"_s);
    for (const QString& address : bus.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (textOf(bus.filePath(address + u"/vendor"_s)) == u"0x10de"_s
            && textOf(bus.filePath(address + u"/class"_s)).startsWith(u"0x03"_s)) {
            found.push_back(address.toStdString());
        }
    }
    return found;
}

/// `580.65.06` of `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build`.
[[nodiscard]] std::string moduleVersion(const QString& root)
{
    static const QRegularExpression version(u"\\s(\\d+\\.\\d+(?:\\.\\d+)?)\\s"_s);
    const auto match = version.match(textOf(root + u"/proc/driver/nvidia/version"_s));
    if (match.hasMatch()) {
        return match.captured(1).toStdString();
    }
    return QFileInfo::exists(root + u"/sys/module/nvidia"_s)
        ? textOf(root + u"/sys/module/nvidia/version"_s).toStdString()
        : std::string();
}

[[nodiscard]] bool isContainer(const QString& root)
{
    static const QRegularExpression known(u"docker|kubepods|containerd|libpod|lxc"_s);
    return QFileInfo::exists(root + u"/.dockerenv"_s) || QFileInfo::exists(root + u"/run/.containerenv"_s)
        || known.match(textOf(root + u"/proc/1/cgroup"_s)).hasMatch();
}

/// The daemon's process, or a listener on its pipe: a container cannot see the process.
[[nodiscard]] bool isMpsRunning(const QString& root)
{
    const QDir processes(root + u"/proc"_s);
    for (const QString& pid : processes.entryList({u"[1-9]*"_s}, QDir::Dirs)) {
        // Both of its programs; the kernel cuts names after 15 characters.
        if (textOf(processes.filePath(pid + u"/comm"_s)) == u"nvidia-cuda-mps"_s) {
            return true;
        }
    }
    const QString folder = qEnvironmentVariable("CUDA_MPS_PIPE_DIRECTORY", MpsControl::CommonPipes);
    return MpsControl(root + folder).isListening();
}

[[nodiscard]] std::string nvccVersion(const QString& root)
{
    QString program = root.isEmpty() ? QStandardPaths::findExecutable(u"nvcc"_s) : QString();
    if (program.isEmpty()) {
        program = QStandardPaths::findExecutable(u"nvcc"_s, {root + u"/usr/local/cuda/bin"_s});
    }
    if (program.isEmpty()) {
        return {};
    }
    static const QRegularExpression release(u"release (\\d+\\.\\d+)"_s);
    const auto match = release.match(QString::fromStdString(outputOf(program, {u"--version"_s}, NvccLimitMs).out));
    return match.hasMatch() ? match.captured(1).toStdString() : std::string();
}

[[nodiscard]] Json gpusJson(const std::vector<GpuFacts>& gpus)
{
    Json list = Json::array();
    for (const GpuFacts& gpu : gpus) {
        Json slices = Json::array();
        for (const MigSlice& slice : gpu.slices) {
            slices.push_back({{"name", slice.name}, {"uuid", slice.uuid}, {"memory_bytes", slice.memoryBytes}});
        }
        Json entry{{"number", gpu.number}, {"name", gpu.name}, {"uuid", gpu.uuid}, {"memory_bytes", gpu.memoryBytes},
            {"compute_capability", nullptr}, {"mig", nullptr}, {"slices", slices}, {"persistence", nullptr},
            {"power_limit_w", nullptr}};
        if (gpu.capability) {
            entry["compute_capability"] = fmt::format("{}.{}", gpu.capability->major, gpu.capability->minor);
        }
        if (gpu.isMig) {
            entry["mig"] = *gpu.isMig;
        }
        if (gpu.isPersistent) {
            entry["persistence"] = *gpu.isPersistent;
        }
        if (gpu.powerLimitW) {
            entry["power_limit_w"] = *gpu.powerLimitW;
        }
        list.push_back(std::move(entry));
    }
    return list;
}

} // namespace

GpuSituation gpuSituation(const QString& root)
{
    GpuSituation now;
    now.pciDevices = nvidiaDevices(root);
    now.kernelModule = moduleVersion(root);
    now.hasNouveau = QFileInfo::exists(root + u"/sys/module/nouveau"_s);
    now.hasDeviceNodes = QFileInfo::exists(root + u"/dev/nvidiactl"_s)
        && !QDir(root + u"/dev"_s).entryList({u"nvidia[0-9]*"_s}, QDir::System | QDir::Files).isEmpty();
    now.isContainer = isContainer(root);
    now.isWsl = textOf(root + u"/proc/sys/kernel/osrelease"_s).contains(u"microsoft"_s, Qt::CaseInsensitive);
    now.hasWslGpu = QFileInfo::exists(root + u"/dev/dxg"_s);
    now.isMpsRunning = isMpsRunning(root);
    now.hasMpsProgram = !QStandardPaths::findExecutable(QLatin1StringView(MpsControlProgram)).isEmpty();
    now.nvcc = nvccVersion(root);
    if (qEnvironmentVariableIsSet("CUDA_VISIBLE_DEVICES")) {
        now.visibleDevices = qEnvironmentVariable("CUDA_VISIBLE_DEVICES").toStdString();
    }
    const OpenedNvml opened = Nvml::open();
    if (opened.nvml == nullptr) {
        now.failure = opened.failure;
    } else {
        now.driver = opened.nvml->driver();
        now.gpus = opened.nvml->gpus();
    }
    return now;
}

CudaFlavour flavourOf(const Json& report)
{
    CudaFlavour flavour;
    flavour.isThere = true;
    flavour.works = true;
    flavour.libtorch = report.value("libtorch", std::string("?"));
    const Json cuda = report.value("cuda", Json::object());
    flavour.cuda = cuda.value("version", 0);
    flavour.nccl = cuda.value("nccl", 0);
    flavour.architectures = cuda.value("architectures", std::vector<std::string>());
    flavour.canUseGpu = cuda.value("available", false);
    return flavour;
}

Json gpuJson(const GpuSituation& situation, const GpuVerdict& verdict)
{
    Json lines = Json::array();
    for (const GpuVerdict::Line& line : verdict.lines) {
        lines.push_back({{"topic", line.topic.english}, {"text", line.text.english}});
    }
    Json json{{"state", verdict.state}, {"summary", verdict.summary.english}, {"pci_devices", situation.pciDevices},
        {"driver", situation.driver.version}, {"driver_cuda", nullptr}, {"kernel_module", situation.kernelModule},
        {"nouveau", situation.hasNouveau}, {"device_nodes", situation.hasDeviceNodes},
        {"container", situation.isContainer}, {"wsl", situation.isWsl}, {"mps", situation.isMpsRunning},
        {"nvcc", situation.nvcc}, {"nvml", situation.failure ? situation.failure->message.english : "answers"},
        {"devices", gpusJson(situation.gpus)}, {"lines", lines}};
    const Text obstacle = mpsObstacle({situation.hasMpsProgram, situation.isWsl, situation.gpus});
    json["mps_obstacle"] = obstacle.empty() ? Json() : Json(obstacle.english);
    if (situation.driver.cuda > 0) {
        json["driver_cuda"] = cudaText(situation.driver.cuda);
    }
    return json;
}

} // namespace lockstep::launch
