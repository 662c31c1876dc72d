#include "plan/placement.h"

#include "base/translate.h"
#include "experiment/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <ranges>
#include <set>

namespace lockstep::plan {

namespace {

std::string nameOf(int gpu)
{
    return fmt::format("cuda:{}", gpu);
}

/// The available choices: `cuda:0, cuda:1`.
Text listOf(const Machine& machine)
{
    return verbatim(
        listed(std::views::iota(0, static_cast<int>(machine.gpus.size())), [](int i) { return nameOf(i); }));
}

bool hasGpu(const Machine& machine)
{
    return machine.hasCuda && !machine.gpus.empty();
}

/// Why no rank can have a GPU, where none can.
Error noGpu(std::string parameter, const std::string& device, const Machine& machine)
{
    return refusal(std::move(parameter),
        machine.hasCuda ? LS_TR("Messages",
            "%1 does not exist: LibTorch %2 finds no GPU on this machine (lockstep doctor says more); use auto or cpu")
                        : LS_TR("Messages",
                            "%1 needs a LibTorch that was built with CUDA; this one (%2) was built for the CPU only. "
                            "Install lockstep-rank for CUDA (lockstep doctor says how), or use cpu"),
        {verbatim(device), verbatim(machine.libtorch)});
}

/// N of `cuda:N`; `cuda` is cuda:0. Nothing for auto and cpu.
std::optional<int> gpuIn(std::string_view device)
{
    if (device == "cuda") {
        return 0;
    }
    constexpr std::string_view Prefix = "cuda:";
    int index = -1;
    if (device.starts_with(Prefix)) {
        std::from_chars(device.data() + Prefix.size(), device.data() + device.size(), index);
    }
    return index >= 0 ? std::optional(index) : std::nullopt;
}

Error notThere(const std::string& parameter, int gpu, const Machine& machine)
{
    return refusal(parameter,
        machine.gpus.size() > 1
            ? LS_TR("Messages", "%1 does not exist: this machine has %2 GPUs (%3); use one of them, auto or cpu")
            : LS_TR("Messages", "%1 does not exist: this machine has %2 GPU (%3); use it, auto or cpu"),
        {verbatim(nameOf(gpu)), machine.gpus.size(), listOf(machine)});
}

/// The GPU of each rank; empty: the CPU.
Result<std::vector<int>> assignGpus(const experiment::RunSpec& run, int ranks, const Machine& machine)
{
    const std::string& device = run.settings->rank.device;
    const std::vector<std::int64_t>& byHand = run.settings->rank.gpus;
    const std::optional<int> one = gpuIn(device);
    const bool isHostBackend = is(run, experiment::Backend::Mpi, experiment::Backend::Hierarchical) && ranks > 1;
    if (device == "cpu" || (device == "auto" && byHand.empty() && (!hasGpu(machine) || isHostBackend))) {
        return std::vector<int>{};
    }
    if (!hasGpu(machine)) {
        return one ? noGpu(nameOf(&experiment::RankSettings::device), device, machine)
                   : noGpu(nameOf(&experiment::RankSettings::gpus), nameOf(static_cast<int>(byHand.front())), machine);
    }
    std::vector<int> gpus;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto turn = static_cast<std::size_t>(rank);
        gpus.push_back(one       ? *one
                : byHand.empty() ? static_cast<int>(turn % machine.gpus.size())
                                 : static_cast<int>(byHand[turn % byHand.size()]));
    }
    // An entry that no rank takes is wrong as well.
    std::vector<int> asked = gpus;
    if (!one) {
        std::transform(byHand.begin(), byHand.end(), std::back_inserter(asked),
            [](std::int64_t gpu) { return static_cast<int>(gpu); });
    }
    for (const int gpu : asked) {
        if (gpu >= static_cast<int>(machine.gpus.size())) {
            return notThere(one ? nameOf(&experiment::RankSettings::device) : nameOf(&experiment::RankSettings::gpus),
                gpu, machine);
        }
    }
    return gpus;
}

/// What decides how several ranks on GPUs communicate.
class Neighbours {
public:
    Neighbours(const std::vector<int>& gpus, const Machine& machine)
        : m_ranks(gpus.size())
        , m_devices(gpus.begin(), gpus.end())
        , m_machine(machine)
    {
        for (const int gpu : m_devices) {
            const bool isNew = std::none_of(
                m_wholes.begin(), m_wholes.end(), [&](int other) { return isSameGpu(machine, gpu, other); });
            if (isNew) {
                m_wholes.insert(gpu);
            }
        }
    }

    /// NCCL counts whole GPUs: two slices of one are one.
    [[nodiscard]] bool sharesGpus() const { return m_wholes.size() < m_ranks; }

    /// A GPU or a slice for each.
    [[nodiscard]] bool haveOwnDevices() const { return m_devices.size() == m_ranks; }

    [[nodiscard]] bool hasSlices() const
    {
        return std::any_of(m_devices.begin(), m_devices.end(),
            [this](int gpu) { return !m_machine.gpus[static_cast<std::size_t>(gpu)].sliceOf.empty(); });
    }

    /// `4 ranks share 1 GPU`, `2 ranks have 2 slices of 1 GPU`.
    [[nodiscard]] Text text() const
    {
        const bool shares = m_devices.size() < m_ranks;
        const auto gpus = m_wholes.size() == 1 ? Text(LS_TR("Messages", "1 GPU"))
                                               : Text(LS_TR("Messages", "%1 GPUs"), {m_wholes.size()});
        if (!hasSlices()) {
            return {shares         ? LS_TR("Messages", "%1 ranks share %2")
                    : m_ranks == 1 ? LS_TR("Messages", "%1 rank has %2")
                                   : LS_TR("Messages", "%1 ranks have %2"),
                {m_ranks, gpus}};
        }
        if (m_devices.size() == 1) {
            return {shares ? LS_TR("Messages", "%1 ranks share 1 slice of %2")
                           : LS_TR("Messages", "%1 rank has 1 slice of %2"),
                {m_ranks, gpus}};
        }
        return {shares ? LS_TR("Messages", "%1 ranks share %2 slices of %3")
                       : LS_TR("Messages", "%1 ranks have %2 slices of %3"),
            {m_ranks, m_devices.size(), gpus}};
    }

    /// Why two of them cannot open each other's memory; nothing if all can.
    [[nodiscard]] std::optional<Text> whyNoIpc() const
    {
        for (const int first : m_devices) {
            for (const int second : m_devices) {
                // A rank alone on its GPU shares memory with no other rank.
                const bool isAsked = first < second || (first == second && m_ranks > m_devices.size());
                if (isAsked && !canOpenMemory(m_machine, first, second)) {
                    return whyNot(first, second);
                }
            }
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] Text whyNot(int first, int second) const
    {
        const auto at = [this](int gpu) -> const Gpu& { return m_machine.gpus[static_cast<std::size_t>(gpu)]; };
        if (!at(first).hasIpc || !at(second).hasIpc) {
            return {LS_TR("Messages", "processes cannot open each other's memory (CUDA IPC) on %1"),
                {verbatim(nameOf(at(first).hasIpc ? second : first))}};
        }
        return !at(first).sliceOf.empty() || !at(second).sliceOf.empty()
            ? Text(LS_TR("Messages", "CUDA IPC does not work between slices of a GPU (MIG)"))
            : Text(LS_TR("Messages", "%1 and %2 cannot read each other's memory"),
                {verbatim(nameOf(first)), verbatim(nameOf(second))});
    }

    std::size_t m_ranks;
    std::set<int> m_devices;
    std::set<int> m_wholes; ///< one for each whole GPU
    const Machine& m_machine;
};

/// `, which NCCL refuses`, where it applies.
Text refusedByNccl(const Text& what, const Machine& machine)
{
    return machine.nccl == 0 ? what
        : machine.nccl < NcclThatSharesGpus
        ? Text(LS_TR("Messages", "%1, which NCCL refuses"), {what})
        : Text(LS_TR("Messages", "%1, which NCCL refuses without comm.nccl_shared_gpu"), {what});
}

struct Carrier {
    std::string backend;
    Transfer transfer;
    Text reason{};
};

Result<Carrier> byNccl(const experiment::RunSpec& run, const Neighbours& neighbours, const Machine& machine)
{
    const bool isAsked = is(run, experiment::Backend::Nccl);
    if (isAsked && machine.nccl == 0) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Messages", "nccl, but this lockstep-rank was built without NCCL; use auto, shm or gloo"));
    }
    if (!neighbours.sharesGpus()) {
        return Carrier{
            "nccl", Transfer::Nccl, isAsked ? Text() : Text(LS_TR("Messages", "every rank has its own GPU"))};
    }
    if (!run.settings->comm.ncclSharesGpu) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            machine.nccl < NcclThatSharesGpus
                ? LS_TR(
                    "Messages", "nccl needs a GPU for each rank, and %1; use auto or shm, or no more ranks than GPUs")
                : LS_TR("Messages",
                    "nccl needs a GPU for each rank, and %1; use auto or shm, or no more ranks than GPUs, or set "
                    "comm.nccl_shared_gpu, which is experimental"),
            {neighbours.text()});
    }
    if (machine.nccl < NcclThatSharesGpus) {
        return machine.nccl == 0
            ? refusal(nameOf(&experiment::CommSettings::ncclSharesGpu),
                LS_TR("Messages",
                    "needs NCCL %1 or later, and this lockstep-rank was built without NCCL; leave it off and use "
                    "comm.backend auto or shm"),
                {verbatim(ncclText(NcclThatSharesGpus))})
            : refusal(nameOf(&experiment::CommSettings::ncclSharesGpu),
                LS_TR("Messages",
                    "needs NCCL %1 or later, and this is %2; leave it off and use comm.backend auto or shm"),
                {verbatim(ncclText(NcclThatSharesGpus)), verbatim(ncclText(machine.nccl))});
    }
    return Carrier{
        "nccl", Transfer::NcclShared, Text(LS_TR("Messages", "%1, as comm.nccl_shared_gpu asks"), {neighbours.text()})};
}

Result<Carrier> byItself(const experiment::RunSpec& run, const Neighbours& neighbours, const Machine& machine)
{
    const bool isShared = neighbours.sharesGpus();
    // NCCL before that version accepts slices of different GPUs, but was not made for them.
    const bool takesSlices = !neighbours.hasSlices() || machine.nccl >= NcclThatSharesGpus;
    if (isShared ? run.settings->comm.ncclSharesGpu : machine.nccl != 0 && takesSlices) {
        return byNccl(run, neighbours, machine);
    }
    const Text refused = isShared || !takesSlices ? refusedByNccl(neighbours.text(), machine)
                                                  : Text(LS_TR("Messages", "this lockstep-rank has no NCCL"));
    if (const auto why = neighbours.whyNoIpc()) {
        return Carrier{"gloo", Transfer::Staged, Text(LS_TR("Messages", "%1, and %2"), {refused, *why})};
    }
    return Carrier{"shm", Transfer::Ipc,
        isShared && machine.runsMps ? Text(LS_TR("Messages", "%1; MPS runs their kernels side by side"), {refused})
                                    : refused};
}

Error refusedOnGpus(experiment::Backend backend)
{
    if (backend == experiment::Backend::Hierarchical) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Refusals",
                "hierarchical carries host memory only, but the ranks run on GPUs; use auto, shm, gloo or nccl, or "
                "device cpu"));
    }
    return refusal(nameOf(&experiment::CommSettings::backend),
        LS_TR("Refusals",
            "mpi carries host memory only, but the ranks run on GPUs; use auto, shm, gloo or nccl, or device cpu"));
}

Result<Carrier> choose(const experiment::RunSpec& run, const Neighbours& neighbours, const Machine& machine)
{
    const auto backend = experiment::choice<experiment::Backend>(run);
    switch (backend) {
    case experiment::Backend::Auto:
        return byItself(run, neighbours, machine);
    case experiment::Backend::Nccl:
        return byNccl(run, neighbours, machine);
    case experiment::Backend::Gloo:
        return Carrier{std::string(nameOf(run.settings->comm.backend)), Transfer::Staged};
    case experiment::Backend::Mpi:
    case experiment::Backend::Hierarchical:
        return refusedOnGpus(backend);
    case experiment::Backend::Shm:
        break;
    }
    if (const auto why = neighbours.whyNoIpc()) {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Messages", "shm cannot carry the memory of these GPUs: %1; use auto or gloo"), {*why});
    }
    return Carrier{std::string(nameOf(run.settings->comm.backend)), Transfer::Ipc};
}

/// Why NCCL does not apply on the CPU.
Error refusedOnCpu(const experiment::RunSpec& run, const Machine& machine)
{
    if (run.settings->rank.device == "cpu") {
        return refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Refusals", "nccl carries GPU memory only, but device is cpu; use auto, shm, gloo or mpi"));
    }
    return machine.hasCuda
        ? refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Messages",
                "nccl needs a GPU for each rank, and LibTorch %1 finds none on this machine; use auto, shm, gloo or "
                "mpi"),
            {verbatim(machine.libtorch)})
        : refusal(nameOf(&experiment::CommSettings::backend),
            LS_TR("Messages",
                "nccl, but this lockstep-rank was built without CUDA; install one for CUDA (lockstep "
                "doctor says how), or use auto, shm, gloo or mpi"));
}

Text carrierText(const Placement& placement)
{
    const Text backend = verbatim(placement.backend);
    switch (placement.transfer) {
    case Transfer::Alone:
    case Transfer::Host:
    case Transfer::Nccl:
        return backend;
    case Transfer::NcclShared:
        return {LS_TR("Messages", "%1, several ranks per GPU"), {backend}};
    case Transfer::Ipc:
        return {LS_TR("Messages", "%1 with CUDA IPC"), {backend}};
    case Transfer::Staged:
        return {LS_TR("Messages", "%1, staged through host memory"), {backend}};
    }
    return {};
}

} // namespace

std::string Placement::device(int localRank) const
{
    return gpus.empty() ? "cpu" : nameOf(gpus.at(static_cast<std::size_t>(localRank)));
}

int Placement::gpuInProcess(int localRank) const
{
    return visible.empty() ? gpus.at(static_cast<std::size_t>(localRank)) : 0;
}

std::string Placement::devices() const
{
    return gpus.empty() ? "cpu" : listed(std::set<int>(gpus.begin(), gpus.end()), [](int gpu) { return nameOf(gpu); });
}

Text Placement::sentence() const
{
    const Text carrier = carrierText(*this);
    return reason.empty() ? carrier : Text(LS_TR("Messages", "%1: %2"), {carrier, reason});
}

Text Placement::inBrackets() const
{
    const Text carrier = carrierText(*this);
    return reason.empty() ? carrier : Text(LS_TR("Messages", "%1 (%2)"), {carrier, reason});
}

Result<void> checkPlacement(const experiment::RunSpec& run)
{
    const auto backend = experiment::choice<experiment::Backend>(run);
    const bool isOnGpus = gpuIn(run.settings->rank.device) || !run.settings->rank.gpus.empty();
    if (backend == experiment::Backend::Nccl && run.settings->rank.device == "cpu") {
        return refusedOnCpu(run, {});
    }
    const bool isOfHost = backend == experiment::Backend::Mpi || backend == experiment::Backend::Hierarchical;
    return isOfHost && isOnGpus ? Result<void>(refusedOnGpus(backend)) : Result<void>();
}

namespace {

Placement onCpu(const experiment::RunSpec& run, int ranks)
{
    if (ranks == 1 && is(run, experiment::Strategy::Single)) {
        return Placement{};
    }
    const bool isAuto = is(run, experiment::Backend::Auto);
    const bool isHierarchical = is(run, experiment::Backend::Hierarchical);
    return Placement{.backend = isAuto || isHierarchical ? "shm" : std::string(nameOf(run.settings->comm.backend)),
        .transfer = Transfer::Host,
        .reason = isAuto     ? LS_TR("Messages", "the ranks run on the CPU")
            : isHierarchical ? LS_TR("Messages", "all ranks are on one host, so hierarchical is shared memory alone")
                             : ""};
}

/// How many ranks share a GPU is not known before the hosts have met: its warnings are those of one rank on each.
Result<Placement> placeOnOneOfSeveral(const experiment::RunSpec& run, const Machine& machine, Placement placement)
{
    if (is(run, experiment::Backend::Hierarchical)) {
        return refusedOnGpus(experiment::Backend::Hierarchical);
    }
    placement.backend = "gloo";
    placement.transfer = Transfer::Staged;
    Placement once = placement;
    std::sort(once.gpus.begin(), once.gpus.end());
    once.gpus.erase(std::unique(once.gpus.begin(), once.gpus.end()), once.gpus.end());
    placement.warnings = placementWarnings(run, once, machine);
    return placement;
}

} // namespace

Result<Placement> placeRanks(const experiment::RunSpec& run, const Machine& machine, Hosts hosts)
{
    LOCKSTEP_TRY_ASSIGN(const auto ranks, experiment::worldSizeOf(run));
    LOCKSTEP_TRY_ASSIGN(const auto gpus, assignGpus(run, ranks, machine));
    if (gpus.empty()) {
        if (is(run, experiment::Backend::Nccl)) {
            return refusedOnCpu(run, machine);
        }
        Placement placement = onCpu(run, ranks);
        if (machine.hasCuda && machine.gpus.empty() && run.settings->rank.device == "auto") {
            placement.warnings.push_back({LS_TR("Messages",
                                              "LibTorch %1 was built with CUDA but finds no GPU here, so the CPU is "
                                              "used; lockstep doctor says more"),
                {verbatim(machine.libtorch)}});
        }
        return placement;
    }
    Placement placement{.gpus = gpus};
    for (std::size_t rank = 0; rank < gpus.size() && machine.showsOneGpu; ++rank) {
        placement.visible.push_back(machine.gpus[static_cast<std::size_t>(gpus[rank])].uuid);
    }
    if (hosts == Hosts::Several) {
        return placeOnOneOfSeveral(run, machine, std::move(placement));
    }
    if (!is(run, experiment::Strategy::Single)) {
        const Neighbours neighbours(gpus, machine);
        LOCKSTEP_TRY_ASSIGN(const auto carrier, choose(run, neighbours, machine));
        placement.backend = carrier.backend;
        placement.transfer = carrier.transfer;
        placement.reason = carrier.reason;
        placement.runsSideBySide = machine.runsMps || neighbours.haveOwnDevices();
    }
    placement.warnings = placementWarnings(run, placement, machine);
    return placement;
}

} // namespace lockstep::plan
