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

std::string gigabytes(std::int64_t bytes)
{
    return fmt::format("{:.1f} GB", static_cast<double>(bytes) * 1e-9);
}

std::string gpuName(int gpu)
{
    return fmt::format("cuda:{}", gpu);
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

    std::vector<std::string> all()
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
            list += (list.empty() ? "" : "; ") + gpuName(gpu) + " " + at(gpu).name + ", "
                + gigabytes(at(gpu).memoryBytes);
        }
        if (differs) {
            m_texts.push_back(
                "the GPUs are unequal (" + list + "): the ranks wait for the slowest, and the smallest is full first");
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
            m_texts.push_back(gpuName(gpu) + " has " + gigabytes(at(gpu).memoryBytes) + ", and its "
                + (ranks.size() == 1 ? std::string("rank takes") : fmt::format("{} ranks take", ranks.size()))
                + " about " + gigabytes(needed)
                + " without what CUDA keeps for itself: the run may run out of memory; use a smaller "
                  "train.batch, more "
                  "GPUs, or a strategy that splits the model");
        }
    }

    void tooMany(int gpu, std::size_t ranks)
    {
        if (m_placement.transfer == Transfer::NcclShared && ranks > MostRanksOfNccl) {
            m_texts.push_back(
                fmt::format("{} ranks share {} through NCCL, which expects {}: it hangs where they together ask for "
                            "more multiprocessors than the GPU has; NCCL_MAX_CTAS limits what each takes",
                    ranks, gpuName(gpu), MostRanksOfNccl));
        }
        if (ranks > MostRanksTried) {
            m_texts.push_back(fmt::format("{} ranks share {}, more than the {} that have been tried: each uses some "
                                          "hundred MB for CUDA alone, and they take turns",
                ranks, gpuName(gpu), MostRanksTried));
        }
    }

    void noKernels(int gpu)
    {
        if (!m_machine.architectures.empty() && !runsOn(at(gpu).capability, m_machine.architectures)) {
            std::string list;
            for (const Architecture& each : m_machine.architectures) {
                list += (list.empty() ? "" : ", ") + toText(each.capability);
            }
            m_texts.push_back(gpuName(gpu) + " (" + at(gpu).name + ") has compute capability "
                + toText(at(gpu).capability) + ", and LibTorch " + m_machine.libtorch + " has kernels for " + list
                + ": it cannot compute there; use device cpu, or a LibTorch that supports it");
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
            m_texts.push_back(
                "slices of a GPU (MIG) cannot read each other's memory, so all that the ranks send goes through host "
                "memory: ranks that share one slice, or the whole GPU without MIG, are faster");
        }
    }

    const experiment::RunSpec& m_run;
    const Placement& m_placement;
    const Machine& m_machine;
    std::map<int, std::vector<int>> m_ranks;
    std::vector<std::string> m_texts;
};

} // namespace

std::vector<std::string> placementWarnings(
    const experiment::RunSpec& run, const Placement& placement, const Machine& machine)
{
    return placement.gpus.empty() ? std::vector<std::string>() : Warnings(run, placement, machine).all();
}

} // namespace lockstep::plan
