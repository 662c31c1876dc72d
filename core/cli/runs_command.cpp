// runs: the stored runs, filtered, sorted, grouped and compared with a baseline.
#include "cli/arguments.h"
#include "cli/verbs.h"

#include "analysis/table/filter.h"
#include "analysis/table/run_table.h"
#include "base/clock.h"
#include "language/catalogue.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "store/run_store.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <optional>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using analysis::Column;
using analysis::RunRecord;
using analysis::TableLayout;
using OrderedJson = nlohmann::ordered_json;
using RunPointers = std::vector<const RunRecord*>;

constexpr std::array RunsOptions{
    Option{"--filter", "TEXT", LS_TR("CommandLine", "only runs that match: 'accuracy > 0.94 and net = cnn'")},
    Option{"--columns", "LIST", LS_TR("CommandLine", "figures and parameters, separated by commas")},
    Option{"--sort", "COLUMN", LS_TR("CommandLine", "sorts by this column; -COLUMN puts the largest first")},
    Option{"--group-by", "LIST", LS_TR("CommandLine", "one row per group of equal values; variant groups repeats")},
    Option{"--baseline", "RUN", LS_TR("CommandLine", "adds differences from this run or its group: an id or a name")},
    Option{"--changed-by-hand", "", LS_TR("CommandLine", "counts runs in groups that were changed by hand")},
    Option{"--csv", "", LS_TR("CommandLine", "prints CSV, numbers in full")},
    Option{"--latex", "", LS_TR("CommandLine", "prints a LaTeX tabular")},
    JsonOption,
    StoreOption,
    HelpOption,
};

constexpr std::array DefaultColumns{"id", "started", "experiment", "name", "status", "loss", "accuracy"};
constexpr std::array DefaultFigures{"loss", "accuracy", "ms_per_step_typical"};

/// What the arguments ask for.
struct Asked {
    analysis::Filter filter;
    analysis::TableLayout layout;
    bool isGrouped = false;
    const Column* sort = nullptr;
    bool isDescending = false;
    analysis::Interfered interfered = analysis::Interfered::LeaveOut;
};

[[nodiscard]] Result<std::vector<const Column*>> columnsFrom(const QString& list)
{
    std::vector<const Column*> columns;
    for (const QString& name : list.split(u',', Qt::SkipEmptyParts)) {
        LOCKSTEP_TRY_ASSIGN(const Column* column, analysis::columnNamed(name.trimmed().toStdString()));
        columns.push_back(column);
    }
    return columns;
}

[[nodiscard]] Result<Asked> askedBy(const Arguments& arguments)
{
    Asked asked;
    LOCKSTEP_TRY_ASSIGN(asked.filter,
        analysis::Filter::parse(arguments.value(u"--filter"_s).toStdString(), wallNs(), language::translatedIn));
    LOCKSTEP_TRY_ASSIGN(asked.layout.columns, columnsFrom(arguments.value(u"--columns"_s)));
    asked.isGrouped = arguments.has(u"--group-by"_s);
    if (asked.isGrouped && arguments.value(u"--group-by"_s) != u"variant") {
        LOCKSTEP_TRY_ASSIGN(asked.layout.by, columnsFrom(arguments.value(u"--group-by"_s)));
    }
    QString sort = arguments.value(u"--sort"_s);
    asked.isDescending = sort.startsWith(u'-');
    if (!sort.isEmpty()) {
        LOCKSTEP_TRY_ASSIGN(asked.sort, analysis::columnNamed(sort.mid(asked.isDescending ? 1 : 0).toStdString()));
    }
    if (asked.layout.columns.empty() && asked.isGrouped) {
        std::ranges::transform(DefaultFigures, std::back_inserter(asked.layout.columns), &analysis::findColumn);
    } else if (asked.layout.columns.empty()) {
        std::ranges::transform(DefaultColumns, std::back_inserter(asked.layout.columns), &analysis::findColumn);
    }
    asked.layout.form = arguments.has(u"--csv"_s) ? analysis::TableForm::Raw : analysis::TableForm::Readable;
    asked.interfered
        = arguments.has(u"--changed-by-hand"_s) ? analysis::Interfered::Include : analysis::Interfered::LeaveOut;
    const bool isFigureMissing = asked.isGrouped && std::ranges::none_of(asked.layout.columns, &Column::isFigure);
    if (isFigureMissing) {
        return refusal(
            "--columns", LS_TR("Messages", "groups show figures such as loss and accuracy, and none is named"));
    }
    return asked;
}

/// By id, the beginning of one, else by name the newest.
[[nodiscard]] Result<const RunRecord*> baselineIn(const RunPointers& runs, const QString& name)
{
    const std::string wanted = name.toStdString();
    for (const RunRecord* run : runs) {
        if (run->id.text.starts_with(wanted)) {
            return run;
        }
    }
    for (const RunRecord* run : runs) {
        if (analysis::displayName(*run) == wanted || run->spec.name == wanted) {
            return run;
        }
    }
    return refusal("--baseline", LS_TR("Messages", "none of the runs has the id or the name %1"), {verbatim(wanted)});
}

/// Runs without a value come last either way.
void sortRuns(RunPointers& runs, const Asked& asked)
{
    if (asked.sort == nullptr) {
        return;
    }
    std::ranges::stable_sort(runs, [&](const RunRecord* a, const RunRecord* b) {
        const analysis::Cell one = cellOf(*asked.sort, *a);
        const analysis::Cell other = cellOf(*asked.sort, *b);
        if (one.index() == 0 || other.index() == 0) {
            return one.index() > other.index();
        }
        return asked.isDescending ? one > other : one < other;
    });
}

[[nodiscard]] OrderedJson cellJson(const analysis::Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    return analysis::numberOf(cell); // NaN is written as null
}

[[nodiscard]] OrderedJson summaryJson(const analysis::Summary& summary)
{
    return {{"final_loss", summary.finalLoss}, {"train_loss", summary.trainLoss},
        {"test_accuracy", summary.testAccuracy}, {"ms_per_step", summary.msPerStep},
        {"samples_per_s", summary.samplesPerSecond}, {"steps", summary.steps}, {"train_seconds", summary.trainSeconds},
        {"interfered", analysis::namesOf(summary.interference)}};
}

[[nodiscard]] std::string runsJson(const RunPointers& runs, const Asked& asked, bool hasColumns)
{
    OrderedJson list = OrderedJson::array();
    for (const RunRecord* run : runs) {
        const QDateTime created = QDateTime::fromMSecsSinceEpoch(run->createdNs / 1'000'000).toUTC();
        OrderedJson entry{{"id", run->id.text}, {"experiment", run->spec.experiment}, {"name", run->spec.name},
            {"shown", language::shownName(run->spec)}, {"label", run->label}, {"repeat", run->spec.repeat},
            {"status", std::string(analysis::nameOf(run->status))}, {"message", run->message},
            {"created", created.toString(Qt::ISODate).toStdString()},
            {"imported_from", run->importedFrom.empty() ? OrderedJson() : OrderedJson(run->importedFrom)},
            {"tags", run->marks.tags}, {"note", run->marks.note}, {"pinned", run->marks.isPinned},
            {"summary", summaryJson(run->summary)}};
        for (const Column* column : hasColumns ? asked.layout.columns : std::vector<const Column*>()) {
            entry["values"][std::string(column->name)] = cellJson(cellOf(*column, *run));
        }
        list.push_back(std::move(entry));
    }
    return OrderedJson{{"version", 1}, {"runs", list}}.dump(2) + "\n";
}

[[nodiscard]] std::string groupsJson(
    const std::vector<analysis::RowGroup>& groups, const analysis::RowGroup* baseline, const Asked& asked)
{
    OrderedJson list = OrderedJson::array();
    for (const analysis::RowGroup& group : groups) {
        OrderedJson entry{{"name", group.name}, {"variant", group.runs.front()->spec.name}, {"n", group.counted.size()},
            {"runs", OrderedJson::array()}};
        for (const RunRecord* run : group.counted) {
            entry["runs"].push_back(run->id.text);
        }
        for (std::size_t i = 0; i < asked.layout.by.size(); ++i) {
            entry["key"][std::string(asked.layout.by[i]->name)] = cellJson(group.key[i]);
        }
        for (const experiment::Parameter* parameter : group.mixed) {
            entry["also_differs"].push_back(std::string(parameter->name));
        }
        for (const Column* column : asked.layout.columns) {
            if (!column->isFigure()) {
                continue;
            }
            const analysis::MeanEstimate estimate = estimateOf(group, *column);
            OrderedJson& shown = entry["figures"][std::string(column->name)];
            shown = {{"mean", estimate.mean}, {"low", estimate.low}, {"high", estimate.high}, {"n", estimate.n}};
            if (baseline != nullptr && baseline != &group) {
                const auto difference = differenceTo(*baseline, group, *column);
                shown["difference"] = {{"unit", difference.isInPoints ? "points" : "percent"},
                    {"value", difference.difference * 100.0}, {"low", difference.low * 100.0},
                    {"high", difference.high * 100.0}, {"n", difference.n}, {"paired", difference.isPaired}};
            }
        }
        list.push_back(std::move(entry));
    }
    return OrderedJson{{"version", 1}, {"groups", list}}.dump(2) + "\n";
}

[[nodiscard]] std::string written(const analysis::TextTable& table, const Arguments& arguments)
{
    return arguments.has(u"--csv"_s)  ? analysis::toCsv(table)
        : arguments.has(u"--latex"_s) ? analysis::toLatex(table)
                                      : analysis::toColumns(table);
}

[[nodiscard]] std::string groupsText(
    const RunPointers& runs, const RunRecord* baseline, const Asked& asked, const Arguments& arguments)
{
    const auto groups = analysis::groupRuns(runs, asked.layout.by, asked.interfered);
    const auto ofBaseline = std::ranges::find_if(groups, [baseline](const analysis::RowGroup& group) {
        return baseline != nullptr && std::ranges::find(group.runs, baseline) != group.runs.end();
    });
    const analysis::RowGroup* reference = ofBaseline == groups.end() ? nullptr : &*ofBaseline;
    return arguments.has(u"--json"_s) ? groupsJson(groups, reference, asked)
                                      : written(tableOfGroups(groups, reference, asked.layout), arguments);
}

/// A run that was imported or changed by hand must not look like others: the default columns say so where there is one.
void showMarks(Asked& asked, const RunPointers& runs)
{
    if (std::ranges::any_of(runs, [](const RunRecord* run) { return !run->importedFrom.empty(); })) {
        asked.layout.columns.push_back(analysis::findColumn("imported"));
    }
    if (std::ranges::any_of(runs, [](const RunRecord* run) { return run->summary.interference.any(); })) {
        asked.layout.columns.push_back(analysis::findColumn("by_hand"));
    }
}

/// In Chinese for readers: headers are labels, where English has the names that options take.
void putIntoWords(TableLayout& layout)
{
    if (language::textLanguage() == language::TextLanguage::English) {
        return;
    }
    layout.header = [](const Column& column) { return language::translated(column.context(), column.label); };
    layout.translate = [](const char* text) { return language::translated("RunTable", text); };
}

void putStatusIntoWords(analysis::TextTable& table, const TableLayout& layout)
{
    const Column* status = analysis::findColumn("status");
    const std::string header = layout.header ? layout.header(*status) : std::string(status->name);
    const auto place = std::ranges::find(table.headers, header, &analysis::TextTable::Header::name);
    if (place == table.headers.end()) {
        return;
    }
    for (auto& row : table.rows) {
        std::string& cell = row[static_cast<std::size_t>(place - table.headers.begin())];
        cell = language::worded(cell);
    }
}

[[nodiscard]] Result<std::string> runsText(
    const std::vector<RunRecord>& all, Asked asked, const Arguments& arguments, const QString& folder)
{
    RunPointers runs;
    for (const RunRecord& run : all) {
        if (asked.filter.matches(run)) {
            runs.push_back(&run);
        }
    }
    sortRuns(runs, asked);
    const bool isForPrograms = arguments.has(u"--csv"_s) || arguments.has(u"--latex"_s);
    if (!isForPrograms) {
        putIntoWords(asked.layout);
    }
    const RunRecord* baseline = nullptr;
    if (arguments.has(u"--baseline"_s)) {
        LOCKSTEP_TRY_ASSIGN(baseline, baselineIn(runs, arguments.value(u"--baseline"_s)));
    }
    if (asked.isGrouped) {
        return groupsText(runs, baseline, asked, arguments);
    }
    const bool hasColumns = arguments.has(u"--columns"_s);
    if (arguments.has(u"--json"_s)) {
        return runsJson(runs, asked, hasColumns);
    }
    if (all.empty() && !isForPrograms) {
        return language::told(LS_TR("CommandLine", "no runs in %1 yet: lockstep run optimizers creates three"),
                   {folder.toStdString()})
            + "\n";
    }
    if (!hasColumns) {
        showMarks(asked, runs);
    }
    analysis::TextTable table = tableOfRuns(runs, baseline, asked.layout);
    if (!isForPrograms) {
        putStatusIntoWords(table, asked.layout);
    }
    return written(table, arguments);
}

[[nodiscard]] std::string runsHelpText()
{
    return language::told(
               LS_TR("CommandLine", "lockstep runs [--filter TEXT] [--group-by LIST]: the stored runs, newest first"))
        + "\n\n" + helpOf(RunsOptions) + "\n"
        + language::told(LS_TR("CommandLine",
            "A filter compares columns with = != < <= > >= and ~ (contains), joined by and, or, not and\n"
            "parentheses; words alone are looked for in names, tags and notes. Columns are figures (loss,\n"
            "accuracy, ms_per_step, ...) and parameters (net.name or net, optimizer.lr or lr, ...)."))
        + "\n";
}

[[nodiscard]] Result<int> listRuns(const Arguments& arguments)
{
    LOCKSTEP_TRY(refuseWords("runs", arguments.positional()));
    LOCKSTEP_TRY_ASSIGN(const auto asked, askedBy(arguments));
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(storeOf(arguments)));
    for (const Text& remark : store->remarks()) {
        report(language::worded(remark));
    }
    LOCKSTEP_TRY_ASSIGN(const auto text, runsText(language::named(store->list()), asked, arguments, store->folder()));
    return printOrFail(text);
}

} // namespace

int runsCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("runs", words, RunsOptions, runsHelpText, listRuns);
}

} // namespace lockstep::cli
