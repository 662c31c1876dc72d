// The runs that a command line names: a preset, a spec file, or the user's own program after `--`, with -n, --set,
// --vary, --only and --trust.
#pragma once

#include "base/result.h"
#include "base/translate.h"
#include "cli/arguments.h"
#include "experiment/spec.h"

#include <vector>

namespace lockstep::cli {

inline constexpr Option SetOption{
    "--set", "KEY=VALUE", LS_TR("CommandLine", "sets a parameter in every variant; may be repeated")};
inline constexpr Option VaryOption{
    "--vary", "KEY=V1,V2", LS_TR("CommandLine", "makes a variant for each value; several give all combinations")};
inline constexpr Option OnlyOption{"--only", "NAME[,NAME]", LS_TR("CommandLine", "only these variants")};
inline constexpr Option TrustOption{"--trust", "",
    LS_TR(
        "CommandLine", "starts the program, and uses the folders, that a spec file names; needed only once for each")};

inline constexpr Option RanksOption{
    "-n", "N", LS_TR("CommandLine", "ranks: sets world_size; of a program without it, those that it makes itself")};

/// Of the first positional word, or of the command after `--`, a user's own program. Complete, checked and confirmed.
/// What has no effect is reported on stderr.
[[nodiscard]] Result<std::vector<experiment::RunSpec>> readRuns(const Arguments& arguments);

/// Of --set, -n and the command after `--`.
[[nodiscard]] Result<std::vector<experiment::Override>> overridesOf(const Arguments& arguments);

/// Whether there is one preset or spec file, or a command after `--`.
[[nodiscard]] bool namesRuns(const Arguments& arguments);

} // namespace lockstep::cli
