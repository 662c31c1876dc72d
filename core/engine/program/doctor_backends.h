// Which backend can do which collective here: every one tried, with every type and reduction, by two ranks.
#pragma once

#include <nlohmann/json.hpp>

namespace lockstep::engine {

/// [{"backend":"gloo","device":"cpu","collective":"all_reduce","how":{"native":["float32",...],"composed":[...]},
/// "works":true,"tried":42,"error":""},...]
[[nodiscard]] nlohmann::json triedBackends();

/// Whether this program was built with MPI.
[[nodiscard]] bool canUseMpi();

/// One of the two ranks that triedBackends() has mpirun start: prints a line of JSON and gives the exit code.
[[nodiscard]] int tryMpiAsRank();

} // namespace lockstep::engine
