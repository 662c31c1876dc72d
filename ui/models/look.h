// How the curves of one variant look.
#pragma once

#include <QColor>

#include <cstddef>

namespace lockstep::ui {

enum class Dash { Solid, Dashed, Dotted, DashDotted };
inline constexpr std::size_t DashCount = 4;

struct Look {
    QColor color; ///< on a light ground: onGround() gives that for a dark one
    Dash dash = Dash::Solid;
    int marker = 0; ///< number of its shape, so that greyscale prints stay readable

    bool operator==(const Look&) const = default;
};

} // namespace lockstep::ui
