// The figures of a run: what each is called, where it is in a record, and how repeats of it are averaged. Tables,
// charts, reports, JSON and stored runs take them from this list.
#pragma once

#include "analysis/run_record.h"

#include <cmath>
#include <span>
#include <string_view>

namespace lockstep::analysis {

enum class FigureKind {
    Number,
    Share, ///< 0 to 1; written in percent
    Count,
    Bytes
};

/// The mean of repeats, and its interval.
enum class Estimator {
    Arithmetic, ///< positiveWithInterval(): losses, and what may be 0
    Geometric, ///< geometricMean(), the arithmetic one where a value is 0: what differs by factors
    Logit ///< shareWithInterval(): shares
};

struct Figure {
    std::string_view name{}; ///< `final_loss`, as in JSON
    std::string_view shortName{}; ///< `loss`, as in filters and `--columns`; empty: the name
    FigureKind kind = FigureKind::Number;
    Estimator estimator = Estimator::Geometric;
    std::string_view unit{}; ///< of axes and titles, LS_TR("Figures", ...) where it is a word; empty: none
    std::string_view label{}; ///< LS_TR("Figures", ...); empty: only in JSON, as it is no quantity
    std::string_view help{}; ///< LS_TR("Figures", ...)
    double Summary::*member = nullptr;
    double Summary::*otherwise = nullptr; ///< of a run of an earlier version, which does not have `member`
    double (*function)(const RunRecord& run) = nullptr; ///< of what is no member; not in JSON
    double scale = 1.0; ///< what turns the value into its unit
    /// Smaller differences are not worth a sentence: relative, of shares in points (0.01 is one).
    double smallestDifference = 0.10;
    bool isStandard = false; ///< in the table of a report that names no columns
    bool isInResults = true; ///< in result.json

    /// NotMeasured where the run has none.
    [[nodiscard]] double of(const RunRecord& run) const
    {
        if (member == nullptr) {
            return function(run);
        }
        const bool isOfEarlierVersion = otherwise != nullptr && std::isnan(run.summary.*member);
        return run.summary.*(isOfEarlierVersion ? otherwise : member);
    }
    [[nodiscard]] std::string_view columnName() const { return shortName.empty() ? name : shortName; }
};

/// In the order of the JSON of results.
[[nodiscard]] std::span<const Figure> figures();
/// By name or short name; nullptr for an unknown one.
[[nodiscard]] const Figure* findFigure(std::string_view name);
/// Every member that is a number has one.
[[nodiscard]] const Figure& figureOf(double Summary::*member);

} // namespace lockstep::analysis
