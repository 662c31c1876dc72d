#include "analysis/table/run_table.h"

#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::analysis {

namespace {

using Row = std::vector<std::string>;

std::string headerOf(const Column& column, const TableLayout& layout)
{
    return layout.header ? layout.header(column) : std::string(column.name);
}

std::string translatedIn(const TableLayout& layout, const char* text)
{
    return layout.translate ? layout.translate(text) : std::string(text);
}

std::string rawNumber(double value)
{
    return std::isfinite(value) ? experiment::toText(value) : std::string();
}

void addFigureHeaders(TextTable& table, const Column& column, bool hasBaseline, const TableLayout& layout)
{
    const std::string name = headerOf(column, layout);
    table.headers.push_back({name, true});
    if (layout.form == TableForm::Raw) {
        for (const char* part : {" low", " high", " n"}) {
            table.headers.push_back({name + part, true});
        }
    }
    if (!hasBaseline) {
        return;
    }
    if (layout.form == TableForm::Readable) {
        table.headers.push_back({"Δ " + name, true});
        return;
    }
    const std::string difference
        = name + (column.kind == CellKind::Share ? " difference in points" : " difference in percent");
    for (const char* part : {"", " low", " high"}) {
        table.headers.push_back({difference + part, true});
    }
}

Row differenceCells(const FigureDifference& difference, TableForm form)
{
    if (form == TableForm::Readable) {
        return {differenceText(difference)};
    }
    return {rawNumber(difference.difference * 100.0), rawNumber(difference.low * 100.0),
        rawNumber(difference.high * 100.0)};
}

void addFigureCells(Row& row, const RowGroup& group, const RowGroup* baseline, const Column& column, TableForm form)
{
    const MeanEstimate estimate = estimateOf(group, column);
    if (form == TableForm::Readable) {
        row.push_back(estimateText(*column.figure, estimate));
    } else {
        for (const double value : {estimate.mean, estimate.low, estimate.high}) {
            row.push_back(rawNumber(value));
        }
        row.push_back(std::to_string(estimate.n));
    }
    if (baseline != nullptr) {
        const FigureDifference difference
            = &group == baseline ? FigureDifference() : differenceTo(*baseline, group, column);
        std::ranges::copy(differenceCells(difference, form), std::back_inserter(row));
    }
}

} // namespace

RowGroup groupOfOne(const RunRecord& run)
{
    RowGroup group;
    group.name = displayName(run);
    group.runs = {&run};
    group.counted = {&run};
    return group;
}

std::string mixedText(const RowGroup& group)
{
    return listed(group.mixed, &experiment::Parameter::name);
}

TextTable tableOfRuns(std::span<const RunRecord* const> runs, const RunRecord* baseline, const TableLayout& layout)
{
    const bool isRaw = layout.form == TableForm::Raw;
    TextTable table;
    for (const Column* column : layout.columns) {
        table.headers.push_back({headerOf(*column, layout), column->isNumber()});
        if (baseline != nullptr && column->isFigure()) {
            const std::string points
                = column->kind == CellKind::Share ? " difference in points" : " difference in percent";
            table.headers.push_back(
                {isRaw ? headerOf(*column, layout) + points : "Δ " + headerOf(*column, layout), true});
        }
    }
    for (const RunRecord* run : runs) {
        Row row;
        for (const Column* column : layout.columns) {
            const Cell cell = cellOf(*column, *run);
            row.push_back(isRaw ? rawText(cell) : readableText(*column, cell));
            if (baseline != nullptr && column->isFigure()) {
                const FigureDifference difference = run == baseline
                    ? FigureDifference()
                    : differenceTo(groupOfOne(*baseline), groupOfOne(*run), *column);
                row.push_back(differenceCells(difference, layout.form).front());
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

TextTable tableOfGroups(std::span<const RowGroup> groups, const RowGroup* baseline, const TableLayout& layout)
{
    const bool isRaw = layout.form == TableForm::Raw;
    TextTable table;
    if (layout.by.empty()) {
        table.headers.push_back({headerOf(*findColumn("variant"), layout), false});
    }
    for (const Column* column : layout.by) {
        table.headers.push_back({headerOf(*column, layout), column->isNumber()});
    }
    table.headers.push_back({"n", true});
    for (const Column* column : layout.columns) {
        if (column->isFigure()) {
            addFigureHeaders(table, *column, baseline != nullptr, layout);
        }
    }
    table.headers.push_back({translatedIn(layout, LS_TR("RunTable", "also differs")), false});
    for (const RowGroup& group : groups) {
        Row row;
        if (layout.by.empty()) {
            row.push_back(group.name);
        }
        for (std::size_t i = 0; i < layout.by.size(); ++i) {
            row.push_back(isRaw ? rawText(group.key[i]) : readableText(*layout.by[i], group.key[i]));
        }
        row.push_back(std::to_string(group.counted.size()));
        for (const Column* column : layout.columns) {
            if (column->isFigure()) {
                addFigureCells(row, group, baseline, *column, layout.form);
            }
        }
        row.push_back(mixedText(group));
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace lockstep::analysis
