// What this rank program can carry out, for the comparison with what the workbench offers.
#pragma once

#include <string>

namespace lockstep::engine {

/// {"version":1,"choices":{"optimizer.name":["gd",...],"net.name":[...],...}}
[[nodiscard]] std::string choicesJson();

} // namespace lockstep::engine
