#include "exchange/report/results_table.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/statistics/run_groups.h"
#include "base/translate.h"
#include "exchange/report/counted_runs.h"
#include "exchange/report/template.h"
#include "experiment/choices.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

namespace lockstep::report {

namespace {

using analysis::Figure;
using analysis::Group;
using analysis::RunRecord;

constexpr std::string_view Ranks = "ranks";
constexpr std::string_view SpeedUp = "speed_up";
constexpr std::string_view Efficiency = "efficiency";
/// What templates call these, and their names in JSON: a report shows the typical times.
constexpr std::pair<std::string_view, std::string_view> Others[]{{"memory", "peak_bytes"},
    {"verify", "verify_max_relative_difference"}, {"ms_per_step", "ms_per_step_typical"},
    {"samples_per_s", "samples_per_s_typical"}, {"comm_ms_per_step", "comm_ms_per_step_typical"},
    {"wait_ms_per_step", "wait_ms_per_step_typical"}, {"comm_fraction", "comm_fraction_typical"},
    {"comms_with_wait", "comms_with_wait_typical"}};

const Figure* figureNamed(std::string_view name)
{
    const auto* other = std::ranges::find(Others, name, &std::pair<std::string_view, std::string_view>::first);
    return analysis::findFigure(other == std::end(Others) ? name : other->second);
}

/// A column of texts, by group.
struct Made {
    std::string header;
    std::vector<std::string> cells;
    bool hasValues = false;
};

/// `Time per step (ms)`; shares and bytes have their unit beside each value.
std::string headerOf(const Source& source, const Figure& figure)
{
    const std::string label = source.say("Figures", figure.label);
    const bool hasUnit = !figure.unit.empty() && figure.kind == analysis::FigureKind::Number;
    return hasUnit ? label + " (" + source.say("Figures", figure.unit) + ")" : label;
}

Made madeOf(const Source& source, const std::vector<Group>& groups, const Figure& figure)
{
    Made made{headerOf(source, figure), {}, false};
    for (const Group& group : groups) {
        const analysis::MeanEstimate estimate = estimateOf(figure, group.runs);
        made.cells.push_back(estimateText(figure, estimate));
        made.hasValues = made.hasValues || estimate.n > 0;
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
        const analysis::PositiveInterval gain = group.geometric([&](const RunRecord& run) {
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
        for (const Figure& figure : analysis::figures()) {
            if (figure.isStandard) {
                names.emplace_back(figure.name);
            }
        }
    }
    // Runs of earlier versions have not measured their training loss: one figure for all, by its name.
    const bool hasTrainLoss = std::ranges::all_of(groups, [](const Group& group) {
        return analysis::isMeasured(group.runs, analysis::figureOf(&analysis::Summary::trainLoss));
    });
    if (!hasTrainLoss && std::ranges::find(names, "final_loss") == names.end()) {
        std::ranges::replace(names, std::string("train_loss"), std::string("final_loss"));
    }
    std::vector<Made> all;
    for (const std::string& name : names) {
        const Figure* figure = figureNamed(name);
        Made made = name == Ranks ? ranksColumn(source, groups)
            : figure == nullptr   ? speedUpColumn(source, groups, name == Efficiency)
                                  : madeOf(source, groups, *figure);
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
        for (const Figure& figure : analysis::figures()) {
            if (!figure.label.empty()) {
                names.push_back(figure.name);
            }
            if (!figure.label.empty() && !figure.shortName.empty()) {
                names.push_back(figure.shortName);
            }
        }
        std::ranges::transform(
            Others, std::back_inserter(names), &std::pair<std::string_view, std::string_view>::first);
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
