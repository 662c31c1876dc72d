// Curves that another program measured: scalars of a TensorBoard event file, columns of a CSV. Files from anywhere are
// safe to read: what is not as it should be is refused, with its place.
#pragma once

#include "base/result.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::exchange {

struct ReferenceCurve {
    std::string name;
    std::vector<std::int64_t> step; ///< ascending, each once
    std::vector<double> wallSeconds; ///< since 1970; empty where the file has none
    std::vector<double> value; ///< may be NaN
};

struct ReferenceCurves {
    std::vector<ReferenceCurve> curves; ///< by name
    Text damage{}; ///< what is missing at the end: its program was ended, or still writes; empty: nothing
    std::size_t dropped = 0; ///< points that a later one of the same curve and step replaced
    std::size_t points = 0; ///< of all curves, with those
};

/// Limits of a file; beyond them it is refused.
inline constexpr qint64 MaxReferenceBytes = qint64{1} << 30;
inline constexpr std::size_t MaxReferenceCurves = 1000;
inline constexpr std::size_t MaxReferencePoints = 5'000'000; ///< of all curves together

/// Whether the file begins as an event file does, whatever its name.
[[nodiscard]] bool isEventFile(const QString& path);
/// Images, histograms, texts and graphs are left out. What follows a damaged record is not read; refused if no curve
/// comes before it.
[[nodiscard]] Result<ReferenceCurves> readEventFile(const QString& path);
/// The event files of one log folder in order, as TensorBoard reads them: a program that was resumed writes another.
[[nodiscard]] Result<ReferenceCurves> readEventFiles(const QStringList& paths);

/// By its ending: .csv or .tsv, with .gz after it or not.
[[nodiscard]] bool isCurveTable(const QString& path);
/// The first line names the columns. One is `step` (or the first one), others are numbers or empty; TensorBoard's own
/// CSV, whose columns are Wall time, Step and Value, is one curve with the file's name. A cell that is no number, such
/// as a formula, is refused; a last line that is not complete is left out.
[[nodiscard]] Result<ReferenceCurves> readCurveTable(const QString& path);

} // namespace lockstep::exchange
