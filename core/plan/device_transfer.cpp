#include "plan/device_transfer.h"

#include "base/translate.h"
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
Text whyNotNccl(const experiment::RunSpec& run, const Devices& devices, const std::vector<std::string>& hosts)
{
    const auto lacks = [](const RankDevice& each) { return each.nccl == 0; };
    if (const std::size_t rank = firstRank(devices, lacks); rank < devices.size()) {
        return {LS_TR("Messages", "the lockstep-rank of rank %1 on %2 has no NCCL"), {rank, verbatim(hosts.at(rank))}};
    }
    const std::int64_t version = devices.front().nccl;
    const auto differs = [version](const RankDevice& each) { return each.nccl != version; };
    if (const std::size_t rank = firstRank(devices, differs); rank < devices.size()) {
        return {LS_TR("Messages", "rank %1 on %2 has NCCL %3, but rank %4 on %5 has %6"),
            {0, verbatim(hosts.front()), verbatim(ncclText(static_cast<int>(version))), rank, verbatim(hosts.at(rank)),
                verbatim(ncclText(static_cast<int>(devices[rank].nccl)))}};
    }
    const auto isSlice = [](const RankDevice& each) { return each.isSlice != 0; };
    if (const std::size_t rank = firstRank(devices, isSlice); rank < devices.size()) {
        return {LS_TR("Messages", "rank %1 on %2 has a slice of a GPU (MIG), for which NCCL is not made"),
            {rank, verbatim(hosts.at(rank))}};
    }
    const std::size_t shares = firstSharer(devices);
    if (shares == devices.size()) {
        return {};
    }
    const Text who(
        LS_TR("Messages", "rank %1 on %2 shares its GPU with another rank"), {shares, verbatim(hosts.at(shares))});
    const bool canShare = version >= NcclThatSharesGpus;
    if (!run.settings->comm.ncclSharesGpu) {
        return {canShare ? LS_TR("Messages", "%1, which NCCL refuses without comm.nccl_shared_gpu")
                         : LS_TR("Messages", "%1, which NCCL refuses"),
            {who}};
    }
    return canShare ? Text()
                    : Text(LS_TR("Messages", "%1, for which NCCL %2 is older than the %3 that is needed"),
                        {who, verbatim(ncclText(static_cast<int>(version))), verbatim(ncclText(NcclThatSharesGpus))});
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

Text DeviceTransfer::inBrackets(
    const experiment::RunSpec& run, std::string_view backend, const std::string& hosts) const
{
    const Text where(isNccl() || is(run, experiment::Backend::Gloo) ? LS_TR("Messages", "hosts %1")
            : backend == "hierarchical" ? LS_TR("Messages", "shared memory on each of the hosts %1, gloo between them")
                                        : LS_TR("Messages", "hosts %1, with one rank each"),
        {verbatim(hosts)});
    const Text name = verbatim(isNccl() ? "nccl" : backend);
    const Text carrier = transfer == Transfer::NcclShared ? Text(LS_TR("Messages", "%1, several ranks per GPU"), {name})
        : transfer == Transfer::Staged ? Text(LS_TR("Messages", "%1, staged through host memory"), {name})
                                       : name;
    return {LS_TR("Messages", "%1 (%2)"),
        {carrier, reason.empty() ? where : Text(LS_TR("Messages", "%1; %2"), {where, reason})}};
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
        return refusal("device",
            LS_TR("Messages", "rank %1 on %2 has a GPU, but rank %3 on %4 has none; use cpu, or only hosts with GPUs"),
            {with, verbatim(hosts.at(with)), without, verbatim(hosts.at(without))});
    }
    if (is(run, experiment::Backend::Gloo)) {
        return DeviceTransfer{Transfer::Staged, {}};
    }
    const bool isAsked = is(run, experiment::Backend::Nccl);
    const Text why = whyNotNccl(run, devices, hosts);
    if (!why.empty()) {
        return isAsked ? Result<DeviceTransfer>(refusal(nameOf(&experiment::CommSettings::backend),
                   LS_TR("Messages", "nccl cannot be used: %1; use auto or gloo"), {why}))
                       : DeviceTransfer{Transfer::Staged, why};
    }
    return firstSharer(devices) < devices.size()
        ? DeviceTransfer{Transfer::NcclShared, {}}
        : DeviceTransfer{Transfer::Nccl, isAsked ? Text() : Text(LS_TR("Messages", "every rank has its own GPU"))};
}

} // namespace lockstep::plan
