// The colour of text on a coloured ground.
#pragma once

#include <QColor>

#include <cmath>

namespace lockstep::ui {

/// Black or white, whichever has more contrast, by relative luminance (WCAG 2.1).
[[nodiscard]] inline QColor inkOn(const QColor& ground)
{
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const double luminance
        = 0.2126 * linear(ground.redF()) + 0.7152 * linear(ground.greenF()) + 0.0722 * linear(ground.blueF());
    return luminance > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace lockstep::ui
