// The parameters of a user's own program: lockstep.parameter("lr", 0.1, ...) in a script is the setting `own.lr`. A
// helper of ours reads the script with Python's parser and never runs it.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <QString>

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace lockstep::launch {

struct OwnParameter {
    std::string name{}; ///< `own.lr`
    experiment::Value standard{}; ///< a boolean, an integer, a number or a text: the parameter's type
    std::string help{};
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<experiment::Value> choices{}; ///< empty: any value
};

/// In the order of the script. Starts python3 and waits, at most 10 s. The error says what is wrong in which line.
[[nodiscard]] Result<std::vector<OwnParameter>> declaredParameters(const QString& script);

/// The value as the parameter's type, or why it cannot be; the message begins with the parameter's name.
[[nodiscard]] Result<experiment::Value> fitting(const OwnParameter& parameter, const experiment::Value& value);

/// Checks the `own.*` settings of runs of a user's own program against their scripts, and adds those that are missing
/// with the script's defaults. Refuses, by name, a setting that would not reach the script.
[[nodiscard]] Result<void> completeOwnParameters(std::span<experiment::RunSpec> runs);

} // namespace lockstep::launch
