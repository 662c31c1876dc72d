// What a verdict on an optimizer says by the topic of the case in which it first goes wrong: only that is new there.
// Private to core/laboratory/code.
#pragma once

#include "laboratory/code/code_verdict.h"
#include "laboratory/code/optimizer_cases.h"

#include <cstddef>
#include <span>

namespace lockstep::laboratory {

/// `fault` with what the case has: its settings, a second object, a parameter without a gradient. `taken`: the settings
/// that the class takes.
[[nodiscard]] Error duringTopic(
    const Error& fault, const OptimizerCase& given, std::size_t object, std::span<const SettingRow> taken);
/// With what is wrong where only this is new; as it is where the topic says nothing.
[[nodiscard]] CodeVerdict ofTopic(CodeVerdict verdict, CaseTopic topic);
/// The same of an exception.
[[nodiscard]] CodeVerdict brokenByTopic(CodeVerdict broken, CaseTopic topic);

} // namespace lockstep::laboratory
