// Gathers the points of a reference file in any order. Private to the folder.
#pragma once

#include "exchange/reference/reference_curves.h"

#include <QFile>

#include <map>

namespace lockstep::exchange {

/// For reading; refuses a file that is too large.
[[nodiscard]] Result<void> openReference(QFile& file);

class ReferenceBuilder {
public:
    /// A second point of a step replaces the first, as where a program was resumed. Refused: a negative step, a name
    /// that is too long, too many curves or points.
    [[nodiscard]] Result<void> add(const std::string& name, std::int64_t step, double wallSeconds, double value);
    /// `hasTime`: wallSeconds was known.
    [[nodiscard]] std::vector<ReferenceCurve> curves(bool hasTime) const;

private:
    struct Point {
        double wallSeconds = 0.0;
        double value = 0.0;
    };
    std::map<std::string, std::map<std::int64_t, Point>> m_curves;
    std::size_t m_points = 0;
};

} // namespace lockstep::exchange
