// Which backend can do which collective here: every one tried, with every type and reduction, by two ranks.
#pragma once

#include <nlohmann/json.hpp>

namespace lockstep::engine {

/// [{"backend":"gloo","device":"cpu","collective":"all_reduce","how":{"native":["float32",...],"composed":[...]},
/// "works":true,"tried":42,"error":""},...]
[[nodiscard]] nlohmann::json triedBackends();

} // namespace lockstep::engine
