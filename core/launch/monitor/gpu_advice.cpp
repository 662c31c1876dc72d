#include "launch/monitor/gpu_advice.h"

#include "base/translate.h"
#include "launch/monitor/gpu_architectures.h"
#include "launch/monitor/mps_obstacle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::launch {

namespace {

using Kind = NvmlFailure::Kind;

/// The oldest driver that runs any release of a CUDA version (NVIDIA, "CUDA Compatibility", minor version
/// compatibility).
struct OldestDriver {
    int cudaMajor;
    int driver;
};
constexpr std::array OldestDrivers{OldestDriver{13, 580}, OldestDriver{12, 525}, OldestDriver{11, 450}};
constexpr int SeveralRanksOfNccl = 23000;

const char* const InstallDriver = LS_TR("Messages",
    "Install NVIDIA's driver and restart: on Ubuntu `sudo ubuntu-drivers install`; on Debian add `contrib non-free "
    "non-free-firmware` to the sources, then `sudo apt install linux-headers-amd64 nvidia-driver`. Afterwards "
    "`nvidia-smi` must list the GPU.");

std::optional<int> oldestDriverFor(int cuda)
{
    const auto found = std::find_if(OldestDrivers.begin(), OldestDrivers.end(),
        [cuda](const OldestDriver& each) { return each.cudaMajor == cuda / 1000; });
    return found == OldestDrivers.end() ? std::nullopt : std::optional(found->driver);
}

Text gibibytes(std::int64_t bytes)
{
    const std::int64_t tenths = bytes / ((std::int64_t{1} << 30) / 10);
    return verbatim(fmt::format("{}.{} GiB", tenths / 10, tenths % 10));
}

class Judge {
public:
    explicit Judge(const GpuSituation& situation)
        : m_now(situation)
    { }

    GpuVerdict verdict()
    {
        if (m_now.failure || m_now.gpus.empty()) {
            judgeMissing();
        } else {
            describeDriver();
            describeGpus();
            judgeFlavour();
            describeSharing();
        }
        describeToolkit();
        if (m_verdict.state.empty()) {
            m_verdict.state = "ready";
            m_verdict.summary = LS_TR("Messages", "GPU runs are possible here");
        }
        return std::move(m_verdict);
    }

private:
    /// The first state counts; later ones still add their advice.
    void stop(const char* state, const Text& summary, const Text& advice = {})
    {
        if (m_verdict.state.empty()) {
            m_verdict.state = state;
            m_verdict.summary = summary;
        }
        if (!advice.empty()) {
            m_verdict.advice.push_back(advice);
        }
    }
    void line(const Text& topic, const Text& text) { m_verdict.lines.push_back({topic, text}); }

    void judgeMissing();
    void judgeWsl();
    void judgeDriver();
    void judgeMissingLibrary();
    void judgeNotLoaded();
    void judgeContainer();
    void describeDriver();
    void describeGpus();
    void judgeFlavour();
    void judgeVersions();
    void judgeArchitectures();
    void describeNccl();
    void describeSharing();
    void describeToolkit();

    const GpuSituation& m_now;
    GpuVerdict m_verdict;
};

/// Why there is no usable GPU.
void Judge::judgeMissing()
{
    const bool seesNothing = m_now.pciDevices.empty() && m_now.kernelModule.empty() && !m_now.hasDeviceNodes;
    if (m_now.isWsl) {
        judgeWsl();
    } else if (seesNothing) {
        stop("no_gpu",
            m_now.isContainer
                ? LS_TR("Messages", "this machine has no NVIDIA GPU, or this container cannot see it; runs use the CPU")
                : LS_TR("Messages", "this machine has no NVIDIA GPU; runs use the CPU"));
        line(LS_TR("Messages", "hardware"),
            LS_TR("Messages",
                "no NVIDIA device on the PCI bus (in a virtual machine it would have to be passed through)"));
    } else {
        line(LS_TR("Messages", "hardware"),
            m_now.pciDevices.empty()
                ? Text(LS_TR("Messages", "the PCI bus cannot be seen from here, but NVIDIA's driver is loaded"))
                : Text(LS_TR("Messages", "NVIDIA device on the PCI bus at %1"), {verbatim(listed(m_now.pciDevices))}));
        if (m_now.isContainer && !m_now.hasDeviceNodes) {
            judgeContainer();
        } else {
            judgeDriver();
        }
    }
    if (m_now.failure && !seesNothing) {
        line(LS_TR("Messages", "driver"), m_now.failure->message);
    }
}

void Judge::judgeWsl()
{
    line(LS_TR("Messages", "hardware"),
        m_now.hasWslGpu ? LS_TR("Messages", "WSL with a GPU of Windows (/dev/dxg)")
                        : LS_TR("Messages", "WSL without a GPU of Windows: /dev/dxg is missing"));
    if (m_now.hasWslGpu) {
        stop("no_driver",
            LS_TR("Messages", "WSL sees the GPU of Windows, but its NVIDIA driver does not answer; runs use the CPU"),
            LS_TR("Messages",
                "Install NVIDIA's current driver in Windows, not in WSL: a Linux driver inside WSL would conflict with "
                "it. Then run `wsl --shutdown` in Windows and start WSL again."));
    } else {
        stop("no_wsl_gpu", LS_TR("Messages", "WSL sees no GPU; runs use the CPU"),
            LS_TR("Messages",
                "If this computer has an NVIDIA GPU: it needs WSL 2 (`wsl -l -v` says which; `wsl --update`), Windows "
                "11 or 10 21H2, and NVIDIA's driver in Windows."));
    }
}

void Judge::judgeContainer()
{
    stop("hidden_from_container",
        LS_TR("Messages", "the machine has an NVIDIA GPU, but this container was started without it; runs use the CPU"),
        LS_TR("Messages",
            "Start the container with its GPUs: `docker run --gpus all ...` or `podman run --device nvidia.com/gpu=all "
            "...`, with NVIDIA's Container Toolkit installed on the host."));
}

/// The kernel may have the driver, but its libraries are not here.
void Judge::judgeMissingLibrary()
{
    if (m_now.isContainer) {
        stop("no_driver",
            LS_TR("Messages",
                "this container has the GPU's device nodes but not the driver's libraries; runs use the CPU"),
            LS_TR("Messages",
                "Start the container with `--gpus all` and NVIDIA_DRIVER_CAPABILITIES=compute,utility, so that "
                "NVIDIA's Container Toolkit brings the libraries of the host's driver in."));
    } else if (!m_now.kernelModule.empty()) {
        stop("no_driver",
            LS_TR("Messages",
                "the NVIDIA driver's kernel module is loaded, but its libraries are missing; runs use the CPU"),
            Text(LS_TR("Messages",
                     "Install the libraries of driver %1: on Debian `sudo apt install libcuda1 libnvidia-ml1`, on "
                     "Ubuntu the packages libnvidia-compute-VERSION and nvidia-utils-VERSION."),
                {verbatim(m_now.kernelModule)}));
    } else {
        stop("no_driver", LS_TR("Messages", "there is an NVIDIA GPU but no driver for it; runs use the CPU"),
            InstallDriver);
    }
}

void Judge::judgeNotLoaded()
{
    if (!m_now.kernelModule.empty() && !m_now.hasDeviceNodes) {
        stop("no_device_nodes",
            LS_TR("Messages",
                "the NVIDIA driver is loaded, but its device nodes /dev/nvidia* are missing; runs use the CPU"),
            LS_TR("Messages", "Run `sudo nvidia-modprobe -u -c 0`, or `sudo nvidia-smi` once, to create them."));
    } else {
        stop("not_loaded", LS_TR("Messages", "the NVIDIA driver is installed but not loaded; runs use the CPU"),
            LS_TR("Messages",
                "Restart the machine after installing the driver, or run `sudo modprobe nvidia`. If that fails, `sudo "
                "dmesg` says why: often Secure Boot refuses a module that is not signed (enrol its key or switch "
                "Secure Boot off), or the kernel's headers were missing when it was built."));
    }
}

void Judge::judgeDriver()
{
    const Kind kind = m_now.failure ? m_now.failure->kind : Kind::NoGpu;
    if (m_now.hasNouveau && m_now.kernelModule.empty()) {
        stop("nouveau",
            LS_TR("Messages", "the nouveau driver holds the GPU, and CUDA does not run on it; runs use the CPU"),
            InstallDriver);
        return;
    }
    switch (kind) {
    case Kind::NoLibrary:
        judgeMissingLibrary();
        break;
    case Kind::NotLoaded:
        judgeNotLoaded();
        break;
    case Kind::Mismatch:
        stop("mismatch",
            LS_TR("Messages", "NVIDIA's libraries and its kernel module are of different versions; runs use the CPU"),
            m_now.isContainer
                ? LS_TR("Messages", "Start the container again: the host's driver was updated while it ran.")
                : LS_TR("Messages", "Restart the machine: the driver was updated, and the old one is still loaded."));
        break;
    case Kind::NoPermission:
        stop("no_permission", LS_TR("Messages", "this user may not open the GPU's device nodes; runs use the CPU"),
            m_now.isContainer
                ? LS_TR("Messages",
                    "Start the container with `--gpus all`: it has the nodes but not the right to open them.")
                : LS_TR("Messages",
                    "Let this user open /dev/nvidia*: `sudo usermod -aG video,render $USER`, then log in again."));
        break;
    case Kind::NoGpu:
        stop("no_gpu", LS_TR("Messages", "the NVIDIA driver runs but has no GPU that it can use; runs use the CPU"),
            LS_TR("Messages",
                "`sudo dmesg | grep -i nvrm` shows what the driver reports about the GPU: often it is too old for this "
                "driver, or has fallen off the bus and needs a restart."));
        break;
    case Kind::Unusable:
    case Kind::Other:
        stop("unusable_driver", LS_TR("Messages", "the NVIDIA driver does not answer; runs use the CPU"),
            LS_TR("Messages",
                "`nvidia-smi` and `sudo dmesg | grep -i nvrm` say more. Restarting, or reinstalling the driver, helps "
                "most often."));
        break;
    }
}

void Judge::describeDriver()
{
    const Text version
        = m_now.driver.version.empty() ? LS_TR("Messages", "of unknown version") : verbatim(m_now.driver.version);
    line(LS_TR("Messages", "driver"),
        m_now.driver.cuda > 0 ? Text(
            LS_TR("Messages", "%1, runs programs up to CUDA %2"), {version, verbatim(cudaText(m_now.driver.cuda))})
                              : version);
    if (m_now.isWsl) {
        line(verbatim("WSL"),
            LS_TR("Messages",
                "the driver is that of Windows; it reports less than a Linux driver, and missing figures are left "
                "out"));
    }
}

void Judge::describeGpus()
{
    for (const GpuFacts& gpu : m_now.gpus) {
        Text text(LS_TR("Messages", "%1, %2"), {verbatim(gpu.name), gibibytes(gpu.memoryBytes)});
        if (gpu.capability) {
            text = Text(LS_TR("Messages", "%1, compute capability %2"),
                {text, verbatim(fmt::format("{}.{}", gpu.capability->major, gpu.capability->minor))});
        }
        if (gpu.isMig.value_or(false)) {
            text = gpu.slices.size() == 1
                ? Text(LS_TR("Messages", "%1, MIG: cut into 1 slice"), {text})
                : Text(LS_TR("Messages", "%1, MIG: cut into %2 slices"), {text, gpu.slices.size()});
        }
        if (!gpu.isPersistent.value_or(true) && !m_now.isWsl) {
            text = Text(LS_TR("Messages",
                            "%1, persistence off (each first use wakes the driver, which takes a second; `sudo "
                            "nvidia-smi -pm 1`)"),
                {text});
        }
        line(verbatim(fmt::format("GPU {}", gpu.number)), text);
        for (const MigSlice& slice : gpu.slices) {
            line(LS_TR("Messages", "slice"),
                Text(LS_TR("Messages", "%1, %2"), {verbatim(slice.name), gibibytes(slice.memoryBytes)}));
        }
        if (gpu.isMig.value_or(false) && gpu.slices.empty()) {
            m_verdict.advice.push_back(
                Text(LS_TR("Messages",
                         "GPU %1 is in MIG mode and has no slices, so nothing runs on it: create some (`sudo "
                         "nvidia-smi mig -cgi 0 -C`), or switch MIG off (`sudo nvidia-smi -mig 0`)."),
                    {gpu.number}));
        }
    }
}

/// The rank program with CUDA, against driver and GPUs.
void Judge::judgeFlavour()
{
    if (m_now.visibleDevices && (m_now.visibleDevices->empty() || *m_now.visibleDevices == "-1")) {
        stop("hidden_by_variable", LS_TR("Messages", "CUDA_VISIBLE_DEVICES hides every GPU; runs use the CPU"),
            LS_TR(
                "Messages", "Unset CUDA_VISIBLE_DEVICES, or set it to the numbers of the GPUs to use, for example 0."));
    }
    const CudaFlavour& flavour = m_now.flavour;
    if (!flavour.isThere) {
        stop("no_cuda_rank", LS_TR("Messages", "there is a GPU, but no rank program that uses it; runs use the CPU"),
            Text(LS_TR("Messages", "Install the rank program for GPUs: %1."), {flavour.message}));
        return;
    }
    if (!flavour.works || flavour.cuda == 0) {
        stop("no_cuda_rank", LS_TR("Messages", "the rank program for GPUs does not work; runs use the CPU"),
            Text(flavour.isBuiltHere
                    ? LS_TR(
                        "Messages", "The rank program for GPUs does not work (%1): build it again with `./run --cuda`.")
                    : LS_TR("Messages",
                        "The rank program for GPUs does not work (%1): install what it needs, or its package again."),
                {flavour.works ? LS_TR("Messages", "its LibTorch was built without CUDA") : flavour.message}));
        return;
    }
    std::vector<Text> built{
        verbatim(flavour.libtorch), verbatim(cudaText(flavour.cuda)), verbatim(listed(flavour.architectures))};
    line(verbatim("LibTorch"),
        Text(flavour.architectures.empty() ? LS_TR("Messages", "%1, built with CUDA %2")
                                           : LS_TR("Messages", "%1, built with CUDA %2, for %3"),
            std::move(built)));
    judgeVersions();
    judgeArchitectures();
    describeNccl();
    if (!flavour.canUseGpu) {
        const bool isExplained = !m_verdict.state.empty();
        stop("not_usable", LS_TR("Messages", "LibTorch cannot use the GPU; runs use the CPU"),
            isExplained ? Text()
                        : Text(LS_TR("Messages",
                            "Driver, GPU and LibTorch fit together, and yet LibTorch finds no GPU: `nvidia-smi` shows "
                            "whether the GPU is healthy, and /dev/nvidia-uvm must exist (`sudo nvidia-modprobe -u -c "
                            "0` creates it).")));
    }
}

void Judge::judgeVersions()
{
    const int needs = m_now.flavour.cuda;
    const auto oldest = oldestDriverFor(needs);
    const auto driver = numberAtFront(m_now.driver.version);
    // Under WSL the version is that of a Windows driver, numbered differently; all report their CUDA version.
    const bool isTooOld
        = m_now.driver.cuda > 0 ? m_now.driver.cuda / 1000 < needs / 1000 : oldest && driver && *driver < *oldest;
    if (isTooOld) {
        const Text needed = oldest ? Text(LS_TR("Messages", "driver %1 or newer"), {*oldest})
                                   : Text(LS_TR("Messages", "a newer driver"));
        std::vector<Text> facts{verbatim(cudaText(needs)), needed, verbatim(m_now.driver.version),
            verbatim(cudaText(m_now.driver.cuda)), m_now.driver.cuda / 1000};
        const char* const advice = m_now.driver.cuda == 0
            ? (m_now.isWsl ? LS_TR("Messages",
                   "LibTorch was built with CUDA %1, which needs %2; here is %3: install a newer driver in Windows.")
                           : LS_TR("Messages",
                               "LibTorch was built with CUDA %1, which needs %2; here is %3: install a newer driver."))
            : m_now.isWsl ? LS_TR("Messages",
                  "LibTorch was built with CUDA %1, which needs %2; here is %3, for CUDA up to %4: install a newer "
                  "driver in Windows, or build against a LibTorch for CUDA %5.")
                          : LS_TR("Messages",
                              "LibTorch was built with CUDA %1, which needs %2; here is %3, for CUDA up to %4: install "
                              "a newer driver, or build against a LibTorch for CUDA %5.");
        stop("driver_too_old", LS_TR("Messages", "the NVIDIA driver is too old for this LibTorch; runs use the CPU"),
            Text(advice, std::move(facts)));
    } else if (m_now.driver.cuda > 0 && m_now.driver.cuda < needs) {
        line(LS_TR("Messages", "fits"),
            Text(LS_TR("Messages",
                     "the driver is for CUDA %1, LibTorch for %2: of one major version, so they work together (code "
                     "compiled at start needs a driver as new as its compiler)"),
                {verbatim(cudaText(m_now.driver.cuda)), verbatim(cudaText(needs))}));
    } else if (m_now.driver.cuda > 0) {
        line(LS_TR("Messages", "fits"),
            Text(LS_TR("Messages", "the driver runs CUDA %1 and everything older"), {verbatim(cudaText(needs))}));
    }
}

void Judge::judgeArchitectures()
{
    const auto& built = m_now.flavour.architectures;
    for (const GpuFacts& gpu : m_now.gpus) {
        if (built.empty() || !gpu.capability || runsOn(*gpu.capability, built)) {
            continue;
        }
        const std::string has = fmt::format("{}.{}", gpu.capability->major, gpu.capability->minor);
        const bool isOlder = isOlderThanAll(*gpu.capability, built);
        stop("wrong_architecture", LS_TR("Messages", "LibTorch has no code for this GPU; runs use the CPU"),
            Text(isOlder ? LS_TR("Messages",
                     "GPU %1, %2, has compute capability %3; LibTorch has code for %4 alone. The GPU is too old for "
                     "this LibTorch: an earlier release, or one for an earlier CUDA, may still have its code.")
                         : LS_TR("Messages",
                             "GPU %1, %2, has compute capability %3; LibTorch has code for %4 alone. The GPU is newer "
                             "than this LibTorch: use a later release."),
                {gpu.number, verbatim(gpu.name), verbatim(has), verbatim(listed(built))}));
    }
}

void Judge::describeNccl()
{
    const int version = m_now.flavour.nccl;
    if (version == 0) {
        line(verbatim("NCCL"), LS_TR("Messages", "not linked: several GPUs are joined by shm and gloo"));
    } else if (version >= SeveralRanksOfNccl) {
        line(verbatim("NCCL"),
            Text(LS_TR("Messages",
                     "%1: one rank per GPU; several with NCCL_MULTI_RANK_GPU_ENABLE=1, which is experimental"),
                {verbatim(ncclText(version))}));
    } else {
        line(verbatim("NCCL"),
            Text(LS_TR("Messages",
                     "%1: one rank per GPU; several ranks on one GPU use shm (2.30 and later support them "
                     "experimentally)"),
                {verbatim(ncclText(version))}));
    }
}

/// What ranks that share a GPU can use.
void Judge::describeSharing()
{
    const bool isMig = std::any_of(
        m_now.gpus.begin(), m_now.gpus.end(), [](const GpuFacts& gpu) { return gpu.isMig.value_or(false); });
    const char* ipc = LS_TR("Messages", "possible between ranks of one run (backend shm)");
    if (isMig) {
        ipc = LS_TR("Messages", "not between MIG slices: ranks on different slices use gloo");
    } else if (m_now.isWsl) {
        ipc = LS_TR("Messages", "depends on Windows' driver under WSL; where it is missing, ranks use gloo");
    } else if (m_now.isContainer) {
        ipc = LS_TR("Messages",
            "possible between ranks of one run (backend shm); ranks in separate containers need --ipc=host and "
            "--pid=host");
    }
    line(verbatim("CUDA IPC"), ipc);
    const Text obstacle = mpsObstacle({m_now.hasMpsProgram, m_now.isWsl, m_now.gpus});
    line(verbatim("MPS"),
        m_now.isMpsRunning ? Text(LS_TR("Messages", "runs: kernels of ranks that share a GPU can run at the same time"))
            : obstacle.empty()
            ? Text(LS_TR("Messages", "does not run yet: a run whose ranks share a GPU starts it (device.mps)"))
            : Text(LS_TR("Messages", "cannot run, so ranks that share a GPU take turns: %1"), {obstacle}));
}

void Judge::describeToolkit()
{
    const bool isNeeded = !m_now.gpus.empty();
    if (!m_now.nvcc.empty()) {
        line(verbatim("nvcc"), verbatim(m_now.nvcc));
    } else if (isNeeded) {
        line(verbatim("nvcc"),
            LS_TR("Messages", "not found, and not needed to run: LibTorch includes CUDA's libraries"));
    }
}

} // namespace

std::string cudaText(int version)
{
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string ncclText(int version)
{
    return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

GpuVerdict gpuVerdict(const GpuSituation& situation)
{
    return Judge(situation).verdict();
}

} // namespace lockstep::launch
