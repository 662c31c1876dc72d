#include "exchange/report/counted_runs.h"

#include "analysis/numbers.h"
#include "analysis/scaling/link_fit.h"
#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/parameter.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace lockstep::report {

namespace {

using analysis::Group;
using analysis::RunRecord;
using analysis::RunStatus;

bool counts(const RunRecord& run, analysis::Interfered which)
{
    return run.status == RunStatus::Finished
        && (which == analysis::Interfered::Include || !run.summary.interference.any());
}

/// Why a run is not counted.
std::string reasonOf(const Source& source, const RunRecord& run)
{
    if (run.status == RunStatus::Finished) {
        return source.say(LS_TR("Report", "changed by hand while it ran"));
    }
    if (!analysis::isFinal(run.status)) {
        return source.say(LS_TR("Report", "had not ended when this report was made"));
    }
    return run.message.empty() ? "–" : run.message;
}

bool isRankList(const experiment::Parameter& row)
{
    return row.fills == &experiment::StragglerSettings::ranks || row.fills == &experiment::LinkSettings::ranks;
}

/// `1 epoch`, `5 epochs`, `0.5 ms`; the units of the parameter table are plurals.
std::string withUnit(const Source& source, const std::string& number, std::string_view unit)
{
    std::string text = source.say("Parameters", unit);
    const bool isNoun = unit.size() > 3 && unit.ends_with('s');
    if (source.language == Language::English && number == "1" && isNoun) {
        text.pop_back();
    }
    return number + " " + text;
}

std::string valueText(const Source& source, const experiment::Parameter& row, const RunRecord& run)
{
    const experiment::Value& value = run.spec.settings.at(std::string(row.name));
    // As many ranks as the strategy needs are written as 0 in a spec.
    const std::string text = row.fills == &experiment::RankSettings::worldSize ? std::to_string(analysis::ranksOf(run))
                                                                               : experiment::toText(value);
    const auto choice = std::ranges::find(row.choices, text, &experiment::Choice::name);
    if (choice != row.choices.end()) {
        return source.say("Parameters", choice->label);
    }
    if (row.type == experiment::Type::Boolean) {
        return source.say(text == "true" ? LS_TR("Report", "yes") : LS_TR("Report", "no"));
    }
    // "0 means a whole epoch"
    if ((row.fills == &experiment::AggregationSettings::every || row.fills == &experiment::LocalSettings::every)
        && text == "0") {
        return withUnit(source, "1", LS_TR("Parameters", "epochs"));
    }
    if (row.fills == &experiment::RankSettings::device && text == "auto") {
        return run.summary.device.empty() ? source.say(LS_TR("Report", "chosen by Lockstep")) : run.summary.device;
    }
    if (text == "0" && !row.zero.empty()) {
        return source.say("ZeroTexts", row.zero);
    }
    if (isRankList(row)) {
        return text.empty()
            ? source.say(LS_TR("Report", "all ranks"))
            : source.say(
                text.find(',') == std::string::npos ? LS_TR("Report", "rank %1") : LS_TR("Report", "ranks %1"), {text});
    }
    return text.empty() ? "–" : row.unit.empty() ? text : withUnit(source, text, row.unit);
}

/// Whether a value beside others says that something is not there: `0 ms` of extra time, no slowdown.
bool isNone(const experiment::Parameter& row, const RunRecord& run)
{
    const experiment::Assignment& settings = run.spec.settings;
    const std::string text = experiment::toText(settings.at(std::string(row.name)));
    return settings.at(std::string(row.name)) == row.standard
        && (isRankList(row) || text.empty() || (text == "0" && row.zero.empty())
            || row.fills == &experiment::StragglerSettings::factor);
}

/// Settings that make runs differ without being an idea of the experiment.
bool isIncidental(const experiment::Parameter& row)
{
    return row.fills == &experiment::TrainSettings::seed || row.fills == &experiment::MeasureSettings::limitSeconds;
}

/// The rows of the table, then those of users' own programs that a run has.
std::vector<const experiment::Parameter*> rowsOf(const std::vector<RunRecord>& runs)
{
    std::vector<const experiment::Parameter*> rows;
    for (const experiment::Parameter& row : experiment::parameters()) {
        rows.push_back(&row);
    }
    std::set<std::string> own;
    for (const RunRecord& run : runs) {
        for (const auto& [name, value] : run.spec.settings) {
            if (experiment::isOwnParameter(name) && own.insert(name).second) {
                rows.push_back(experiment::findParameter(name));
            }
        }
    }
    return rows;
}

/// What a script calls its parameters stays as it is: `steps` is also a unit of ours.
std::string labelOf(const Source& source, const experiment::Parameter& row)
{
    return experiment::isOwnParameter(row.name) ? std::string(row.label) : source.say("Parameters", row.label);
}

/// The run's value of a setting; null where the run does not use it.
const experiment::Value* valueOf(const RunRecord& run, const experiment::Parameter& row)
{
    const auto found = run.spec.settings.find(std::string(row.name));
    return found != run.spec.settings.end() && experiment::isUsed(row, run.spec.settings) ? &found->second : nullptr;
}

/// What the runs have of a setting.
enum class Sharing {
    None, ///< none uses it
    Common, ///< all have one value
    Some, ///< those that use it have one value, others do not use it: a batch beside gradient descent
    Differing
};

Sharing sharingOf(const std::vector<RunRecord>& runs, const experiment::Parameter& row)
{
    const experiment::Value* first = nullptr;
    bool isUnused = false;
    for (const RunRecord& run : runs) {
        const experiment::Value* value = valueOf(run, row);
        if (first != nullptr && value != nullptr && *first != *value) {
            return Sharing::Differing;
        }
        first = value == nullptr ? first : value;
        isUnused = isUnused || value == nullptr;
    }
    return first == nullptr ? Sharing::None : isUnused ? Sharing::Some : Sharing::Common;
}

/// Worth a line although it may be the default.
bool isEssential(const experiment::Parameter& row)
{
    static const std::array<experiment::Member, 10> Essential{&experiment::DatasetSettings::name,
        &experiment::NetSettings::name, &experiment::NetSettings::depth, &experiment::OptimizerSettings::name,
        &experiment::OptimizerSettings::lr, &experiment::TrainSettings::batch, &experiment::TrainSettings::epochs,
        &experiment::RankSettings::strategy, &experiment::RankSettings::device,
        &experiment::PipelineSettings::microBatches};
    return std::ranges::find(Essential, row.fills) != Essential.end();
}

/// Whether the run's value is worth a line: it is no default, or always of interest.
bool isWorthSaying(const RunRecord& run, const experiment::Parameter& row)
{
    const experiment::Value* value = valueOf(run, row);
    return value != nullptr && (isEssential(row) || *value != row.standard);
}

/// Without blanks and colons.
std::string lettersOf(std::string text)
{
    for (const std::string_view each : {" ", ":", "：", "\u00a0"}) {
        for (std::size_t at = text.find(each); at != std::string::npos; at = text.find(each)) {
            text.erase(at, each.size());
        }
    }
    return text;
}

} // namespace

std::vector<RunRecord> countedRuns(const Source& source)
{
    std::vector<RunRecord> counted;
    std::ranges::copy_if(
        source.runs, std::back_inserter(counted), [&](const RunRecord& run) { return counts(run, source.interfered); });
    return counted;
}

std::string nameOf(const Source& source, const Group& group)
{
    const bool isImported
        = std::ranges::any_of(group.runs, [](const RunRecord* run) { return !run->importedFrom.empty(); });
    return isImported ? source.say(LS_TR("Report", "%1 (imported)"), {group.name}) : group.name;
}

Table leftOutTable(const Source& source)
{
    Table table;
    table.header = {source.say(LS_TR("Report", "Run")), source.say(LS_TR("Report", "Status")),
        source.say(LS_TR("Report", "Steps")), source.say(LS_TR("Report", "Reason"))};
    table.isNumber = {false, false, true, false};
    for (const RunRecord& run : source.runs) {
        if (!counts(run, source.interfered)) {
            table.rows.push_back({displayName(run), source.say("Messages", analysis::nameOf(run.status)),
                run.summary.steps > 0 ? analysis::grouped(run.summary.steps) : "–", reasonOf(source, run)});
        }
    }
    return table;
}

Table settingsTable(const Source& source)
{
    Table table;
    table.header = {source.say(LS_TR("Report", "Setting")), source.say(LS_TR("Report", "Value"))};
    table.isNumber = {false, false};
    for (const experiment::Parameter* each : rowsOf(source.runs)) {
        const experiment::Parameter& row = *each;
        if (!isIncidental(row) && sharingOf(source.runs, row) == Sharing::Common
            && isWorthSaying(source.runs.front(), row)) {
            table.rows.push_back({labelOf(source, row), valueText(source, row, source.runs.front())});
        }
    }
    return table;
}

Table differencesTable(const Source& source)
{
    Table table;
    table.header = {source.say(LS_TR("Report", "Variant")), source.say(LS_TR("Report", "Settings that differ"))};
    table.isNumber = {false, false};
    const std::vector<const experiment::Parameter*> rows = rowsOf(source.runs);
    for (const Group& group : analysis::groupsOf(source.runs)) {
        std::string text;
        for (const experiment::Parameter* each : rows) {
            const experiment::Parameter& row = *each;
            const Sharing sharing = sharingOf(source.runs, row);
            const bool isOwn = sharing == Sharing::Differing
                || (sharing == Sharing::Some && isWorthSaying(*group.runs.front(), row));
            if (isIncidental(row) || !isOwn) {
                continue;
            }
            if (valueOf(*group.runs.front(), row) != nullptr && !isNone(row, *group.runs.front())) {
                text += (text.empty()                                  ? ""
                                : source.language == Language::Chinese ? "；"
                                                                       : "; ")
                    + labelOf(source, row) + (source.language == Language::Chinese ? "：" : ": ")
                    + valueText(source, row, *group.runs.front());
            }
        }
        table.rows.push_back({nameOf(source, group), text.empty() ? "–" : text});
    }
    const auto saysItsName = [](const std::vector<std::string>& row) { return lettersOf(row[0]) == lettersOf(row[1]); };
    if (table.rows.size() < 2
        || std::ranges::all_of(table.rows, saysItsName)) { // `Learning rate: 0.1` of Learning rate 0.1
        table.rows.clear();
    }
    return table;
}

Table sweepTable(const Source& source)
{
    std::vector<RunRecord> sweeps = countedRuns(source);
    std::erase_if(sweeps, [](const RunRecord& run) { return run.measurements.empty(); });
    const std::vector<Group> groups = analysis::groupsOf(sweeps, analysis::SameSeed::Each); // as the findings
    Table table;
    table.header = {source.say(LS_TR("Report", "Message size"))};
    table.isNumber = {true};
    std::set<double> sizes;
    std::vector<std::map<double, double>> secondsOf;
    for (const Group& group : groups) {
        table.header.push_back(nameOf(source, group) + " (µs)");
        table.isNumber.push_back(true);
        secondsOf.push_back(analysis::secondsBySize(group.runs));
        for (const auto& [bytes, seconds] : secondsOf.back()) {
            sizes.insert(bytes);
        }
    }
    for (const double size : sizes) {
        std::vector<std::string> row{analysis::bytesText(size)};
        for (const auto& seconds : secondsOf) {
            const auto found = seconds.find(size);
            row.push_back(found == seconds.end() ? "–" : analysis::threeDigits(found->second * 1e6));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace lockstep::report
