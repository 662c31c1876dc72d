#include "ui/models/form/variant_edits.h"

#include "base/random.h"
#include "base/translate.h"
#include "ui/models/form/parameter_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::ui {

using experiment::Parameter;
using experiment::Value;
using experiment::VariedParameter;

namespace {

std::ptrdiff_t offset(std::size_t place)
{
    return static_cast<std::ptrdiff_t>(place);
}

/// What can be read of a row's cells.
experiment::Variant variantOf(const VariantRow& row)
{
    experiment::Variant variant{row.name.toStdString(), {}, row.group.toStdString()};
    for (const auto& [name, cell] : row.cells) {
        const Parameter* parameter = experiment::findParameter(name);
        if (parameter == nullptr) {
            continue;
        }
        if (const auto value = typedValue(*parameter, cell.text)) {
            variant.values[name] = *value;
        }
    }
    return variant;
}

/// The row with the values of `made`; what it had before keeps its standard.
VariantRow rowOf(const VariantRow& origin, const experiment::Variant& made)
{
    VariantRow row = origin;
    row.name = QString::fromStdString(made.name);
    for (const auto& [name, value] : made.values) {
        VariantCell& cell = row.cells[name];
        if (cell.text != typedText(value)) {
            cell = {typedText(value), typedText(value), {}};
        }
    }
    std::erase_if(
        row.cells, [&](const auto& cell) { return !made.values.contains(cell.first) && cell.second.error.isEmpty(); });
    return row;
}

bool areAlike(const VariantRow& a, const VariantRow& b)
{
    return a.name == b.name && a.group == b.group && a.cells == b.cells;
}

/// Takes the column out of one row and out of its name.
VariantRow stripped(VariantRow row, const Parameter& parameter)
{
    if (row.cells.erase(std::string(parameter.name)) > 0) {
        row.name = QString::fromStdString(experiment::withoutNamePart(row.name.toStdString(), parameter));
    }
    return row;
}

/// Without the column and without rows that are then alike. A name can be empty.
Variants strippedRows(const Variants& variants, const Parameter& parameter)
{
    Variants rows;
    for (const VariantRow& variant : variants) {
        VariantRow row = stripped(variant, parameter);
        if (std::none_of(rows.begin(), rows.end(), [&](const VariantRow& other) { return areAlike(other, row); })) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// Each row that has the colour of one before it gets another, and each without a name gets one.
Variants withColorsAndNames(Variants rows, const QString& nameless)
{
    std::set<std::size_t> used;
    Variants result;
    std::size_t next = 0;
    for (const VariantRow& row : rows) {
        used.insert(row.color);
    }
    std::set<std::size_t> taken;
    for (VariantRow& row : rows) {
        if (!taken.insert(row.color).second) {
            while (used.contains(next)) {
                ++next;
            }
            row.color = next;
            used.insert(next);
            taken.insert(next);
        }
        row.name = freeName(result, row.name.isEmpty() ? nameless : row.name);
        result.push_back(std::move(row));
    }
    return result;
}

QString namelessVariant()
{
    return QCoreApplication::translate("VariantEdits", "Variant");
}

Result<Variants> everyCombination(
    const Variants& variants, const experiment::Spec& experiment, const VariedParameter& varied)
{
    Variants origins = strippedRows(variants, *varied.parameter);
    if (origins.empty()) {
        origins.push_back({});
    }
    Variants rows;
    Result<void> refusal;
    bool applied = false;
    for (const VariantRow& origin : origins) {
        experiment::Spec one = experiment;
        one.variants = {variantOf(origin)};
        one.repeats = 1;
        const auto made = experiment::vary(std::move(one), std::vector{varied});
        if (!made) {
            refusal = made.error();
            rows.push_back(origin);
            continue;
        }
        applied = true;
        for (const experiment::Variant& variant : made->variants) {
            rows.push_back(rowOf(origin, variant));
        }
    }
    if (!applied) {
        return refusal.error();
    }
    return rows;
}

/// What the name of a row becomes with this value: only a part that was made from a value changes.
QString renamed(const VariantRow& row, const Parameter& parameter, const Value& value)
{
    return QString::fromStdString(experiment::withNamePart(row.name.toStdString(), parameter, value));
}

Variants oneEach(Variants rows, const VariedParameter& varied)
{
    const bool areMade = rows.empty();
    const std::size_t count = std::max(rows.size(), varied.values.size());
    while (rows.size() < count) {
        rows.push_back(rows.empty() ? VariantRow{} : rows.back());
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Value& value = varied.values[i % varied.values.size()];
        VariantRow& row = rows[i];
        row.name = areMade ? QString::fromStdString(experiment::namePart(*varied.parameter, value))
                           : renamed(row, *varied.parameter, value);
        row.cells[std::string(varied.parameter->name)] = {typedText(value), typedText(value), {}};
    }
    return rows;
}

Result<void> checkCount(const Variants& rows, const experiment::Spec& experiment)
{
    const std::size_t runs = rows.size() * static_cast<std::size_t>(experiment.repeats);
    if (runs <= experiment::MostRuns) {
        return {};
    }
    return refusal("variants", LS_TR("Refusals", "variants times repeats give %1 runs; at most %2 are allowed"),
        {runs, experiment::MostRuns});
}

} // namespace

QString freeName(const Variants& variants, const QString& wanted)
{
    const auto isUsed = [&](const QString& name) {
        return std::any_of(variants.begin(), variants.end(), [&](const VariantRow& row) { return row.name == name; });
    };
    QString name = wanted;
    for (int number = 2; isUsed(name); ++number) {
        name = QStringLiteral("%1 %2").arg(wanted).arg(number);
    }
    return name;
}

std::size_t freeColor(const Variants& variants)
{
    std::size_t color = 0;
    while (std::any_of(variants.begin(), variants.end(), [&](const VariantRow& row) { return row.color == color; })) {
        ++color;
    }
    return color;
}

Variants withAdded(Variants variants, const QString& name)
{
    VariantRow row = variants.empty() ? VariantRow{} : variants.back();
    row.name = freeName(variants, name);
    row.isEnabled = true;
    row.color = freeColor(variants);
    variants.push_back(std::move(row));
    return variants;
}

Variants withDuplicate(Variants variants, std::size_t place)
{
    if (place < variants.size()) {
        VariantRow row = variants[place];
        row.name = freeName(variants, row.name);
        row.color = freeColor(variants);
        variants.insert(variants.begin() + offset(place) + 1, std::move(row));
    }
    return variants;
}

Variants without(Variants variants, std::size_t place)
{
    if (place < variants.size()) {
        variants.erase(variants.begin() + offset(place));
    }
    return variants;
}

Variants withMoved(Variants variants, std::size_t from, std::size_t to)
{
    if (from < variants.size() && to < variants.size() && from != to) {
        VariantRow row = std::move(variants[from]);
        variants.erase(variants.begin() + offset(from));
        variants.insert(variants.begin() + offset(to), std::move(row));
    }
    return variants;
}

Result<Variants> withName(Variants variants, std::size_t place, const QString& name)
{
    const QString wanted = name.trimmed();
    if (wanted.isEmpty()) {
        return refusal("variants", LS_TR("Refusals", "a variant needs a name"));
    }
    for (std::size_t i = 0; i < variants.size(); ++i) {
        if (i != place && variants[i].name == wanted) {
            return refusal("variants", LS_TR("Refusals", "two variants cannot both be named %1"),
                {verbatim(wanted.toStdString())});
        }
    }
    if (place < variants.size()) {
        variants[place].name = wanted;
    }
    return variants;
}

void setCellText(Variants& variants, std::size_t place, const std::string& parameter, const QString& text)
{
    VariantRow& row = variants[place];
    row.cells[parameter].text = text;
    const Parameter* known = experiment::findParameter(parameter);
    const auto value = known == nullptr ? Result<Value>(Error{}) : typedValue(*known, text);
    if (!value) {
        return;
    }
    const QString name = renamed(row, *known, *value);
    if (name != row.name) {
        row.name = freeName(variants, name);
    }
}

Result<Variants> withColumn(
    const Variants& variants, const experiment::Spec& experiment, const VariedParameter& varied, Fill fill)
{
    if (fill == Fill::EveryCombination || variants.empty()) {
        LOCKSTEP_TRY_ASSIGN(auto rows, everyCombination(variants, experiment, varied));
        LOCKSTEP_TRY(checkCount(rows, experiment));
        return withColorsAndNames(std::move(rows), namelessVariant());
    }
    LOCKSTEP_TRY(everyCombination(variants, experiment, {varied.parameter, {varied.values.front()}})); // applies?
    Variants rows = oneEach(variants, varied);
    LOCKSTEP_TRY(checkCount(rows, experiment));
    return withColorsAndNames(std::move(rows), namelessVariant());
}

Variants withoutColumn(const Variants& variants, const Parameter& parameter)
{
    return withColorsAndNames(strippedRows(variants, parameter), namelessVariant());
}

Result<Variants> withCombined(
    const Variants& variants, const experiment::Spec& experiment, const Parameter& first, const Parameter& second)
{
    const std::string name(first.name);
    std::set<QString> seen;
    Variants rows;
    VariedParameter varied{&second, {}};
    for (const VariantRow& row : variants) {
        const auto cell = row.cells.find(name);
        if (seen.insert(cell == row.cells.end() ? QString() : cell->second.text).second) {
            rows.push_back(stripped(row, second));
        }
        const auto other = row.cells.find(std::string(second.name));
        if (other == row.cells.end()) {
            continue;
        }
        LOCKSTEP_TRY_ASSIGN(auto value, typedValue(second, other->second.text));
        if (std::find(varied.values.begin(), varied.values.end(), value) == varied.values.end()) {
            varied.values.push_back(std::move(value));
        }
    }
    if (varied.values.empty()) {
        return variants;
    }
    return withColumn(rows, experiment, varied, Fill::EveryCombination);
}

Variants sampleOf(const Variants& variants, std::size_t wanted, std::uint64_t seed)
{
    Variants rows;
    for (const std::size_t place : experiment::randomSample(variants.size(), wanted, Seed{seed})) {
        rows.push_back(variants[place]);
    }
    return rows;
}

} // namespace lockstep::ui
