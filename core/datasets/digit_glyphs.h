// How the digits are written: strokes through points of the unit square, y downwards. Private to this room.
#pragma once

#include <span>
#include <vector>

namespace lockstep::datasets {

struct Point {
    double x = 0.0;
    double y = 0.0;
};

using Stroke = std::vector<Point>;
using Glyph = std::vector<Stroke>;

/// The ways in which people write `digit` (0 .. 9).
[[nodiscard]] std::span<const Glyph> glyphsOf(int digit);

} // namespace lockstep::datasets
