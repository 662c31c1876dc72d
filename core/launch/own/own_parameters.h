// The parameters of a user's own program: lockstep.parameter("lr", 0.1, ...) in a script is the setting `own.lr`, and
// so is an argument `--lr` of its command line (argparse, click, dataclasses). A helper of ours reads the script with
// Python's parser and never runs it.
#pragma once

#include "base/result.h"
#include "experiment/spec.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace lockstep::launch {

/// How a boolean is given on the command line.
enum class Switch : std::uint8_t {
    Value, ///< `--amp=True`; every other type likewise
    On, ///< the flag alone, if it is true
    Off, ///< the flag alone, if it is false
    Pair ///< the flag, or its negative
};

struct OwnParameter {
    std::string name{}; ///< `own.lr`
    experiment::Value standard{}; ///< a boolean, an integer, a number or a text: the parameter's type
    std::string help{};
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    std::vector<experiment::Value> choices{}; ///< empty: any value
    std::string flag{}; ///< `--lr`; empty: the script asks for it with lockstep.parameter()
    std::string negative{}; ///< `--no-amp` of a pair
    Switch kind = Switch::Value;
};

/// In the order of the script. Starts python3 and waits, at most 10 s. The error says what is wrong in which line.
[[nodiscard]] Result<std::vector<OwnParameter>> declaredParameters(const QString& script);

/// The parameters of a run's program that have a flag, each with the value that the command (`words`, without the flags
/// that we add) gives it. Reads a script again once it has changed; a script that cannot be read has none.
[[nodiscard]] std::vector<OwnParameter> flagParameters(const QString& script, const QStringList& words);

/// What is added to the command: a flag for each `own.*` setting that is not what the command gives anyway.
[[nodiscard]] QStringList flagsOf(const experiment::RunSpec& run, const std::vector<OwnParameter>& parameters);

/// The value as the parameter's type, or why it cannot be; the message begins with the parameter's name.
[[nodiscard]] Result<experiment::Value> fitting(const OwnParameter& parameter, const experiment::Value& value);

/// Checks the `own.*` settings of runs of a user's own program against their scripts, and adds those that are missing
/// with the script's defaults; a seed on the command line rises with each repeat. Refuses, by name, a setting that
/// would not reach the script.
[[nodiscard]] Result<void> completeOwnParameters(std::span<experiment::RunSpec> runs);

} // namespace lockstep::launch
