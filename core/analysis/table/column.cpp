#include "analysis/table/column.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/numbers.h"
#include "analysis/study/changed_settings.h"
#include "base/edit_distance.h"
#include "base/translate.h"
#include "experiment/variant_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <iterator>
#include <map>

namespace lockstep::analysis {

namespace {

using experiment::Parameter;

std::vector<Column> attributeColumns()
{
    using enum Attribute;
    return {
        {"name", LS_TR("Columns", "Run"), LS_TR("Columns", "The run's name, or that of its variant."), {},
            CellKind::Text, Name},
        {"experiment", LS_TR("Columns", "Experiment"), LS_TR("Columns", "The experiment that the run belongs to."), {},
            CellKind::Text, Experiment},
        {"variant", LS_TR("Columns", "Variant"), LS_TR("Columns", "The variant of the experiment."), {}, CellKind::Text,
            Variant},
        {"status", LS_TR("Columns", "Status"), LS_TR("Columns", "How the run ended, or its current state."), {},
            CellKind::Text, Status},
        {"started", LS_TR("Columns", "Started"), LS_TR("Columns", "When the run was started."), {}, CellKind::Date,
            Started},
        {"changed", LS_TR("Columns", "Changed settings"),
            LS_TR("Columns", "Settings that differ from the built-in experiment."), {}, CellKind::Text, Changed},
        {"tags", LS_TR("Columns", "Tags"), LS_TR("Columns", "Your own words for this run, separated by commas."), {},
            CellKind::Text, Tags},
        {"note", LS_TR("Columns", "Note"), LS_TR("Columns", "Your own remark on this run."), {}, CellKind::Text, Note},
        {"pinned", LS_TR("Columns", "Pinned"),
            LS_TR("Columns", "Pinned runs stay on top and are never deleted by a rule."), {}, CellKind::Text, Pinned},
        {"imported", LS_TR("Columns", "Imported from"),
            LS_TR("Columns", "The file that the run was imported from; empty for runs measured in this store."), {},
            CellKind::Text, Imported},
        {"by_hand", LS_TR("Columns", "Changed by hand"),
            LS_TR("Columns", "What was changed by hand during the run: paused, slowed, link."), {}, CellKind::Text,
            ByHand},
        {"message", LS_TR("Columns", "Message"), LS_TR("Columns", "Why the run failed or stopped."), {}, CellKind::Text,
            Message},
        {"id", LS_TR("Columns", "Id"), LS_TR("Columns", "The run's id, which names its file."), {}, CellKind::Text, Id},
        {"repeat", LS_TR("Columns", "Repeat"), LS_TR("Columns", "Number of the repeat, from 1."), {}, CellKind::Count,
            Repeat},
        {"ranks", LS_TR("Columns", "Ranks"), LS_TR("Columns", "Number of processes."), {}, CellKind::Count, Ranks},
    };
}

CellKind cellKindOf(FigureKind kind)
{
    switch (kind) {
    case FigureKind::Number:
        return CellKind::Number;
    case FigureKind::Share:
        return CellKind::Share;
    case FigureKind::Count:
        return CellKind::Count;
    case FigureKind::Bytes:
        return CellKind::Bytes;
    }
    return CellKind::Number;
}

CellKind cellKindOf(const Parameter& parameter)
{
    switch (parameter.type) {
    case experiment::Type::Integer:
        return CellKind::Count;
    case experiment::Type::Real:
        return CellKind::Number;
    case experiment::Type::Boolean:
    case experiment::Type::Choice:
    case experiment::Type::Text:
    case experiment::Type::Path:
    case experiment::Type::IntegerList:
    case experiment::Type::RealList:
    case experiment::Type::Scalar:
        return CellKind::Text;
    }
    return CellKind::Text;
}

std::vector<Column> allColumns()
{
    std::vector<Column> all = attributeColumns();
    for (const Figure& each : figures()) {
        if (!each.label.empty()) {
            all.push_back(
                {each.columnName(), each.label, each.help, each.unit, cellKindOf(each.kind), Attribute::None, &each});
        }
    }
    for (const Parameter& row : experiment::parameters()) {
        all.push_back({row.name, row.label, row.help, row.unit, cellKindOf(row), Attribute::None, nullptr, &row});
    }
    return all;
}

/// Of a column: that in results and JSON, or the word that people use; empty if it has none.
std::string_view otherName(std::string_view word)
{
    if (const Figure* figure = findFigure(word); figure != nullptr && !figure->label.empty()) {
        return figure->columnName();
    }
    static const std::map<std::string_view, std::string_view> Others{{"acc", "accuracy"},
        {"data", nameOf(&experiment::DatasetSettings::name)}, {"seed", nameOf(&experiment::TrainSettings::seed)},
        {"tag", "tags"}, {"notes", "note"}, {"label", "name"}, {"run", "name"}, {"memory", "peak_memory"},
        {"date", "started"}};
    const auto found = Others.find(word);
    return found == Others.end() ? std::string_view() : found->second;
}

std::string closestColumn(std::string_view name)
{
    std::string best;
    std::size_t smallest = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const Column& column : columns()) {
        const std::string_view last = column.name.substr(column.name.rfind('.') + 1);
        // `net` is short for net.name.
        const bool hasShortName = column.name.ends_with(".name");
        const std::string_view shortName = column.name.substr(0, column.name.size() - (hasShortName ? 5 : 0));
        const std::size_t away = std::min(editDistance(name, shortName), editDistance(name, last) + 1);
        if (away < smallest) {
            smallest = away;
            best = column.name;
        }
    }
    return best;
}

Error unknownColumn(std::string_view name)
{
    const std::string meant = closestColumn(name);
    return meant.empty() ? refusal("column",
               LS_TR("Refusals",
                   "\"%1\" is unknown; allowed are figures such as accuracy and parameters such as net.name"),
               {verbatim(name)})
                         : refusal("column", LS_TR("Refusals", "\"%1\" is unknown; did you mean %2?"),
                             {verbatim(name), verbatim(meant)});
}

Cell textCell(std::string text)
{
    return text.empty() ? Cell() : Cell(std::move(text));
}

std::string dateText(std::int64_t wallNs)
{
    const std::time_t seconds = wallNs / 1'000'000'000;
    std::tm local{};
    localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
    return {text.data(), size};
}

/// Its preset's name; the title, in English, where it has another one than the preset.
std::string experimentName(const experiment::RunSpec& run)
{
    const bool isPresets = experiment::experimentKey(run) == run.experiment;
    return isPresets ? run.experiment : experiment::textOf(run.title, false);
}

Cell attributeCell(Attribute attribute, const RunRecord& run)
{
    switch (attribute) {
    case Attribute::None:
        return {};
    case Attribute::Id:
        return textCell(run.id.text);
    case Attribute::Name:
        return textCell(displayName(run));
    case Attribute::Variant:
        return textCell(run.spec.name);
    case Attribute::Experiment:
        return textCell(experimentName(run.spec));
    case Attribute::Status:
        return std::string(nameOf(run.status));
    case Attribute::Started:
        return hasStarted(run) ? textCell(dateText(run.createdNs)) : Cell();
    case Attribute::Repeat:
        return static_cast<double>(run.spec.repeat + 1);
    case Attribute::Ranks:
        return run.spec.settings.contains(nameOf(&experiment::RankSettings::worldSize))
            ? Cell(static_cast<double>(ranksOf(run)))
            : Cell();
    case Attribute::ByHand:
        return textCell(listed(namesOf(run.summary.interference)));
    case Attribute::Changed:
        return textCell(changedText(run));
    case Attribute::Tags:
        return textCell(listed(run.marks.tags));
    case Attribute::Note:
        return textCell(run.marks.note);
    case Attribute::Pinned:
        return std::string(run.marks.isPinned ? "yes" : "no");
    case Attribute::Imported:
        return textCell(run.importedFrom);
    case Attribute::Message:
        return textCell(run.message);
    }
    return {};
}

Cell parameterCell(const Parameter& parameter, const RunRecord& run)
{
    const auto found = run.spec.settings.find(std::string(parameter.name));
    if (found == run.spec.settings.end() || !applies(parameter, run.spec.settings)) {
        return {};
    }
    if (const auto* whole = std::get_if<std::int64_t>(&found->second)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&found->second)) {
        return *real;
    }
    return textCell(experiment::toText(found->second));
}

} // namespace

const char* Column::context() const
{
    return parameter != nullptr ? "Parameters" : figure != nullptr ? "Figures" : "Columns";
}

std::span<const Column> columns()
{
    static const std::vector<Column> all = allColumns();
    return all;
}

const Column* findColumn(std::string_view name)
{
    const auto all = columns();
    const auto found = std::ranges::find(all, name, &Column::name);
    return found == all.end() ? nullptr : &*found;
}

Result<const Column*> columnNamed(std::string_view name)
{
    if (const Column* column = findColumn(name)) {
        return column;
    }
    if (const std::string_view other = otherName(name); !other.empty()) {
        return findColumn(other);
    }
    if (const Column* column = findColumn(std::string(name) + ".name")) {
        return column;
    }
    std::vector<const Column*> ending;
    for (const Column& column : columns()) {
        // Who writes `rank` means the ranks, hardly fault.rank.
        if (column.name.ends_with("." + std::string(name)) && !column.name.starts_with("fault.")) {
            ending.push_back(&column);
        }
    }
    if (ending.empty()) {
        return unknownColumn(name);
    }
    if (ending.size() > 1) {
        return refusal("column", LS_TR("Refusals", "\"%1\" may be %2 or %3; write the whole name"),
            {verbatim(name), verbatim(ending[0]->name), verbatim(ending[1]->name)});
    }
    return ending.front();
}

Cell cellOf(const Column& column, const RunRecord& run)
{
    if (column.figure != nullptr) {
        const double value = column.figure->of(run);
        return std::isnan(value) ? Cell() : Cell(value);
    }
    return column.parameter != nullptr ? parameterCell(*column.parameter, run) : attributeCell(column.attribute, run);
}

double numberOf(const Cell& cell)
{
    const auto* number = std::get_if<double>(&cell);
    return number == nullptr ? NotMeasured : *number;
}

std::string rawText(const Cell& cell)
{
    if (const auto* number = std::get_if<double>(&cell)) {
        return experiment::toText(*number);
    }
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? std::string() : *text;
}

std::string readableText(const Column& column, const Cell& cell)
{
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr) {
        return std::holds_alternative<std::monostate>(cell) ? "–" : std::get<std::string>(cell);
    }
    if (column.parameter != nullptr) {
        return experiment::toText(*number); // as it was set
    }
    if (column.figure != nullptr) {
        return estimateText(*column.figure, {*number, NotMeasured, NotMeasured, 1});
    }
    return column.kind == CellKind::Count ? grouped(std::llround(*number)) : threeDigits(*number);
}

} // namespace lockstep::analysis
