// Shared by `run` and `resume`: executes runs, reports their progress and prints their results.
#pragma once

#include "base/translate.h"
#include "experiment/spec.h"
#include "session/commands/arguments.h"
#include "session/commands/verbs.h"

#include <vector>

namespace lockstep::session {

/// Where the ranks are.
inline constexpr Option LaunchOption{"--launch", "HOW",
    LS_TR("CommandLine",
        "local: the ranks are on this machine; ssh: on those of --hosts; slurm: on the nodes of the allocation "
        "that this command runs in; wait: others start them, with the file of --workbench-file")};
inline constexpr Option HostsOption{"--hosts", "FILE",
    LS_TR("CommandLine", "the hosts, one per line: NAME slots=N program=/PATH address=ADDRESS; needs --launch ssh")};
inline constexpr Option ListenOption{"--listen", "ADDRESS[:PORT]",
    LS_TR(
        "CommandLine", "this machine's address, by which the ranks reach it; they come over TLS; needs --launch wait")};
inline constexpr Option WorkbenchFileOption{"--workbench-file", "FILE",
    LS_TR("CommandLine",
        "is written for each run and tells its ranks where this command waits, and the run's secret: "
        "LOCKSTEP_WORKBENCH=FILE lockstep-rank; needs --launch wait")};

/// With these options and --out, --json and --store of `arguments`; gives the exit code.
[[nodiscard]] int carryOut(
    const std::vector<experiment::RunSpec>& runs, const Arguments& arguments, const CommandContext& context);

} // namespace lockstep::session
