#include "exchange/report/results_table.h"

#include "analysis/numbers.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "exchange/report/counted_runs.h"
#include "experiment/choices.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lockstep::report {

namespace {

using analysis::Group;
using analysis::Interval;
using analysis::RunRecord;

enum class Shown { Number, Count, Bytes, Share };

struct Column {
    std::string_view name; ///< as in `lockstep run --json`
    std::string_view header;
    double (*value)(const RunRecord&);
    Shown shown = Shown::Number;
    bool isStandard = false; ///< in a table whose template names no columns
};

double memoryOf(const RunRecord& run)
{
    double highest = analysis::NotMeasured;
    for (const analysis::RankMemory& rank : run.summary.memory) {
        highest = std::fmax(highest, static_cast<double>(rank.highest));
    }
    return highest;
}

double stepsOf(const RunRecord& run)
{
    return run.summary.steps > 0 ? static_cast<double>(run.summary.steps) : analysis::NotMeasured;
}

#define LOCKSTEP_FIGURE(field) [](const RunRecord& run) { return run.summary.field; }
#define LOCKSTEP_TYPICAL(function) [](const RunRecord& run) { return analysis::function(run.summary); }

constexpr std::array Columns{
    Column{"final_loss", LS_TR("Report", "Final training loss"), LOCKSTEP_FIGURE(finalLoss), Shown::Number, true},
    Column{"best_loss", LS_TR("Report", "Best training loss"), LOCKSTEP_FIGURE(bestLoss)},
    Column{"test_accuracy", LS_TR("Report", "Test accuracy"), LOCKSTEP_FIGURE(testAccuracy), Shown::Share, true},
    Column{
        "best_test_accuracy", LS_TR("Report", "Best test accuracy"), LOCKSTEP_FIGURE(bestTestAccuracy), Shown::Share},
    Column{"steps", LS_TR("Report", "Steps"), stepsOf, Shown::Count, true},
    Column{"ms_per_step", LS_TR("Report", "Time per step (ms)"), LOCKSTEP_TYPICAL(msPerStepOf), Shown::Number, true},
    Column{"samples_per_s", LS_TR("Report", "Samples per second"), LOCKSTEP_TYPICAL(samplesPerSecondOf), Shown::Number,
        true},
    Column{"train_seconds", LS_TR("Report", "Training time (s)"), LOCKSTEP_FIGURE(trainSeconds), Shown::Number, true},
    Column{"comm_ms_per_step", LS_TR("Report", "Communication per step (ms)"), LOCKSTEP_TYPICAL(commMsPerStepOf)},
    Column{"wait_ms_per_step", LS_TR("Report", "Waiting per step (ms)"), LOCKSTEP_TYPICAL(waitMsPerStepOf)},
    Column{"comm_fraction", LS_TR("Report", "Communication share"), LOCKSTEP_FIGURE(commFraction), Shown::Share},
    Column{"bytes_per_step", LS_TR("Report", "Sent per rank and step"), LOCKSTEP_FIGURE(bytesPerStep), Shown::Bytes},
    Column{"bubble", LS_TR("Report", "Pipeline bubble"), LOCKSTEP_FIGURE(bubbleFraction), Shown::Share},
    Column{"memory", LS_TR("Report", "Highest memory of a rank"), memoryOf, Shown::Bytes},
    Column{"label_skew", LS_TR("Report", "Label skew"), LOCKSTEP_FIGURE(labelSkew)},
    Column{"staleness", LS_TR("Report", "Mean staleness"), LOCKSTEP_FIGURE(staleness)},
    Column{"verify", LS_TR("Report", "Largest relative difference from one process"),
        LOCKSTEP_FIGURE(verifyMaxRelativeDifference)}};

#undef LOCKSTEP_TYPICAL
#undef LOCKSTEP_FIGURE

constexpr std::string_view Ranks = "ranks";
constexpr std::string_view SpeedUp = "speed_up";
constexpr std::string_view Efficiency = "efficiency";

/// A column of texts, by group.
struct Made {
    std::string header;
    std::vector<std::string> cells;
    bool hasValues = false;
};

std::string shown(const Group& group, const Column& column)
{
    if (column.shown == Shown::Share) {
        return analysis::percentWithInterval(group.share(column.value));
    }
    const Interval interval = group.mean(column.value);
    const bool isWhole = std::isfinite(interval.mean) && interval.mean == std::round(interval.mean);
    if (column.shown == Shown::Count && isWhole && !(interval.halfWidth > 0)) {
        return analysis::grouped(std::llround(interval.mean));
    }
    if (column.shown == Shown::Number || column.shown == Shown::Count) {
        return analysis::withInterval(interval);
    }
    if (!std::isfinite(interval.mean)) {
        return "–";
    }
    const analysis::PositiveInterval bytes = analysis::positiveOf(interval);
    return analysis::bytesText(bytes.mean)
        + (bytes.low < bytes.high ? " [" + analysis::bytesText(bytes.low) + ", " + analysis::bytesText(bytes.high) + "]"
                                  : "");
}

Made madeOf(const Source& source, const std::vector<Group>& groups, const Column& column)
{
    Made made{source.say(column.header), {}, false};
    for (const Group& group : groups) {
        made.cells.push_back(shown(group, column));
        made.hasValues = made.hasValues
            || std::ranges::any_of(group.runs, [&](const RunRecord* run) { return std::isfinite(column.value(*run)); });
    }
    return made;
}

Made ranksColumn(const Source& source, const std::vector<Group>& groups)
{
    Made made{source.say(LS_TR("Report", "Ranks")), {}, true};
    for (const Group& group : groups) {
        made.cells.push_back(std::to_string(analysis::ranksOf(*group.runs.front())));
    }
    return made;
}

/// Whether `single` trains as `run` does, in one process: on batches as large as the run's, or as those of each rank.
bool isSingleOf(const RunRecord& single, const RunRecord& run)
{
    const auto batch = experiment::globalBatch(single.spec);
    return is(single.spec, experiment::Strategy::Single) && analysis::haveSameData(single, run)
        && analysis::haveSameNet(single, run)
        && (batch == experiment::globalBatch(run.spec)
            || (experiment::isBatchOfEachRank(run.spec)
                && batch * analysis::ranksOf(run) == experiment::globalBatch(run.spec)));
}

/// The single process that a run is compared with; of the same seed if there is one.
const RunRecord* singleFor(const RunRecord& run, const std::vector<Group>& groups)
{
    const RunRecord* found = nullptr;
    for (const Group& group : groups) {
        for (const RunRecord* each : group.runs) {
            const bool fits = isSingleOf(*each, run);
            if (fits && each->spec.settings->train.seed == run.spec.settings->train.seed) {
                return each;
            }
            found = fits && found == nullptr ? each : found;
        }
    }
    return found;
}

/// Throughput over the single process's; of efficiency divided by the ranks.
Made speedUpColumn(const Source& source, const std::vector<Group>& groups, bool isEfficiency)
{
    Made made{source.say(isEfficiency ? LS_TR("Report", "Efficiency (%)") : LS_TR("Report", "Speed-up")), {}, false};
    for (const Group& group : groups) {
        const Interval gain = group.mean([&](const RunRecord& run) {
            const RunRecord* single = singleFor(run, groups);
            const int ranks = analysis::ranksOf(run);
            return single == nullptr || ranks < 2 ? analysis::NotMeasured
                                                  : analysis::samplesPerSecondOf(run.summary)
                    / analysis::samplesPerSecondOf(single->summary) * (isEfficiency ? 100.0 / ranks : 1.0);
        });
        made.hasValues = made.hasValues || std::isfinite(gain.mean);
        made.cells.push_back(std::isfinite(gain.mean) ? analysis::withInterval(gain) : "–");
    }
    return made;
}

/// The columns that were asked for and have values.
std::vector<Made> madeColumns(
    const Source& source, const std::vector<Group>& groups, std::span<const std::string> columns)
{
    std::vector<std::string> names(columns.begin(), columns.end());
    if (names.empty()) {
        for (const Column& column : Columns) {
            if (column.isStandard) {
                names.emplace_back(column.name);
            }
        }
    }
    std::vector<Made> all;
    for (const std::string& name : names) {
        const auto column = std::ranges::find(Columns, name, &Column::name);
        Made made = name == Ranks     ? ranksColumn(source, groups)
            : column == Columns.end() ? speedUpColumn(source, groups, name == Efficiency)
                                      : madeOf(source, groups, *column);
        if (made.hasValues) {
            all.push_back(std::move(made));
        }
    }
    return all;
}

} // namespace

std::span<const std::string_view> resultColumns()
{
    static const std::vector<std::string_view> Names = [] {
        std::vector<std::string_view> names{Ranks, SpeedUp, Efficiency};
        for (const Column& column : Columns) {
            names.push_back(column.name);
        }
        return names;
    }();
    return Names;
}

Table resultsTable(const Source& source, std::span<const std::string> columns)
{
    std::vector<RunRecord> counted = countedRuns(source);
    std::erase_if(counted, [](const RunRecord& run) { return experiment::isSweep(run.spec); });
    const std::vector<Group> groups = analysis::groupsOf(counted);
    const std::vector<Made> made = madeColumns(source, groups, columns);
    Table table;
    table.header = {source.say(LS_TR("Report", "Variant")), source.say(LS_TR("Report", "n"))};
    table.isNumber = {false, true};
    for (const Made& column : made) {
        table.header.push_back(column.header);
        table.isNumber.push_back(true);
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        std::vector<std::string> row{nameOf(source, groups[i]), std::to_string(groups[i].runs.size())};
        for (const Made& column : made) {
            row.push_back(column.cells[i]);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace lockstep::report
