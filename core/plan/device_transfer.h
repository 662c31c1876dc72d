// How ranks on several hosts exchange arrays in GPU memory. Each host assigns its GPUs to its ranks; whether NCCL
// can be used depends on all of them, so every rank sends the others what it has, and all decide from the same list.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"
#include "plan/machine.h"
#include "plan/placement.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::plan {

/// What one rank has. All its words are 64-bit, so that ranks can send it as an array.
struct RankDevice {
    std::int64_t gpu = 0; ///< the same for ranks on one GPU, whatever container they are in; 0: the CPU
    std::int64_t isSlice = 0; ///< of a GPU (MIG)
    std::int64_t nccl = 0; ///< its version; 0: this rank program has none
};
inline constexpr std::int64_t RankDeviceWords = sizeof(RankDevice) / sizeof(std::int64_t);

/// `placement` is from placeRanks(run, machine, Hosts::Several); `host` is the machine's name.
[[nodiscard]] RankDevice deviceOfRank(
    const Placement& placement, const Machine& machine, int localRank, const std::string& host);

struct DeviceTransfer {
    Transfer transfer = Transfer::Host;
    Text reason{}; ///< empty where the user has chosen

    [[nodiscard]] bool isNccl() const { return transfer == Transfer::Nccl || transfer == Transfer::NcclShared; }
    /// As Placement::inBrackets(): `nccl (hosts n1, n2; every rank has its own GPU)`. `backend` carries arrays in host
    /// memory.
    [[nodiscard]] Text inBrackets(
        const experiment::RunSpec& run, std::string_view backend, const std::string& hosts) const;
};

/// From what all ranks have, in the order of ranks, of which rank r is on `hosts[r]`: NCCL if every rank has a GPU of
/// its own, else through host memory. Refused, naming the ranks: GPUs on some only, `comm.backend` nccl where it cannot
/// be used.
[[nodiscard]] Result<DeviceTransfer> agreeOnTransfer(
    const experiment::RunSpec& run, const std::vector<RankDevice>& devices, const std::vector<std::string>& hosts);

} // namespace lockstep::plan
