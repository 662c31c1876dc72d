// Names below an axis: broken into lines, or slanted where they would touch. Private to ui/charts.
#pragma once

#include <QFontMetricsF>
#include <QString>

#include <cstddef>
#include <vector>

namespace lockstep::ui {

/// With many bars long names take two lines.
[[nodiscard]] QString brokenName(const QString& name, std::size_t bars);

/// The angle in radians at which names, `slot` apart, do not touch, as flat as may be, at most 60 degrees; 0 where they
/// fit side by side.
[[nodiscard]] double slantOf(const std::vector<QString>& names, double slot, const QFontMetricsF& metrics);

/// How far names with that slant reach over the left end of their axis.
[[nodiscard]] double reachToTheLeft(
    const std::vector<QString>& names, double slot, double slant, const QFontMetricsF& metrics);

} // namespace lockstep::ui
