#include "analysis/timing/machine_load.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

/// In it each core has twenty of the ticks by which the kernel counts how busy it was.
constexpr double ShortestWatchedNs = 2e8;

/// All ranks of a host together.
struct LoadOfHost {
    double runNs = 0.0;
    double delayNs = 0.0;
    double ownCores = 0.0;
    double busyCores = 0.0; ///< mean of what the ranks saw; all may use the same cores
    int ranks = 0;
    bool isBusyKnown = true;

    void add(const ProcessorTimes& times)
    {
        const auto watched = static_cast<double>(times.watchedNs);
        runNs += static_cast<double>(times.runNs);
        delayNs += static_cast<double>(times.delayNs);
        ownCores += static_cast<double>(times.runNs) / watched;
        ++ranks;
        busyCores += (static_cast<double>(times.busyNs) / watched - busyCores) / ranks;
        isBusyKnown = isBusyKnown && times.busyNs > 0 && watched >= ShortestWatchedNs;
    }

    /// Of all processor time the part that other work had.
    [[nodiscard]] double othersShare() const { return std::max(0.0, 1.0 - ownCores / busyCores); }
};

} // namespace

MachineLoad machineLoadOf(
    const std::map<std::int32_t, ProcessorTimes>& ranks, const std::map<std::int32_t, std::string>& hosts)
{
    std::map<std::string, LoadOfHost> loads;
    for (const auto& [rank, times] : ranks) {
        if (times.watchedNs <= 0 || times.runNs <= 0) {
            return {};
        }
        const auto host = hosts.find(rank);
        loads[host == hosts.end() ? std::string() : host->second].add(times);
    }
    double runNs = 0.0;
    double delayNs = 0.0;
    double byOthersNs = 0.0;
    MachineLoad load{.cpuCores = 0.0};
    for (const auto& [host, of] : loads) {
        runNs += of.runNs;
        delayNs += of.delayNs;
        byOthersNs += of.isBusyKnown ? of.delayNs * of.othersShare() : NotMeasured;
        load.cpuCores += of.ownCores;
    }
    if (loads.empty()) {
        return {};
    }
    load.runDelayShare = delayNs / (runNs + delayNs);
    load.delayByOthers = byOthersNs / (runNs + delayNs);
    return load;
}

bool wasMachineBusy(const RunRecord& run)
{
    return run.summary.delayByOthers >= BusyMachine;
}

double threadsPerCore(const RunRecord& run)
{
    const auto threads = static_cast<double>(ranksOf(run) * run.spec.settings->rank.threads);
    return run.summary.cores > 0 ? threads / static_cast<double>(run.summary.cores) : 0.0;
}

} // namespace lockstep::analysis
