// Small pieces of text that several rooms write.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// Whole numbers with thousands separators: `60,000`.
[[nodiscard]] std::string groupedDigits(std::int64_t number);

} // namespace lockstep
