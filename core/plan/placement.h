// Chooses the GPU of each rank and the backend of the collectives, with the reason. Every rank decides from the same
// run and machine, so all choose the same. For ranks on several hosts device_transfer.h has the backend.
//
// NCCL is used if every rank has its own GPU. It refuses two ranks on one GPU (or on two slices of one), so these use
// the `shm` backend with CUDA IPC. Where IPC does not work (between slices of a GPU (MIG), between GPUs that cannot
// read each other's memory, under WSL) Gloo carries arrays through host memory.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/machine.h"

#include <string>
#include <vector>

namespace lockstep::plan {

/// How arrays get from rank to rank.
enum class Transfer {
    Alone, ///< there is one rank
    Host, ///< arrays are in host memory: the ranks run on the CPU
    Nccl,
    NcclShared, ///< NCCL, set to accept several ranks on a GPU (NCCL_MULTI_RANK_GPU_ENABLE=1)
    Ipc, ///< device memory that the ranks open for each other, by the backend shm
    Staged, ///< device memory, copied to the host and back around a backend for host memory only
};

struct Placement {
    std::vector<int> gpus{}; ///< cuda:N of each local rank; empty: the ranks run on the CPU
    /// CUDA_VISIBLE_DEVICES of each local rank; empty where every process sees all GPUs (Machine::showsOneGpu).
    std::vector<std::string> visible{};
    std::string backend{}; ///< the value of `comm.backend` that carries this out; empty for one rank
    Transfer transfer = Transfer::Alone;
    Text reason{}; ///< `4 ranks share 1 GPU, which NCCL refuses`; empty where the user has chosen
    /// The kernels of all ranks can run at the same time, each on its own GPU (or slice), or on one under MPS: else one
    /// must never wait for another's.
    bool runsSideBySide = false;
    std::vector<Text> warnings{}; ///< whole sentences, for the log

    /// `cpu` or `cuda:1`, as the user numbers GPUs.
    [[nodiscard]] std::string device(int localRank) const;
    /// The same as that rank's process numbers them: its only one is 0. There must be GPUs.
    [[nodiscard]] int gpuInProcess(int localRank) const;
    /// Of all ranks: `cpu`, `cuda:0`, `cuda:0, cuda:1`.
    [[nodiscard]] std::string devices() const;
    /// `shm with CUDA IPC: 4 ranks share 1 GPU, which NCCL refuses`; empty for one rank.
    [[nodiscard]] Text sentence() const;
    /// The same for use within a sentence: `shm with CUDA IPC (4 ranks share 1 GPU, which NCCL refuses)`.
    [[nodiscard]] Text inBrackets() const;
};

enum class Hosts {
    One, ///< all ranks are on this machine
    Several, ///< each host's ranks take its GPUs in turn; arrays go through host memory until all hosts have agreed
};

/// Refuses settings that cannot be met (`device`, `device.gpus`, `comm.backend`, `comm.nccl_shared_gpu`); the message
/// begins with the parameter's name.
[[nodiscard]] Result<Placement> placeRanks(
    const experiment::RunSpec& run, const Machine& machine, Hosts hosts = Hosts::One);

/// What no machine supports: nccl on the CPU, mpi on GPUs. placeRanks() refuses it as well.
[[nodiscard]] Result<void> checkPlacement(const experiment::RunSpec& run);

/// What a user should know of a placement on GPUs: unequal GPUs, one too small for its ranks, too many ranks on one,
/// slices, a GPU that LibTorch has no kernels for. placeRanks() puts them into the placement.
[[nodiscard]] std::vector<Text> placementWarnings(
    const experiment::RunSpec& run, const Placement& placement, const Machine& machine);

} // namespace lockstep::plan
