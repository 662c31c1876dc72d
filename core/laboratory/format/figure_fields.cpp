#include "laboratory/format/figure_fields.h"

#include "analysis/study/parameter_study.h"
#include "base/translate.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace lockstep::laboratory {

namespace {

using Kind = FieldForm::Kind;

FieldForm oneOf(std::span<const std::string_view> names)
{
    return {Kind::Choice, {}, {names.begin(), names.end()}};
}

constexpr std::array<std::string_view, 5> FigureTables{"results", "differences", "settings", "sweep", "to-loss"};
constexpr std::array<std::string_view, 3> FigureAxes{"step", "epoch", "seconds"};
/// What a table `to-loss` is: that of this finding.
constexpr std::string_view ToLoss = "optimizers.to_loss";

} // namespace

const std::vector<FieldRow<report::Item>>& figureRows()
{
    using report::Item;
    static const std::vector<FieldRow<Item>> Rows{
        {{"chart", oneOf(report::chartNames()), false, "A chart of the window. This field or `table`."},
            [](const FieldJson& value, Item& into, const FieldReader&) {
                into.kind = report::ItemKind::Chart;
                into.name = value.get<std::string>();
            }},
        {{"x", oneOf(FigureAxes), false, "Of a chart over time: its horizontal axis. Without it: `step`."},
            [](const FieldJson& value, Item& into, const FieldReader&) { into.x = value.get<std::string>(); }},
        {{"log", {Kind::Flag}, false, "Of a chart over time: a logarithmic vertical axis."},
            [](const FieldJson& value, Item& into, const FieldReader&) { into.isLogarithmic = value.get<bool>(); }},
        {{"choice", {Kind::Text}, false,
             "Of the chart `parameter`: the figure that it draws, such as `bubble_fraction`."},
            [](const FieldJson& value, Item& into, const FieldReader& reader) {
                into.choice = value.get<std::string>();
                if (analysis::findStudyFigure(into.choice) == nullptr) {
                    reader.fail(LS_TR("Messages", "the chart draws no figure %1"), {verbatim(into.choice)});
                }
            }},
        {{"first", {Kind::Text}, false, "Of the chart `parameter`: the parameter on its horizontal axis."},
            [](const FieldJson& value, Item& into, const FieldReader&) { into.first = value.get<std::string>(); }},
        {{"table", oneOf(FigureTables), false,
             "A table. `results`: a row a variant. `to-loss`: steps, epochs and seconds to a loss that all reach."},
            [](const FieldJson& value, Item& into, const FieldReader&) {
                into.kind = report::ItemKind::Table;
                into.name = value.get<std::string>();
                if (into.name == FigureTables.back()) {
                    into.kind = report::ItemKind::Findings;
                    into.kinds = {std::string(ToLoss)};
                }
            }},
        {{"columns", {Kind::Texts}, false,
             "Of the table `results`: names of figures, and `ranks`, `speed_up`, `efficiency`. Without it: the usual "
             "ones."},
            [](const FieldJson& value, Item& into, const FieldReader& reader) {
                into.columns = textsFrom(value);
                const auto all = report::resultColumns();
                for (const std::string& name : into.columns) {
                    if (std::ranges::find(all, name) == all.end()) {
                        reader.fail(LS_TR("Messages", "there is no figure %1; did you mean %2?"),
                            {verbatim(name), verbatim(nearestOf(name, all))});
                    }
                }
            }},
    };
    return Rows;
}

void takeFigures(const FieldJson& value, Step& into, const FieldReader& reader)
{
    for (const FieldJson& each : value) {
        report::Item item;
        readFields<report::Item>(each, figureRows(), item, reader);
        if (each.is_object() && each.contains("chart") == each.contains("table")) {
            reader.fail(LS_TR("Messages", "each needs either a chart or a table"));
        }
        std::get<QuestionStep>(into.content).figures.push_back(std::move(item));
    }
}

} // namespace lockstep::laboratory
