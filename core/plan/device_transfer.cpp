#include "plan/device_transfer.h"

#include "experiment/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace lockstep::plan {

namespace {

using Devices = std::vector<RankDevice>;

bool hasGpu(const RankDevice& device)
{
    return device.gpu != 0;
}

/// FNV-1a; never 0.
std::int64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char each : text) {
        hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    }
    return static_cast<std::int64_t>(hash | 1U);
}

/// The first rank for which it holds; their number if there is none.
std::size_t firstRank(const Devices& devices, const std::function<bool(const RankDevice&)>& holds)
{
    return static_cast<std::size_t>(std::find_if(devices.begin(), devices.end(), holds) - devices.begin());
}

/// The first rank on whose GPU there is another one; the number of ranks if there is none.
std::size_t firstSharer(const Devices& devices)
{
    return firstRank(devices, [&devices](const RankDevice& each) {
        const auto isThere = [&each](const RankDevice& other) { return other.gpu == each.gpu; };
        return std::count_if(devices.begin(), devices.end(), isThere) > 1;
    });
}

/// Why NCCL cannot be used; empty if it can.
std::string whyNotNccl(const experiment::RunSpec& run, const Devices& devices, const std::vector<std::string>& hosts)
{
    const auto lacks = [](const RankDevice& each) { return each.nccl == 0; };
    if (const std::size_t rank = firstRank(devices, lacks); rank < devices.size()) {
        return fmt::format("the lockstep-rank of rank {} on {} has no NCCL", rank, hosts.at(rank));
    }
    const std::int64_t version = devices.front().nccl;
    const auto differs = [version](const RankDevice& each) { return each.nccl != version; };
    if (const std::size_t rank = firstRank(devices, differs); rank < devices.size()) {
        return fmt::format("rank 0 on {} has NCCL {}, but rank {} on {} has {}", hosts.front(),
            ncclText(static_cast<int>(version)), rank, hosts.at(rank), ncclText(static_cast<int>(devices[rank].nccl)));
    }
    const auto isSlice = [](const RankDevice& each) { return each.isSlice != 0; };
    if (const std::size_t rank = firstRank(devices, isSlice); rank < devices.size()) {
        return fmt::format(
            "rank {} on {} has a slice of a GPU (MIG), for which NCCL is not made", rank, hosts.at(rank));
    }
    const std::size_t shares = firstSharer(devices);
    if (shares == devices.size()) {
        return {};
    }
    const std::string who = fmt::format("rank {} on {} shares its GPU with another rank", shares, hosts.at(shares));
    const bool canShare = version >= NcclThatSharesGpus;
    if (!run.boolean("comm.nccl_shared_gpu")) {
        return who + (canShare ? ", which NCCL refuses without comm.nccl_shared_gpu" : ", which NCCL refuses");
    }
    return canShare ? ""
                    : fmt::format("{}, for which NCCL {} is older than the {} that is needed", who,
                        ncclText(static_cast<int>(version)), ncclText(NcclThatSharesGpus));
}

} // namespace

RankDevice deviceOfRank(const Placement& placement, const Machine& machine, int localRank, const std::string& host)
{
    if (placement.gpus.empty()) {
        return {};
    }
    const int number = placement.gpus.at(static_cast<std::size_t>(localRank));
    const Gpu& gpu = machine.gpus.at(static_cast<std::size_t>(number));
    const std::string& name = gpu.sliceOf.empty() ? gpu.uuid : gpu.sliceOf;
    // Other names are only known on their host.
    const std::string whole
        = name.starts_with("GPU-") ? name : fmt::format("{} {} {}", host, name, name.empty() ? number : 0);
    return {.gpu = hashOf(whole), .isSlice = gpu.sliceOf.empty() ? 0 : 1, .nccl = machine.nccl};
}

std::string DeviceTransfer::inBrackets(
    const experiment::RunSpec& run, std::string_view backend, const std::string& hosts) const
{
    const std::string where = isNccl() || is(run, experiment::Backend::Gloo) ? fmt::format("hosts {}", hosts)
        : backend == "hierarchical" ? fmt::format("shared memory on each of the hosts {}, gloo between them", hosts)
                                    : fmt::format("hosts {}, with one rank each", hosts);
    const char* how = transfer == Transfer::NcclShared ? ", several ranks per GPU"
        : transfer == Transfer::Staged                 ? ", staged through host memory"
                                                       : "";
    return fmt::format("{}{} ({}{})", isNccl() ? "nccl" : backend, how, where, reason.empty() ? "" : "; " + reason);
}

Result<DeviceTransfer> agreeOnTransfer(
    const experiment::RunSpec& run, const Devices& devices, const std::vector<std::string>& hosts)
{
    if (std::none_of(devices.begin(), devices.end(), hasGpu)) {
        return DeviceTransfer{};
    }
    if (!std::all_of(devices.begin(), devices.end(), hasGpu)) {
        const std::size_t with = firstRank(devices, hasGpu);
        const std::size_t without = firstRank(devices, std::not_fn(hasGpu));
        return Error{
            fmt::format("device: rank {} on {} has a GPU, but rank {} on {} has none; use cpu, or only hosts with GPUs",
                with, hosts.at(with), without, hosts.at(without))};
    }
    if (is(run, experiment::Backend::Gloo)) {
        return DeviceTransfer{Transfer::Staged, ""};
    }
    const bool isAsked = is(run, experiment::Backend::Nccl);
    const std::string why = whyNotNccl(run, devices, hosts);
    if (!why.empty()) {
        return isAsked
            ? Result<DeviceTransfer>(Error{fmt::format("comm.backend: nccl cannot be used: {}; use auto or gloo", why)})
            : DeviceTransfer{Transfer::Staged, why};
    }
    return firstSharer(devices) < devices.size()
        ? DeviceTransfer{Transfer::NcclShared, ""}
        : DeviceTransfer{Transfer::Nccl, isAsked ? "" : "every rank has its own GPU"};
}

} // namespace lockstep::plan
