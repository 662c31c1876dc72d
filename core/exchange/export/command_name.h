// Names of control commands in exported data. Private to export.
#pragma once

#include "wire/messages.h"

#include <array>
#include <string_view>

namespace lockstep::exchange {

[[nodiscard]] inline std::string_view commandName(wire::Command command)
{
    constexpr std::array<std::string_view, 9> Names{"pause", "resume", "stop", "set_straggler", "set_link",
        "checkpoint", "set_straggler_factor", "set_link_bandwidth", "run_steps"};
    const auto place = static_cast<std::size_t>(command);
    return place < Names.size() ? Names[place] : "unknown";
}

} // namespace lockstep::exchange
