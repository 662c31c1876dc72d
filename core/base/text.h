// Small pieces of text that several rooms write.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// Whole numbers with thousands separators: `60,000`.
[[nodiscard]] std::string groupedDigits(std::int64_t number);

/// The pattern with the arguments in the places of %1 to %9; a number without an argument stays.
[[nodiscard]] std::string filled(std::string_view pattern, std::span<const std::string> arguments);

/// Between two Chinese characters: without a space, and with a Chinese comma. Names of both languages fill one pattern.
[[nodiscard]] std::string tidiedChinese(std::string_view text);

} // namespace lockstep
