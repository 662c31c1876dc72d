// The options that say where a command starts the ranks of its runs.
#pragma once

#include "base/translate.h"
#include "cli/arguments.h"
#include "experiment/spec.h"
#include "launch/session.h"

#include <optional>
#include <span>
#include <vector>

namespace lockstep::cli {

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

/// Where the ranks are started; by default on this machine.
struct RankPlaces {
    std::vector<rendezvous::Host> hosts; ///< ssh or srun starts them there
    std::optional<launch::AwaitOptions> awaits; ///< others start them

    [[nodiscard]] bool isThisMachine() const { return hosts.empty() && !awaits; }
};

enum class PlacesFor { Starting, Checking };
/// From these options. To check whether runs fit, wait needs no --listen and --workbench-file. Error: `--launch: ssh
/// needs --hosts FILE`.
[[nodiscard]] Result<RankPlaces> rankPlacesOf(const Arguments& arguments, PlacesFor purpose = PlacesFor::Starting);

/// What a run needs on this machine, or on the hosts as far as it can be checked from here.
[[nodiscard]] Result<void> checkPlaces(std::span<const experiment::RunSpec> runs, const RankPlaces& places);

} // namespace lockstep::cli
