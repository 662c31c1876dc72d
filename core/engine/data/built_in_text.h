// The text that comes with the program: compiled in, so that nothing depends on where it is installed. No LibTorch.
#pragma once

#include <cstdint>
#include <span>

namespace lockstep::engine {

/// resources/text/shakespeare.txt: `experiment::BuiltInTextBytes` bytes.
[[nodiscard]] std::span<const std::uint8_t> builtInText();

} // namespace lockstep::engine
