#include "launch/run_comparison.h"

#include "base/proc_files.h"
#include "experiment/spec.h"
#include "launch/monitor/nvml.h"
#include "launch/own/own_program.h"
#include "launch/own/watched_program.h"
#include "launch/ranks/rank_program.h"
#include "plan/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace lockstep::launch {

namespace {

/// Some of a machine's memory stays free: data sets of unknown size, evaluation, other programs.
constexpr double LargestShare = 0.8;

bool takesTurns(const experiment::RunSpec& run)
{
    // A record of an older version may lack the setting.
    return run.settings.contains(nameOf(&experiment::MeasureSettings::isInterleaved))
        && run.settings->measure.isInterleaved;
}

std::int32_t ranksOf(const experiment::RunSpec& run)
{
    const auto ranks = experiment::worldSizeOf(run);
    return ranks ? *ranks : 1;
}

struct Needs {
    std::int64_t ranks = 0;
    std::int64_t tensorBytes = 0;
};

Needs needsOf(std::span<const RunJob::Setup> jobs)
{
    Needs needs;
    for (const RunJob::Setup& job : jobs) {
        const std::int32_t ranks = ranksOf(job.record.spec);
        needs.ranks += ranks;
        if (isOwnProgram(job.record.spec)) {
            continue; // only the program knows its tensors
        }
        if (experiment::isSweep(job.record.spec)) {
            // Input, output, and what cannot be received where it is sent from; they stay while the run holds.
            needs.tensorBytes += 3 * ranks * job.record.spec.settings->sweep.maxBytes;
            continue;
        }
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            needs.tensorBytes += plan::memoryOf(job.record.spec, rank).highest;
        }
    }
    return needs;
}

bool usesGpu(const experiment::RunSpec& run)
{
    const RankPrograms programs = findRankPrograms();
    const auto choice = chooseRankProgram(run, programs, lookForGpus());
    return choice && !programs.cuda.isEmpty() && choice->program == programs.cuda;
}

/// Of all GPUs together if each had as much as the fullest; nothing where the driver does not report it.
std::optional<std::int64_t> freeDeviceBytes()
{
    const OpenedNvml opened = Nvml::open();
    if (opened.nvml == nullptr) {
        return std::nullopt;
    }
    const std::vector<GpuFacts> gpus = opened.nvml->gpus();
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const GpuFacts& gpu : gpus) {
        const auto used = opened.nvml->read(gpu.number).memoryUsedBytes;
        if (!used) {
            return std::nullopt;
        }
        least = std::min(least, gpu.memoryBytes - *used);
    }
    return gpus.empty() ? std::nullopt : std::optional(least * static_cast<std::int64_t>(gpus.size()));
}

std::optional<Text> whyNotOn(const char* what, const Needs& needs, std::int64_t ofARank, std::int64_t free)
{
    const std::int64_t wanted = needs.ranks * ofARank + needs.tensorBytes;
    if (static_cast<double>(wanted) <= LargestShare * static_cast<double>(free)) {
        return std::nullopt;
    }
    return Text(LS_TR("Messages", "together their %1 ranks need about %2 GB of %3, and %4 GB are free"),
        {needs.ranks, verbatim(fmt::format("{:.1f}", static_cast<double>(wanted) * 1e-9)), what,
            verbatim(fmt::format("{:.1f}", static_cast<double>(free) * 1e-9))});
}

} // namespace

void arrange(std::vector<RunJob::Setup>& jobs)
{
    const auto place = [](const RunJob::Setup& job) {
        return std::pair(job.record.spec.repeat, experiment::isSweep(job.record.spec));
    };
    std::map<std::pair<int, bool>, std::set<std::string>> names; ///< of the runs that are compared with each other
    bool isOneExperiment = true;
    for (const RunJob::Setup& job : jobs) {
        const experiment::RunSpec& run = job.record.spec;
        isOneExperiment = isOneExperiment && run.experiment == jobs.front().record.spec.experiment && takesTurns(run)
            && names[place(job)].insert(run.name).second;
    }
    const bool areVariants
        = std::any_of(names.begin(), names.end(), [](const auto& compared) { return compared.second.size() > 1; });
    if (!isOneExperiment || !areVariants) {
        return;
    }
    std::stable_sort(jobs.begin(), jobs.end(),
        [&place](const RunJob::Setup& a, const RunJob::Setup& b) { return place(a) < place(b); });
    static std::atomic<int> numbers{1}; // runs of two starts may wait side by side
    std::map<std::pair<int, bool>, int> comparisons;
    for (const auto& [where, compared] : names) {
        comparisons[where] = compared.size() > 1 ? numbers.fetch_add(1) : 0;
    }
    for (RunJob::Setup& job : jobs) {
        job.comparison = comparisons[place(job)];
    }
}

bool needQuiet(std::span<const RunJob::Setup> jobs)
{
    const SessionOptions& options = jobs.front().options;
    const std::int32_t first = ranksOf(jobs.front().record.spec);
    return !options.awaits && options.hosts.empty()
        && std::ranges::any_of(jobs, [first](const RunJob::Setup& job) { return ranksOf(job.record.spec) != first; });
}

Crowd crowdOf(std::span<const RunJob::Setup> jobs)
{
    Crowd crowd{static_cast<std::int64_t>(jobs.size()), 0};
    for (const RunJob::Setup& job : jobs) {
        crowd.ranks += ranksOf(job.record.spec);
    }
    return crowd;
}

std::optional<Text> whyNotTogether(std::span<const RunJob::Setup> jobs)
{
    if (jobs.front().options.awaits) {
        return LS_TR("Messages", "others start their ranks, for one run at a time");
    }
    for (const RunJob::Setup& job : jobs) {
        if (auto reason = whyAlone(job.record.spec)) {
            return reason;
        }
    }
    if (!jobs.front().options.hosts.empty()) {
        return std::nullopt; // each host's memory is looked at when its ranks are started
    }
    const Needs needs = needsOf(jobs);
    std::int64_t free = jobs.front().options.freeMemoryBytes;
    if (free < 0) {
        free = bytesIn(readProcFile("/proc/meminfo"), "MemAvailable").value_or(0);
    }
    auto reason = whyNotOn(LS_TR("Messages", "memory"), needs, BytesOfARank, free);
    const bool areOnGpus
        = std::any_of(jobs.begin(), jobs.end(), [](const RunJob::Setup& job) { return usesGpu(job.record.spec); });
    if (reason || !areOnGpus) {
        return reason;
    }
    const auto freeOnDevice = freeDeviceBytes();
    return freeOnDevice
        ? whyNotOn(LS_TR("Messages", "GPU memory"), needs, DeviceBytesOfARank, *freeOnDevice)
        : std::optional<Text>(LS_TR("Messages", "the driver does not report how much GPU memory is free"));
}

} // namespace lockstep::launch
