// The link as measured by a run of collectives.
#pragma once

#include "analysis/run_record.h"
#include "analysis/scaling/comm_cost.h"

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

/// Median times by size: of arrays as training has them if measured, else in place, else out of place.
[[nodiscard]] std::vector<Measurement> measurementsOf(const RunRecord& run);
/// By size in bytes; of repeats the median of their times.
[[nodiscard]] std::map<double, double> secondsBySize(std::span<const RunRecord* const> repeats);
/// Whether these are of arrays in memory that the ranks share.
[[nodiscard]] bool measuresSharedArrays(const RunRecord& run);

/// How many ranks send the messages of an all-reduce between them: over hosts with shared memory, one of each.
[[nodiscard]] int ranksOfMessages(const RunRecord& run);

/// Alpha and beta behind a sweep over all-reduces; empty for other runs, and if the sizes do not determine them.
[[nodiscard]] std::optional<LinkFit> linkOf(const RunRecord& run);
/// The mean over repeats.
[[nodiscard]] std::optional<LinkFit> linkOf(std::span<const RunRecord* const> repeats);

/// Where a link was measured. Only an emulated one and one between hosts represent a link between machines: costs of
/// messages in shared memory, or between processes of one machine, do not carry over to several machines.
enum class LinkReach { Emulated, SharedMemory, OneMachine, Hosts };
[[nodiscard]] LinkReach reachOf(const RunRecord& run);
[[nodiscard]] constexpr bool carriesBeyondMachine(LinkReach reach)
{
    return reach == LinkReach::Emulated || reach == LinkReach::Hosts;
}
/// `emulated`, `shared_memory`, `one_machine`, `between_hosts`: as in JSON.
[[nodiscard]] std::string_view nameOf(LinkReach reach);

} // namespace lockstep::analysis
