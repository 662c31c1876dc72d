#include "base/translate.h"
#include "experiment/spec.h"
#include "plan/memory.h"
#include "plan/placement.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace lockstep::plan {

namespace {

/// This many ranks per GPU were tested; each more adds a CUDA context of some hundred MB.
constexpr int MostRanksTried = 8;
/// What NCCL expects of a GPU that its ranks share.
constexpr int MostRanksOfNccl = 2;
/// Two GPUs of one kind differ by what the firmware keeps for itself.
constexpr double EqualWithin = 0.05;

Text gigabytes(std::int64_t bytes)
{
    return verbatim(fmt::format("{:.1f} GB", static_cast<double>(bytes) * 1e-9));
}

Text gpuName(int gpu)
{
    return verbatim(fmt::format("cuda:{}", gpu));
}

/// The ranks on each GPU that has any.
std::map<int, std::vector<int>> ranksByGpu(const Placement& placement)
{
    std::map<int, std::vector<int>> ranks;
    for (std::size_t rank = 0; rank < placement.gpus.size(); ++rank) {
        ranks[placement.gpus[rank]].push_back(static_cast<int>(rank));
    }
    return ranks;
}

class Warnings {
public:
    Warnings(const experiment::RunSpec& run, const Placement& placement, const Machine& machine)
        : m_run(run)
        , m_placement(placement)
        , m_machine(machine)
        , m_ranks(ranksByGpu(placement))
    { }

    std::vector<Text> all()
    {
        unequal();
        for (const auto& [gpu, ranks] : m_ranks) {
            tooSmall(gpu, ranks);
            tooMany(gpu, ranks.size());
            noKernels(gpu);
        }
        slices();
        return m_texts;
    }

private:
    [[nodiscard]] const Gpu& at(int gpu) const { return m_machine.gpus[static_cast<std::size_t>(gpu)]; }

    void unequal()
    {
        const Gpu& first = at(m_ranks.begin()->first);
        bool differs = false;
        std::string list;
        for (const auto& [gpu, ranks] : m_ranks) {
            const auto bytes = static_cast<double>(at(gpu).memoryBytes);
            const auto expected = static_cast<double>(first.memoryBytes);
            differs = differs || bytes < expected * (1.0 - EqualWithin) || bytes > expected * (1.0 + EqualWithin)
                || at(gpu).capability != first.capability;
            list += (list.empty() ? "" : "; ") + gpuName(gpu).english + " " + at(gpu).name + ", "
                + gigabytes(at(gpu).memoryBytes).english;
        }
        if (differs) {
            m_texts.push_back(
                {LS_TR("Messages",
                     "the GPUs are unequal (%1): the ranks wait for the slowest, and the smallest is full "
                     "first"),
                    {verbatim(list)}});
        }
    }

    void tooSmall(int gpu, const std::vector<int>& ranks)
    {
        // A sweep's memory follows from its own sizes.
        if (at(gpu).memoryBytes == 0 || experiment::isSweep(m_run)) {
            return;
        }
        std::int64_t needed = 0;
        for (const int rank : ranks) {
            needed += memoryOf(m_run, rank).highest;
        }
        if (needed > at(gpu).memoryBytes) {
            m_texts.push_back({ranks.size() == 1 ? LS_TR("Messages",
                                   "%1 has %2, and its rank takes about %3 without what CUDA keeps for itself: the run "
                                   "may run out of memory; use a smaller train.batch, more GPUs, or a strategy that "
                                   "splits the model")
                                                 : LS_TR("Messages",
                                                     "%1 has %2, and its %4 ranks take about %3 without what CUDA "
                                                     "keeps for itself: the run may run out of memory; use a smaller "
                                                     "train.batch, more GPUs, or a strategy that splits the model"),
                {gpuName(gpu), gigabytes(at(gpu).memoryBytes), gigabytes(needed), ranks.size()}});
        }
    }

    void tooMany(int gpu, std::size_t ranks)
    {
        if (m_placement.transfer == Transfer::NcclShared && ranks > MostRanksOfNccl) {
            m_texts.push_back({LS_TR("Messages",
                                   "%1 ranks share %2 through NCCL, which expects %3: it hangs where they together ask "
                                   "for more multiprocessors than the GPU has; NCCL_MAX_CTAS limits what each takes"),
                {ranks, gpuName(gpu), MostRanksOfNccl}});
        }
        if (ranks > MostRanksTried) {
            m_texts.push_back(
                {LS_TR("Messages",
                     "%1 ranks share %2, more than the %3 that have been tried: each uses some hundred MB "
                     "for CUDA alone, and they take turns"),
                    {ranks, gpuName(gpu), MostRanksTried}});
        }
    }

    void noKernels(int gpu)
    {
        if (!m_machine.architectures.empty() && !runsOn(at(gpu).capability, m_machine.architectures)) {
            const std::string list
                = listed(m_machine.architectures, [](const Architecture& each) { return toText(each.capability); });
            m_texts.push_back({LS_TR("Messages",
                                   "%1 (%2) has compute capability %3, and LibTorch %4 has kernels for %5: it cannot "
                                   "compute there; use device cpu, or a LibTorch that supports it"),
                {gpuName(gpu), verbatim(at(gpu).name), verbatim(toText(at(gpu).capability)),
                    verbatim(m_machine.libtorch), verbatim(list)}});
        }
    }

    void slices()
    {
        const bool hasSlices = [this] {
            for (const auto& [gpu, ranks] : m_ranks) {
                if (!at(gpu).sliceOf.empty()) {
                    return true;
                }
            }
            return false;
        }();
        if (hasSlices && m_placement.transfer == Transfer::Staged && m_ranks.size() > 1) {
            m_texts.emplace_back(LS_TR("Messages",
                "slices of a GPU (MIG) cannot read each other's memory, so all that the ranks send goes through host "
                "memory: ranks that share one slice, or the whole GPU without MIG, are faster"));
        }
    }

    const experiment::RunSpec& m_run;
    const Placement& m_placement;
    const Machine& m_machine;
    std::map<int, std::vector<int>> m_ranks;
    std::vector<Text> m_texts;
};

} // namespace

std::vector<Text> placementWarnings(const experiment::RunSpec& run, const Placement& placement, const Machine& machine)
{
    return placement.gpus.empty() ? std::vector<Text>() : Warnings(run, placement, machine).all();
}

} // namespace lockstep::plan
