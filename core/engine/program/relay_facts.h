// What a host is, for a workbench that wants to start ranks on it.
#pragma once

#include <string>

namespace lockstep::engine {

/// {"version":"1.0","protocol":2,"libtorch":"1.13.1","host":"n1","cores":2,"memory_bytes":8,"free_bytes":4,
/// "gpus":["NVIDIA H100"],"address":"10.0.0.1","port":40001}; `address`: at which ssh came here, empty if it is not
/// known; `port`: was free a moment ago.
[[nodiscard]] std::string hostFactsJson();

} // namespace lockstep::engine
