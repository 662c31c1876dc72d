#include "session/monitor/gpu_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lockstep::session {

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

const char* const InstallDriver
    = "Install NVIDIA's driver and restart: on Ubuntu `sudo ubuntu-drivers install`; on Debian add `contrib non-free "
      "non-free-firmware` to the sources, then `sudo apt install linux-headers-amd64 nvidia-driver`. Afterwards "
      "`nvidia-smi` must list the GPU.";

std::optional<int> numberAtFront(std::string_view text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

std::optional<int> oldestDriverFor(int cuda)
{
    const auto found = std::find_if(OldestDrivers.begin(), OldestDrivers.end(),
        [cuda](const OldestDriver& each) { return each.cudaMajor == cuda / 1000; });
    return found == OldestDrivers.end() ? std::nullopt : std::optional(found->driver);
}

std::string joined(const std::vector<std::string>& list)
{
    std::string text;
    for (const std::string& each : list) {
        text += (text.empty() ? "" : ", ") + each;
    }
    return text;
}

std::string gibibytes(std::int64_t bytes)
{
    const std::int64_t tenths = bytes / ((std::int64_t{1} << 30) / 10);
    return fmt::format("{}.{} GiB", tenths / 10, tenths % 10);
}

/// An architecture's number, `90` of `sm_90`, and whether it is of one GPU alone, as `sm_90a` is.
struct Architecture {
    ComputeCapability version;
    bool isIntermediate = false;
    bool isOfOne = false;
};

std::optional<Architecture> architectureOf(std::string_view text)
{
    const bool isIntermediate = text.starts_with("compute_");
    const auto start = text.find('_');
    if (start == std::string_view::npos || (!isIntermediate && !text.starts_with("sm_"))) {
        return std::nullopt;
    }
    const auto number = numberAtFront(text.substr(start + 1));
    const char last = text.back();
    return number
        ? std::optional(Architecture{{*number / 10, *number % 10}, isIntermediate, last == 'a' || last == 'f'})
        : std::nullopt;
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
            tellDriver();
            tellGpus();
            judgeFlavour();
            tellSharing();
        }
        tellToolkit();
        if (m_verdict.state.empty()) {
            m_verdict.state = "ready";
            m_verdict.summary = "GPU runs are possible here";
        }
        return std::move(m_verdict);
    }

private:
    /// The first state counts; later ones still add their advice.
    void stop(const char* state, const std::string& summary, const std::string& advice = {})
    {
        if (m_verdict.state.empty()) {
            m_verdict.state = state;
            m_verdict.summary = summary;
        }
        if (!advice.empty()) {
            m_verdict.advice.push_back(advice);
        }
    }
    void line(const std::string& topic, const std::string& text) { m_verdict.lines.push_back({topic, text}); }

    void judgeMissing();
    void judgeWsl();
    void judgeDriver();
    void judgeMissingLibrary();
    void judgeNotLoaded();
    void judgeContainer();
    void tellDriver();
    void tellGpus();
    void judgeFlavour();
    void judgeVersions();
    void judgeArchitectures();
    void tellNccl();
    void tellSharing();
    void tellToolkit();

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
            std::string("this machine has no NVIDIA GPU")
                + (m_now.isContainer ? ", or this container cannot see it" : "") + "; runs use the CPU");
        line("hardware", "no NVIDIA device on the PCI bus (in a virtual machine it would have to be passed through)");
    } else {
        line("hardware",
            m_now.pciDevices.empty() ? "the PCI bus cannot be seen from here, but NVIDIA's driver is loaded"
                                     : "NVIDIA device on the PCI bus at " + joined(m_now.pciDevices));
        if (m_now.isContainer && !m_now.hasDeviceNodes) {
            judgeContainer();
        } else {
            judgeDriver();
        }
    }
    if (m_now.failure && !seesNothing) {
        line("driver", m_now.failure->message);
    }
}

void Judge::judgeWsl()
{
    line("hardware",
        m_now.hasWslGpu ? "WSL with a GPU of Windows (/dev/dxg)" : "WSL without a GPU of Windows: /dev/dxg is missing");
    if (m_now.hasWslGpu) {
        stop("no_driver", "WSL sees the GPU of Windows, but its NVIDIA driver does not answer; runs use the CPU",
            "Install NVIDIA's current driver in Windows, not in WSL: a Linux driver inside WSL would conflict with it. "
            "Then "
            "run `wsl --shutdown` in Windows and start WSL again.");
    } else {
        stop("no_wsl_gpu", "WSL sees no GPU; runs use the CPU",
            "If this computer has an NVIDIA GPU: it needs WSL 2 (`wsl -l -v` says which; `wsl --update`), Windows 11 "
            "or "
            "10 21H2, and NVIDIA's driver in Windows.");
    }
}

void Judge::judgeContainer()
{
    stop("hidden_from_container",
        "the machine has an NVIDIA GPU, but this container was started without it; runs use the CPU",
        "Start the container with its GPUs: `docker run --gpus all ...` or `podman run --device nvidia.com/gpu=all "
        "...`, "
        "with NVIDIA's Container Toolkit installed on the host.");
}

/// The kernel may have the driver, but its libraries are not here.
void Judge::judgeMissingLibrary()
{
    if (m_now.isContainer) {
        stop("no_driver", "this container has the GPU's device nodes but not the driver's libraries; runs use the CPU",
            "Start the container with `--gpus all` and NVIDIA_DRIVER_CAPABILITIES=compute,utility, so that "
            "NVIDIA's Container Toolkit brings the libraries of the host's driver in.");
    } else if (!m_now.kernelModule.empty()) {
        stop("no_driver",
            "the NVIDIA driver's kernel module is loaded, but its libraries are missing; runs use the CPU",
            "Install the libraries of driver " + m_now.kernelModule
                + ": on Debian `sudo apt install libcuda1 libnvidia-ml1`, on Ubuntu the packages libnvidia-compute-"
                  "VERSION and nvidia-utils-VERSION.");
    } else {
        stop("no_driver", "there is an NVIDIA GPU but no driver for it; runs use the CPU", InstallDriver);
    }
}

void Judge::judgeNotLoaded()
{
    if (!m_now.kernelModule.empty() && !m_now.hasDeviceNodes) {
        stop("no_device_nodes",
            "the NVIDIA driver is loaded, but its device nodes /dev/nvidia* are missing; runs use the CPU",
            "Run `sudo nvidia-modprobe -u -c 0`, or `sudo nvidia-smi` once, to create them.");
    } else {
        stop("not_loaded", "the NVIDIA driver is installed but not loaded; runs use the CPU",
            "Restart the machine after installing the driver, or run `sudo modprobe nvidia`. If that fails, `sudo "
            "dmesg` says why: often Secure Boot refuses a module that is not signed (enrol its key or switch Secure "
            "Boot off), or the kernel's headers were missing when it was built.");
    }
}

void Judge::judgeDriver()
{
    const Kind kind = m_now.failure ? m_now.failure->kind : Kind::NoGpu;
    if (m_now.hasNouveau && m_now.kernelModule.empty()) {
        stop("nouveau", "the nouveau driver holds the GPU, and CUDA does not run on it; runs use the CPU",
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
        stop("mismatch", "NVIDIA's libraries and its kernel module are of different versions; runs use the CPU",
            m_now.isContainer ? "Start the container again: the host's driver was updated while it ran."
                              : "Restart the machine: the driver was updated, and the old one is still loaded.");
        break;
    case Kind::NoPermission:
        stop("no_permission", "this user may not open the GPU's device nodes; runs use the CPU",
            m_now.isContainer
                ? "Start the container with `--gpus all`: it has the nodes but not the right to open them."
                : "Let this user open /dev/nvidia*: `sudo usermod -aG video,render $USER`, then log in again.");
        break;
    case Kind::NoGpu:
        stop("no_gpu", "the NVIDIA driver runs but has no GPU that it can use; runs use the CPU",
            "`sudo dmesg | grep -i nvrm` shows what the driver reports about the GPU: often it is too old for this "
            "driver, "
            "or has "
            "fallen off the bus and needs a restart.");
        break;
    case Kind::Unusable:
    case Kind::Other:
        stop("unusable_driver", "the NVIDIA driver does not answer; runs use the CPU",
            "`nvidia-smi` and `sudo dmesg | grep -i nvrm` say more. Restarting, or reinstalling the driver, helps "
            "most "
            "often.");
        break;
    }
}

void Judge::tellDriver()
{
    line("driver",
        (m_now.driver.version.empty() ? std::string("of unknown version") : m_now.driver.version)
            + (m_now.driver.cuda > 0 ? ", runs programs up to CUDA " + cudaText(m_now.driver.cuda) : ""));
    if (m_now.isWsl) {
        line("WSL",
            "the driver is that of Windows; it reports less than a Linux driver, and missing figures are left out");
    }
}

void Judge::tellGpus()
{
    for (const GpuFacts& gpu : m_now.gpus) {
        std::string text = gpu.name + ", " + gibibytes(gpu.memoryBytes);
        if (gpu.capability) {
            text += fmt::format(", compute capability {}.{}", gpu.capability->major, gpu.capability->minor);
        }
        if (gpu.isMig.value_or(false)) {
            text += fmt::format(
                ", MIG: cut into {}{}", gpu.slices.size(), gpu.slices.size() == 1 ? " slice" : " slices");
        }
        if (!gpu.isPersistent.value_or(true) && !m_now.isWsl) {
            text
                += ", persistence off (each first use wakes the driver, which takes a second; `sudo nvidia-smi -pm 1`)";
        }
        line(fmt::format("GPU {}", gpu.number), text);
        for (const MigSlice& slice : gpu.slices) {
            line("slice", slice.name + ", " + gibibytes(slice.memoryBytes));
        }
        if (gpu.isMig.value_or(false) && gpu.slices.empty()) {
            m_verdict.advice.push_back(
                fmt::format("GPU {} is in MIG mode and has no slices, so nothing runs on it: create some (`sudo "
                            "nvidia-smi mig -cgi 0 -C`), or switch MIG off (`sudo nvidia-smi -mig 0`).",
                    gpu.number));
        }
    }
}

/// The rank program with CUDA, against driver and GPUs.
void Judge::judgeFlavour()
{
    if (m_now.visibleDevices && (m_now.visibleDevices->empty() || *m_now.visibleDevices == "-1")) {
        stop("hidden_by_variable", "CUDA_VISIBLE_DEVICES hides every GPU; runs use the CPU",
            "Unset CUDA_VISIBLE_DEVICES, or set it to the numbers of the GPUs to use, for example 0.");
    }
    const CudaFlavour& flavour = m_now.flavour;
    if (!flavour.isThere) {
        stop("no_cuda_rank", "there is a GPU, but no rank program that uses it; runs use the CPU",
            "Build the rank program for GPUs: `./run --cuda` fetches LibTorch for CUDA (some GB) and builds it.");
        return;
    }
    if (!flavour.works || flavour.cuda == 0) {
        stop("no_cuda_rank", "the rank program for GPUs does not work; runs use the CPU",
            "The rank program for GPUs does not work ("
                + (flavour.works ? "its LibTorch was built without CUDA" : flavour.message)
                + "): build it again with `./run --cuda`.");
        return;
    }
    line("LibTorch",
        flavour.libtorch + ", built with CUDA " + cudaText(flavour.cuda)
            + (flavour.architectures.empty() ? "" : ", for " + joined(flavour.architectures)));
    judgeVersions();
    judgeArchitectures();
    tellNccl();
    if (!flavour.canUseGpu) {
        const bool isExplained = !m_verdict.state.empty();
        stop("not_usable", "LibTorch cannot use the GPU; runs use the CPU",
            isExplained
                ? ""
                : "Driver, GPU and LibTorch fit together, and yet LibTorch finds no GPU: `nvidia-smi` shows whether "
                  "the GPU is healthy, and /dev/nvidia-uvm must exist (`sudo nvidia-modprobe -u -c 0` creates it).");
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
        const std::string fitting = m_now.driver.cuda > 0
            ? fmt::format(", or build against a LibTorch for CUDA {}", m_now.driver.cuda / 1000)
            : std::string();
        stop("driver_too_old", "the NVIDIA driver is too old for this LibTorch; runs use the CPU",
            "LibTorch was built with CUDA " + cudaText(needs) + ", which needs "
                + (oldest ? fmt::format("driver {} or newer", *oldest) : std::string("a newer driver")) + "; here is "
                + m_now.driver.version
                + (m_now.driver.cuda > 0 ? ", for CUDA up to " + cudaText(m_now.driver.cuda) : "")
                + ": install a newer driver" + (m_now.isWsl ? " in Windows" : "") + fitting + ".");
    } else if (m_now.driver.cuda > 0 && m_now.driver.cuda < needs) {
        line("fits",
            "the driver is for CUDA " + cudaText(m_now.driver.cuda) + ", LibTorch for " + cudaText(needs)
                + ": of one major version, so they work together (code compiled at start needs a driver as new as its "
                  "compiler)");
    } else if (m_now.driver.cuda > 0) {
        line("fits", "the driver runs CUDA " + cudaText(needs) + " and everything older");
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
        const bool isOlder = std::none_of(built.begin(), built.end(), [&](const std::string& each) {
            const auto architecture = architectureOf(each);
            return architecture && architecture->version <= *gpu.capability;
        });
        stop("wrong_architecture", "LibTorch has no code for this GPU; runs use the CPU",
            fmt::format("GPU {}, {}, has compute capability {}; LibTorch has code for {} alone. {}", gpu.number,
                gpu.name, has, joined(built),
                isOlder ? "The GPU is too old for this LibTorch: an earlier release, or one for an earlier CUDA, "
                          "may still "
                          "have its code."
                        : "The GPU is newer than this LibTorch: use a later release."));
    }
}

void Judge::tellNccl()
{
    const int version = m_now.flavour.nccl;
    if (version == 0) {
        line("NCCL", "not linked: several GPUs are joined by shm and gloo");
    } else if (version >= SeveralRanksOfNccl) {
        line("NCCL",
            ncclText(version) + ": one rank per GPU; several with NCCL_MULTI_RANK_GPU_ENABLE=1, which is experimental");
    } else {
        line("NCCL",
            ncclText(version)
                + ": one rank per GPU; several ranks on one GPU use shm (2.30 and later support them experimentally)");
    }
}

/// What ranks that share a GPU can use.
void Judge::tellSharing()
{
    const bool isMig = std::any_of(
        m_now.gpus.begin(), m_now.gpus.end(), [](const GpuFacts& gpu) { return gpu.isMig.value_or(false); });
    std::string ipc = "possible between ranks of one run (backend shm)";
    if (isMig) {
        ipc = "not between MIG slices: ranks on different slices use gloo";
    } else if (m_now.isWsl) {
        ipc = "depends on Windows' driver under WSL; where it is missing, ranks use gloo";
    } else if (m_now.isContainer) {
        ipc += "; ranks in separate containers need --ipc=host and --pid=host";
    }
    line("CUDA IPC", ipc);
    line("MPS",
        m_now.isMpsRunning
            ? "runs: kernels of ranks that share a GPU can run at the same time"
            : "does not run: ranks that share a GPU take turns. `nvidia-cuda-mps-control -d` starts it, `echo quit | "
              "nvidia-cuda-mps-control` stops it");
}

void Judge::tellToolkit()
{
    const bool isNeeded = !m_now.gpus.empty();
    if (!m_now.nvcc.empty()) {
        line("nvcc", m_now.nvcc);
    } else if (isNeeded) {
        line("nvcc", "not found, and not needed to run: LibTorch includes CUDA's libraries");
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

bool runsOn(ComputeCapability gpu, const std::vector<std::string>& architectures)
{
    return std::any_of(architectures.begin(), architectures.end(), [gpu](const std::string& each) {
        const auto built = architectureOf(each);
        if (!built) {
            return false;
        }
        if (built->isOfOne) {
            return built->version == gpu;
        }
        return built->version <= gpu && (built->isIntermediate || built->version.major == gpu.major);
    });
}

GpuVerdict gpuVerdict(const GpuSituation& situation)
{
    return Judge(situation).verdict();
}

} // namespace lockstep::session
