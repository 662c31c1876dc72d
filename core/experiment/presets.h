// The built-in presets as text, in the gallery's order. Private to this room.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::experiment {

struct PresetText {
    std::string_view name;
    std::string_view json;
};

[[nodiscard]] std::span<const PresetText> presetTexts();

} // namespace lockstep::experiment
