#include "launch/rank_limits.h"

#include "base/process_limits.h"
#include "base/translate.h"

#include <optional>
#include <string_view>

namespace lockstep::launch {

namespace {

/// Two pipes, the process and its connection; a fifth while it is started.
constexpr std::int64_t FilesOfARank = 5;
/// The run's file with its journal, and where its ranks connect.
constexpr std::int64_t FilesOfARun = 4;
/// The store's index, the monitor, what a failure needs.
constexpr std::int64_t FilesBeside = 12;
/// The rank, and the thread that sends what it records.
constexpr std::int64_t ProcessesOfARank = 2;

Result<void> check(
    const Crowd& crowd, std::string_view pattern, std::int64_t needed, const std::optional<Allowance>& allowed)
{
    if (!allowed || needed <= allowed->left()) {
        return {};
    }
    const Error refused = failure(pattern, {crowd.ranks, needed, allowed->most, verbatim(allowed->by), allowed->used});
    return crowd.runs == 1
        ? refused
        : failure(LS_TR("Messages", "%1. With measure.interleave=false the %2 runs follow each other and need less"),
            {refused, crowd.runs});
}

} // namespace

Result<void> checkLimits(const Crowd& crowd)
{
    LOCKSTEP_TRY(check(crowd,
        LS_TR("Messages",
            "%1 ranks need about %2 open files; this process may have %3 (%4), and %5 are in use. Raise the limit"),
        crowd.ranks * FilesOfARank + crowd.runs * FilesOfARun + FilesBeside, openFileAllowance()));
    return check(crowd,
        LS_TR("Messages",
            "%1 ranks need about %2 processes and threads; %3 are allowed (%4), and %5 exist. Raise the limit"),
        crowd.ranks * ProcessesOfARank, processAllowance());
}

} // namespace lockstep::launch
