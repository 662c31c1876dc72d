// The value of one parameter, and the text form that the command line, the form and messages share.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::experiment {

/// Lists are written `0,2,3` on the command line and as arrays in JSON.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>>;

/// Parameter name -> value. Ordered, so that equal assignments print equally.
using Assignment = std::map<std::string, Value>;

/// The shortest text that reads back as the same value: `0.1`, `true`, `0,2`.
[[nodiscard]] std::string toText(const Value& value);

} // namespace lockstep::experiment
