// How many files this process may open and how many processes it may start, and how much of that is left.
#pragma once

#include "base/text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace lockstep {

/// Raises the soft limit of open files to the hard one: a rank takes about five. Call it at the beginning of main().
void raiseOpenFileLimit();
/// Restores the limit that this process was started with: for a child, between fork and exec, since a program that
/// calls select() cannot use descriptors above 1023.
void restoreOpenFileLimit();

struct Allowance {
    std::int64_t most = 0;
    std::int64_t used = 0;
    std::string_view by{}; ///< what sets it, as the user would look it up: `ulimit -n`

    [[nodiscard]] std::int64_t left() const { return most - used; }
};

/// Nothing: there is no limit, or it is unknown.
[[nodiscard]] std::optional<Allowance> openFileAllowance();
/// The stricter of the user's limit, which does not bind root, and the control groups'. A thread counts as a process.
[[nodiscard]] std::optional<Allowance> processAllowance();
/// The strictest `pids.max` of a process's control groups. `memberships`: its /proc/PID/cgroup; `root`: where the
/// groups are mounted.
[[nodiscard]] std::optional<Allowance> groupAllowance(std::string_view memberships, const std::string& root);

/// `Too many open files: this process may open 1024 files (ulimit -n)`. Why a process, thread or file could not be
/// created: what the system says of the error code, with the limit that was reached, if that is the reason.
[[nodiscard]] Text atLimit(int code, const Text& why);
[[nodiscard]] Text atLimit(int code);
/// Why a thread could not be created, where that is the error; else what it says itself.
[[nodiscard]] Text systemFailure(const std::system_error& error);

} // namespace lockstep
