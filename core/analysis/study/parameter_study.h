// A figure of runs against the parameters in which they differ. Runs that differ in nothing but the seed are repeats of
// one setting, whatever they are called.
#pragma once

#include "analysis/figures/figure.h"
#include "analysis/run_record.h"
#include "experiment/parameter.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::analysis {

/// The figures by which settings can be compared; the first that runs have is shown.
[[nodiscard]] std::span<const Figure* const> studyFigures();
/// nullptr for another name.
[[nodiscard]] const Figure* findStudyFigure(std::string_view name);

using RunPointers = std::vector<const RunRecord*>;

/// A parameter in which runs differ. `world_size` is the number of ranks, also where the setting leaves it to the
/// strategy.
struct StudyParameter {
    const experiment::Parameter* parameter = nullptr;
    std::vector<experiment::Value> values; ///< no two equal; numbers ascending, choices as the table lists them

    /// A number on whose axis distances mean something. Not where a value of 0 means "all" or "no limit".
    [[nodiscard]] bool isNumeric() const;
};

[[nodiscard]] experiment::Value studyValue(const RunRecord& run, const experiment::Parameter& parameter);
/// Those in which the runs differ but the seed, in the table's order.
[[nodiscard]] std::vector<StudyParameter> studyParameters(const RunPointers& runs);

/// The parameters of a study: those with these names where the runs differ in them, else chosen: a number before a
/// choice, more values before fewer. Null where there is none to choose.
struct StudyAxes {
    const experiment::Parameter* first = nullptr;
    const experiment::Parameter* second = nullptr;
};
[[nodiscard]] StudyAxes studyAxes(const RunPointers& runs, std::string_view first = {}, std::string_view second = {});

/// One setting: the mean over its seeds, in the figure's unit.
struct StudyPoint {
    experiment::Value x;
    double mean = NotMeasured; ///< NotMeasured: it ran, but has no such figure
    double low = NotMeasured; ///< of the 95 % confidence interval; NotMeasured for fewer than two seeds
    double high = NotMeasured;
    std::size_t n = 0; ///< seeds with such a figure
    std::vector<RunId> runs;
};

/// Settings that differ in the study's first parameter only.
struct StudyLine {
    std::vector<std::pair<const experiment::Parameter*, experiment::Value>> others; ///< in which it differs from others
    std::vector<StudyPoint> points; ///< in the order of the first parameter's values; only settings that ran
};

struct ParameterStudy {
    std::optional<StudyParameter> first; ///< nothing where the runs differ in no parameter
    std::optional<StudyParameter> second;
    /// By the values of the parameters that are neither first nor second, and within those by the second's.
    std::vector<StudyLine> lines;
    /// Change only together with the first (and second): their effects cannot be separated from those. A choice that
    /// does so with a number makes separate lines.
    std::vector<const experiment::Parameter*> together;
    std::size_t unfinished = 0; ///< runs that are left out
    std::size_t interfered = 0; ///< left out because they were changed by hand
};

/// Whether it has finished, trains, and was not changed by hand, where such runs are left out.
[[nodiscard]] bool countsInStudy(const RunRecord& run, Interfered which);
/// Of those runs, with the parameters that studyAxes() gives for these names. Runs of one setting and
/// seed count once, the newest.
[[nodiscard]] ParameterStudy parameterStudy(const RunPointers& runs, const Figure& figure, std::string_view first,
    std::string_view second, Interfered which = Interfered::LeaveOut);

} // namespace lockstep::analysis
