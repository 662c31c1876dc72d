// Which backend can run which collective here: two ranks try each, with every type and reduction, in host and GPU
// memory.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace lockstep::engine {

/// [{"backend":"gloo","device":"cpu","collective":"all_reduce","how":{"native":["float32",...],"composed":[...]},
/// "works":true,"tried":42,"error":""},...]
[[nodiscard]] nlohmann::json triedBackends(int gpus);

/// Whether this program was built with MPI.
[[nodiscard]] bool canUseMpi();

/// One of the two ranks that triedBackends() starts as processes, for `mpi:cpu` or `shm:cuda`: prints a line of JSON
/// and gives the exit code.
[[nodiscard]] int tryBackendAsRank(const std::string& backendAndDevice);

} // namespace lockstep::engine
