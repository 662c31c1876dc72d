// The parameter table: one row says everything about a parameter. The form, `--set`, `--help`, validation, the JSON
// schema (`lockstep parameters --json`) and the reference page all come from these rows.
#pragma once

#include "base/result.h"
#include "experiment/settings.h"
#include "experiment/value.h"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::experiment {

/// Scalar: a boolean, an integer, a number or a text, as it is written; of parameters that a script declares.
enum class Type { Boolean, Integer, Real, Choice, Text, Path, IntegerList, RealList, Scalar };

/// The form shows basic parameters at once and advanced ones in folded sections.
enum class Level { Basic, Advanced };

/// One value of a Choice parameter. `label` and `help` are LS_TR("Parameters", ...) texts.
struct Choice {
    std::string_view name;
    std::string_view label;
    std::string_view help;
};

/// Holds when `parameter` has one of `values` (their text form). A row's conditions must all hold.
struct Condition {
    std::string_view parameter;
    std::vector<std::string_view> values;
};

/// Limits of a number; an open end is excluded. Lists: of each element.
struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    bool openMinimum = false;
    bool openMaximum = false;
};

struct Parameter {
    std::string_view name{}; ///< dotted snake_case, as in a spec: `optimizer.lr`
    Member fills{}; ///< `&OptimizerSettings::lr`
    std::string_view group{}; ///< LS_TR("Parameters", "Optimizer"): the form's section
    std::string_view label{}; ///< LS_TR("Parameters", "Learning rate")
    std::string_view help{}; ///< LS_TR("Parameters", ...): one line, in words a student knows
    std::string_view unit{}; ///< `ms`, `MB`, `samples`; empty if none
    Type type = Type::Real;
    Level level = Level::Basic;
    Range range{};
    std::vector<Choice> choices{};
    Value standard{}; ///< the default
    std::string_view zero{}; ///< LS_TR("ZeroTexts", ...): what 0 means where it is no amount; empty if it is one
    std::vector<Condition> appliesWhen{}; ///< empty: always
    std::vector<Condition> isFileWhen{}; ///< when a path names a file; else, and when empty, it names a folder
    bool mustAgree = false; ///< a run resumes only from a checkpoint with the same value
};

/// All rows, in the order in which the form shows them.
[[nodiscard]] std::span<const Parameter> parameters();

/// nullptr for an unknown name. Every name of the form `own.NAME` has a row of type Scalar, whose default is an empty
/// text: which of them a script has is known only where the script is (launch/own/own_parameters.h).
[[nodiscard]] const Parameter* findParameter(std::string_view name);
/// The row that fills it.
[[nodiscard]] const Parameter& parameterOf(const Member& member);
/// Whether it is a parameter of a user's own program, such as `own.lr`.
[[nodiscard]] bool isOwnParameter(std::string_view name);

/// Reads the text form of a value for this row. Message: `optimizer.lr: -1 is outside (0, 10]`.
[[nodiscard]] Result<Value> parseValue(const Parameter& parameter, std::string_view text);

/// Type, range and choice; the same messages as parseValue.
[[nodiscard]] Result<void> checkValue(const Parameter& parameter, const Value& value);

/// `(0, 10]`, `one of gd, sgd, adam`, `an integer, at least 1`: for messages, the form and the reference page.
[[nodiscard]] Text allowedText(const Parameter& parameter);

/// Whether the row applies under these (complete) settings.
[[nodiscard]] bool applies(const Parameter& parameter, const Assignment& settings);
/// Whether the row applies and the run reads it: a user's own program has its data, net and optimizer from its script.
[[nodiscard]] bool isUsed(const Parameter& parameter, const Assignment& settings);
/// `strategy.name is data or local`; empty for a row that always applies.
[[nodiscard]] Text whenItApplies(const Parameter& parameter);
/// Whether a path of this row names a file under these (complete) settings.
[[nodiscard]] bool namesFile(const Parameter& parameter, const Assignment& settings);

/// The whole table as JSON: version, and per row name, type, group, label, unit, minimum, maximum, choices, default,
/// help, level, applies_when. What `lockstep parameters --json` prints.
[[nodiscard]] std::string parametersJson();

/// The reference page resources/docs/parameters.md, made from the table (a test keeps the file equal to this).
[[nodiscard]] std::string parametersMarkdown();

} // namespace lockstep::experiment
