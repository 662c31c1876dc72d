// The environment of a process as a value, so that what is read from it can be tested.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace lockstep::rendezvous {

using Variables = std::map<std::string, std::string, std::less<>>;

/// An empty variable counts as unset.
[[nodiscard]] Variables variablesOfProcess();
/// Empty if it is not set.
[[nodiscard]] std::string valueOf(const Variables& variables, const std::string& name);

} // namespace lockstep::rendezvous
