// Completions of the command line for shells, as scripts that start no program.
#pragma once

#include "cli/pages/verb_usage.h"

#include <span>
#include <string>

namespace lockstep::cli {

/// Of one program: `lockstep` with its verbs, or `lockstep-rank`, which has one usage without a verb.
struct CompletedProgram {
    std::string name;
    std::span<const VerbUsage> usages;
};

[[nodiscard]] std::string bashCompletion(const CompletedProgram& program);
[[nodiscard]] std::string zshCompletion(const CompletedProgram& program);
[[nodiscard]] std::string fishCompletion(const CompletedProgram& program);

} // namespace lockstep::cli
