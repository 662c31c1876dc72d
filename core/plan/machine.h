// A machine as data, which decides where the ranks of a run compute and how they communicate. A rank program describes
// the machine it is on; tests describe other machines.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::plan {

/// A GPU's compute capability: 9.0 for an H100.
struct ComputeCapability {
    int major = 0;
    int minor = 0;

    [[nodiscard]] auto operator<=>(const ComputeCapability&) const = default;
};

[[nodiscard]] std::string toText(ComputeCapability capability);

/// A target of LibTorch's kernels: `sm_90` runs on 9.x from 9.0 on; `compute_90` (portable) is compiled by the driver
/// for every GPU from 9.0 on.
struct Architecture {
    ComputeCapability capability;
    bool isPortable = false;
};

/// `sm_75 sm_86 sm_90a compute_120`, as torch.cuda.get_arch_list() names them; ignores other forms.
[[nodiscard]] std::vector<Architecture> readArchitectures(std::string_view text);
[[nodiscard]] bool runsOn(ComputeCapability gpu, const std::vector<Architecture>& architectures);

struct Gpu {
    std::string name{}; ///< `NVIDIA H100 80GB HBM3`
    std::string uuid{};
    std::int64_t memoryBytes = 0; ///< all of it; 0: not known
    ComputeCapability capability{};
    /// UUID of the GPU that this is a slice of (MIG), or any text that its slices share; empty: a whole GPU.
    std::string sliceOf{};
    /// Whether a process can open another process's memory on this GPU (CUDA IPC): not under WSL.
    bool hasIpc = true;
};

struct Machine {
    std::vector<Gpu> gpus{}; ///< those that CUDA shows to a rank: gpus[i] is cuda:i
    /// A process sees one of them at a time (MIG): the one that CUDA_VISIBLE_DEVICES names, as cuda:0.
    bool showsOneGpu = false;
    /// Pairs of GPUs of which each can read the other's memory (peer to peer), in any order.
    std::vector<std::pair<int, int>> peers{};
    bool runsMps = false; ///< CUDA's multi-process service: kernels of several processes run side by side
    std::string libtorch{}; ///< `2.11.0`
    bool hasCuda = false; ///< LibTorch was built with it
    std::vector<Architecture> architectures{}; ///< of LibTorch's kernels; empty: not known
    int nccl = 0; ///< NCCL's version number: 22809 is 2.28.9; 0: this rank program has none
};

/// From this version on NCCL can accept several ranks per GPU (NCCL_MULTI_RANK_GPU_ENABLE=1), experimentally.
inline constexpr int NcclThatSharesGpus = 23000;

/// `2.28.9`.
[[nodiscard]] std::string ncclText(int version);

/// Whether they are one GPU, or slices of one.
[[nodiscard]] bool isSameGpu(const Machine& machine, int first, int second);
/// Whether a rank on `first` and one on `second` can open each other's memory (CUDA IPC). Slices cannot, not even
/// those of one GPU; a slice can with itself.
[[nodiscard]] bool canOpenMemory(const Machine& machine, int first, int second);

} // namespace lockstep::plan
