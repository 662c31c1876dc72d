#include "plan/placement.h"

#include "base/translate.h"
#include "experiment/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <set>

namespace lockstep::plan {

namespace {

std::string nameOf(int gpu)
{
    return fmt::format("cuda:{}", gpu);
}

std::string counted(std::size_t number, const std::string& thing)
{
    return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

/// The available choices: ` (cuda:0, cuda:1)`.
std::string listOf(const Machine& machine)
{
    std::string text;
    for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
        text += (i == 0 ? " (" : ", ") + nameOf(static_cast<int>(i));
    }
    return text + (machine.gpus.empty() ? "" : ")");
}

/// Why no rank can have a GPU; empty if one can.
std::optional<std::string> whyNoGpu(const Machine& machine)
{
    if (!machine.hasCuda) {
        return "needs a LibTorch that was built with CUDA; this one (" + machine.libtorch
            + ") was built for the CPU only. ./run --cuda builds lockstep-rank with one; or use cpu";
    }
    if (machine.gpus.empty()) {
        return "does not exist: LibTorch " + machine.libtorch
            + " finds no GPU on this machine (lockstep doctor says more); use auto or cpu";
    }
    return std::nullopt;
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
    return Error{parameter + ": " + nameOf(gpu) + " does not exist: this machine has "
        + counted(machine.gpus.size(), "GPU") + listOf(machine) + "; use "
        + (machine.gpus.size() > 1 ? "one of them" : "it") + ", auto or cpu"};
}

/// The GPU of each rank; empty: the CPU.
Result<std::vector<int>> assignGpus(const experiment::RunSpec& run, int ranks, const Machine& machine)
{
    const std::string& device = run.text("device");
    const std::vector<std::int64_t>& byHand = run.integers("device.gpus");
    const std::optional<int> one = gpuIn(device);
    const bool isHostBackend = is(run, experiment::Backend::Mpi, experiment::Backend::Hierarchical) && ranks > 1;
    if (device == "cpu" || (device == "auto" && byHand.empty() && (whyNoGpu(machine) || isHostBackend))) {
        return std::vector<int>{};
    }
    if (const auto why = whyNoGpu(machine)) {
        return one ? Error{"device: " + device + " " + *why}
                   : Error{"device.gpus: " + nameOf(static_cast<int>(byHand.front())) + " " + *why};
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
            return notThere(one ? "device" : "device.gpus", gpu, machine);
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
    [[nodiscard]] std::string text() const
    {
        const std::string verb = m_devices.size() < m_ranks ? " share " : m_ranks == 1 ? " has " : " have ";
        return counted(m_ranks, "rank") + verb + (hasSlices() ? counted(m_devices.size(), "slice") + " of " : "")
            + counted(m_wholes.size(), "GPU");
    }

    /// Why two of them cannot open each other's memory; nothing if all can.
    [[nodiscard]] std::optional<std::string> whyNoIpc() const
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
    [[nodiscard]] std::string whyNot(int first, int second) const
    {
        const auto at = [this](int gpu) -> const Gpu& { return m_machine.gpus[static_cast<std::size_t>(gpu)]; };
        if (!at(first).hasIpc || !at(second).hasIpc) {
            return "processes cannot open each other's memory (CUDA IPC) on "
                + nameOf(at(first).hasIpc ? second : first);
        }
        return !at(first).sliceOf.empty() || !at(second).sliceOf.empty()
            ? "CUDA IPC does not work between slices of a GPU (MIG)"
            : nameOf(first) + " and " + nameOf(second) + " cannot read each other's memory";
    }

    std::size_t m_ranks;
    std::set<int> m_devices;
    std::set<int> m_wholes; ///< one for each whole GPU
    const Machine& m_machine;
};

/// `, which NCCL refuses`, where it applies.
std::string refusalByNccl(const Machine& machine)
{
    return machine.nccl == 0                ? ""
        : machine.nccl < NcclThatSharesGpus ? ", which NCCL refuses"
                                            : ", which NCCL refuses without comm.nccl_shared_gpu";
}

struct Carrier {
    std::string backend;
    Transfer transfer;
    std::string reason;
};

Result<Carrier> byNccl(const experiment::RunSpec& run, const Neighbours& neighbours, const Machine& machine)
{
    const bool isAsked = is(run, experiment::Backend::Nccl);
    if (isAsked && machine.nccl == 0) {
        return Error{"comm.backend: nccl, but this lockstep-rank was built without NCCL; use auto, shm or gloo"};
    }
    if (!neighbours.sharesGpus()) {
        return Carrier{"nccl", Transfer::Nccl, isAsked ? "" : "every rank has its own GPU"};
    }
    if (!run.boolean("comm.nccl_shared_gpu")) {
        const std::string more
            = machine.nccl < NcclThatSharesGpus ? "" : ", or set comm.nccl_shared_gpu, which is experimental";
        return Error{"comm.backend: nccl needs a GPU for each rank, and " + neighbours.text()
            + "; use auto or shm, or no more ranks than GPUs" + more};
    }
    if (machine.nccl < NcclThatSharesGpus) {
        return Error{"comm.nccl_shared_gpu: needs NCCL " + ncclText(NcclThatSharesGpus) + " or later, "
            + (machine.nccl == 0 ? std::string("and this lockstep-rank was built without NCCL")
                                 : "and this is " + ncclText(machine.nccl))
            + "; leave it off and use comm.backend auto or shm"};
    }
    return Carrier{"nccl", Transfer::NcclShared, neighbours.text() + ", as comm.nccl_shared_gpu asks"};
}

Result<Carrier> byItself(const experiment::RunSpec& run, const Neighbours& neighbours, const Machine& machine)
{
    const bool isShared = neighbours.sharesGpus();
    // NCCL before that version accepts slices of different GPUs, but was not made for them.
    const bool takesSlices = !neighbours.hasSlices() || machine.nccl >= NcclThatSharesGpus;
    if (isShared ? run.boolean("comm.nccl_shared_gpu") : machine.nccl != 0 && takesSlices) {
        return byNccl(run, neighbours, machine);
    }
    const std::string refusal
        = isShared || !takesSlices ? neighbours.text() + refusalByNccl(machine) : "this lockstep-rank has no NCCL";
    if (const auto why = neighbours.whyNoIpc()) {
        return Carrier{"gloo", Transfer::Staged, refusal + ", and " + *why};
    }
    return Carrier{
        "shm", Transfer::Ipc, refusal + (isShared && machine.runsMps ? "; MPS runs their kernels side by side" : "")};
}

Error refusedOnGpus(experiment::Backend backend)
{
    if (backend == experiment::Backend::Hierarchical) {
        return refusal("comm.backend",
            LS_TR("Refusals",
                "hierarchical carries host memory only, but the ranks run on GPUs; use auto, shm, gloo or nccl, or "
                "device cpu"));
    }
    return refusal("comm.backend",
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
        return Carrier{run.text("comm.backend"), Transfer::Staged, ""};
    case experiment::Backend::Mpi:
    case experiment::Backend::Hierarchical:
        return refusedOnGpus(backend);
    case experiment::Backend::Shm:
        break;
    }
    if (const auto why = neighbours.whyNoIpc()) {
        return Error{"comm.backend: shm cannot carry the memory of these GPUs: " + *why + "; use auto or gloo"};
    }
    return Carrier{run.text("comm.backend"), Transfer::Ipc, ""};
}

/// Why NCCL does not apply on the CPU.
Error refusedOnCpu(const experiment::RunSpec& run, const Machine& machine)
{
    const std::string choice = "use auto, shm, gloo or mpi";
    if (run.text("device") == "cpu") {
        return refusal("comm.backend",
            LS_TR("Refusals", "nccl carries GPU memory only, but device is cpu; use auto, shm, gloo or mpi"));
    }
    return machine.hasCuda
        ? Error{"comm.backend: nccl needs a GPU for each rank, and LibTorch " + machine.libtorch
            + " finds none on this machine; " + choice}
        : Error{
            "comm.backend: nccl, but this lockstep-rank was built without CUDA; ./run --cuda builds one with it, or "
            + choice};
}

Result<int> ranksOf(const experiment::RunSpec& run)
{
    const auto ranks = experiment::worldSizeOf(run);
    return ranks ? Result<int>(*ranks) : Result<int>(ranks.error());
}

std::string carrierText(const Placement& placement)
{
    switch (placement.transfer) {
    case Transfer::Alone:
    case Transfer::Host:
    case Transfer::Nccl:
        return placement.backend;
    case Transfer::NcclShared:
        return placement.backend + ", several ranks per GPU";
    case Transfer::Ipc:
        return placement.backend + " with CUDA IPC";
    case Transfer::Staged:
        return placement.backend + ", staged through host memory";
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
    std::string text;
    for (const int gpu : std::set<int>(gpus.begin(), gpus.end())) {
        text += (text.empty() ? "" : ", ") + nameOf(gpu);
    }
    return text.empty() ? "cpu" : text;
}

std::string Placement::sentence() const
{
    return carrierText(*this) + (reason.empty() ? "" : ": " + reason);
}

std::string Placement::inBrackets() const
{
    return carrierText(*this) + (reason.empty() ? "" : " (" + reason + ")");
}

Result<void> checkPlacement(const experiment::RunSpec& run)
{
    const auto backend = experiment::choice<experiment::Backend>(run);
    const bool isOnGpus = gpuIn(run.text("device")) || !run.integers("device.gpus").empty();
    if (backend == experiment::Backend::Nccl && run.text("device") == "cpu") {
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
    return Placement{.backend = isAuto || isHierarchical ? "shm" : run.text("comm.backend"),
        .transfer = Transfer::Host,
        .reason = isAuto     ? "the ranks run on the CPU"
            : isHierarchical ? "all ranks are on one host, so hierarchical is shared memory alone"
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
    LOCKSTEP_TRY_ASSIGN(const auto ranks, ranksOf(run));
    LOCKSTEP_TRY_ASSIGN(const auto gpus, assignGpus(run, ranks, machine));
    if (gpus.empty()) {
        if (is(run, experiment::Backend::Nccl)) {
            return refusedOnCpu(run, machine);
        }
        Placement placement = onCpu(run, ranks);
        if (machine.hasCuda && machine.gpus.empty() && run.text("device") == "auto") {
            placement.warnings.push_back("LibTorch " + machine.libtorch
                + " was built with CUDA but finds no GPU here, so the CPU is used; lockstep doctor says more");
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
