// Whether the machines of a run were busy with other work while its steps were measured.
//
// A rank that is runnable and has no core waits for what uses the cores: other programs, or ranks of the same run,
// where these are more than the cores. The kernel counts how long it waits (schedstat's run delay), not for whom. But
// cores are never free while somebody waits for one, so of each wait other work is given the part that it had of all
// processor time on that host. Ranks that share cores among themselves on a quiet machine are then not called
// disturbed.
#pragma once

#include "analysis/run_record.h"
#include "base/processor_times.h"

#include <cstdint>
#include <map>
#include <string>

namespace lockstep::analysis {

struct MachineLoad {
    double runDelayShare = NotMeasured; ///< as in Summary
    double delayByOthers = NotMeasured;
    double cpuCores = NotMeasured;
};

/// Of the ranks of a run, on these hosts; a rank without a host is on the one without a name. NotMeasured where a
/// rank's times are unknown; delayByOthers also where the ranks were watched for less than the kernel's clock ticks can
/// show.
[[nodiscard]] MachineLoad machineLoadOf(
    const std::map<std::int32_t, ProcessorTimes>& ranks, const std::map<std::int32_t, std::string>& hosts);

/// Summary::delayByOthers from which times are not those of a quiet machine. Measured on two cores, with 1 rank of the
/// preset optimizers, 4 of aggregation, and 1, 2 and 8 of scaling: 3, 5, 3, 1 and 6 % with priority over all other
/// work; 18, 47, 30, 32 and 23 % beside two busy loops; 68, 73, 65, 59 and 44 % beside six. runDelayShare does not
/// distinguish them: 4 and 8 ranks that nothing disturbs wait 53 and 77 % of their time, for each other.
inline constexpr double BusyMachine = 0.1;

/// Whether the ranks waited as long as that; not where it is unknown.
[[nodiscard]] bool wasMachineBusy(const RunRecord& run);
/// How many of its ranks' threads there are for each core; 0 where the cores are unknown.
[[nodiscard]] double threadsPerCore(const RunRecord& run);
/// Whether not all ranks can compute at once.
[[nodiscard]] inline bool sharesCores(const RunRecord& run)
{
    return threadsPerCore(run) > 1.0;
}

} // namespace lockstep::analysis
