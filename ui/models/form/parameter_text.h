// The texts of the parameter table in the window's language.
#pragma once

#include "base/result.h"
#include "experiment/parameter.h"

#include <QString>

namespace lockstep::ui {

[[nodiscard]] QString translatedLabel(const experiment::Parameter& parameter);
[[nodiscard]] QString translatedHelp(const experiment::Parameter& parameter);
[[nodiscard]] QString translatedGroup(const experiment::Parameter& parameter);
/// What 0 means where it is no number: "all", "no limit"; empty for other parameters and texts.
[[nodiscard]] QString zeroText(const experiment::Parameter& parameter, const QString& text);
/// The label of a choice's value, and what 0 means; other values as they are.
[[nodiscard]] QString translatedValue(const experiment::Parameter& parameter, const QString& text);
/// What a field holds, as it was typed; and what it shows of a value.
[[nodiscard]] Result<experiment::Value> typedValue(const experiment::Parameter& parameter, const QString& text);
[[nodiscard]] QString typedText(const experiment::Value& value);
/// What a field accepts, in words: "a number above 0 and at most 10".
[[nodiscard]] QString allowedInWords(const experiment::Parameter& parameter);

} // namespace lockstep::ui
