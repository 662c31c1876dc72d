// Gathers the points of a reference file in any order. Private to the folder.
#pragma once

#include "exchange/reference/reference_curves.h"

#include <QFile>

#include <map>

namespace lockstep::exchange {

/// For reading; refuses a file that is too large.
[[nodiscard]] Result<void> openReference(QFile& file);

/// A table's text as UTF-8.
struct TableText {
    QByteArray bytes;
    bool isCut = false; ///< its end is missing
};
/// Inflates .gz and converts UTF-16, which begins with its mark. Zeros at the end, as a computer that lost its power
/// leaves them, are cut off. Refuses what is no text.
[[nodiscard]] Result<TableText> readTableText(const QString& path);

class ReferenceBuilder {
public:
    /// A second point of a step replaces the first, as where a program was resumed, and is counted. Refused: a negative
    /// step, a name that is too long, too many curves or points.
    [[nodiscard]] Result<void> add(const std::string& name, std::int64_t step, double wallSeconds, double value);
    [[nodiscard]] bool isEmpty() const { return m_curves.empty(); }
    /// `hasTime`: wallSeconds was known. `damage` as in ReferenceCurves.
    [[nodiscard]] ReferenceCurves curves(bool hasTime, const Text& damage) const;

private:
    struct Point {
        double wallSeconds = 0.0;
        double value = 0.0;
    };
    std::map<std::string, std::map<std::int64_t, Point>> m_curves;
    std::size_t m_points = 0; ///< one a step of each curve
    std::size_t m_added = 0;
};

} // namespace lockstep::exchange
