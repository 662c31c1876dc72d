// Curves that another program measured: scalars of a TensorBoard event file, columns of a CSV. Files from anywhere are
// safe to read: what is not as it should be is refused, with its place.
#pragma once

#include "base/result.h"

#include <QString>

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
    bool isCutShort = false; ///< an event file ends within a record: its program was ended, or still writes
};

/// Limits of a file; beyond them it is refused.
inline constexpr qint64 MaxReferenceBytes = qint64{1} << 30;
inline constexpr std::size_t MaxReferenceCurves = 1000;
inline constexpr std::size_t MaxReferencePoints = 5'000'000; ///< of all curves together

/// Whether the file begins as an event file does, whatever its name.
[[nodiscard]] bool isEventFile(const QString& path);
/// Images, histograms, texts and graphs are left out.
[[nodiscard]] Result<ReferenceCurves> readEventFile(const QString& path);

/// By its ending: .csv or .tsv.
[[nodiscard]] bool isCurveTable(const QString& path);
/// The first line names the columns. One is `step` (or the first one), others are numbers or empty; TensorBoard's own
/// CSV, whose columns are Wall time, Step and Value, is one curve with the file's name. A cell that is no number, such
/// as a formula, is refused.
[[nodiscard]] Result<ReferenceCurves> readCurveTable(const QString& path);

} // namespace lockstep::exchange
