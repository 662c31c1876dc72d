// What a comparison of a filter may ask of a column.
#include "analysis/table/filter_node.h"
#include "base/translate.h"
#include "base/typed.h"
#include "experiment/spec.h"
#include "experiment/variant_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <utility>

namespace lockstep::analysis {

namespace {

constexpr std::array<std::pair<std::string_view, Compare>, 10> Compares{{{"=", Compare::Equal}, {"==", Compare::Equal},
    {"!=", Compare::NotEqual}, {"<>", Compare::NotEqual}, {"<", Compare::Less}, {"<=", Compare::LessOrEqual},
    {">", Compare::Greater}, {">=", Compare::GreaterOrEqual}, {"~", Compare::Contains}, {"!~", Compare::ContainsNot}}};

Error valueRefused(std::string_view pattern, std::vector<Text> arguments)
{
    return refusal("filter", pattern, std::move(arguments));
}

bool isEquality(Compare compare)
{
    return compare == Compare::Equal || compare == Compare::NotEqual;
}

bool isContains(Compare compare)
{
    return compare == Compare::Contains || compare == Compare::ContainsNot;
}

/// `60,000` without its commas; what is not grouped in threes stays, and so does `0,500`.
std::string withoutGrouping(std::string_view text)
{
    const std::size_t first = text.find(',');
    bool isGrouped = first != std::string_view::npos && first >= 1 && first <= 3 && text.front() != '0';
    for (std::size_t comma = first; isGrouped && comma != std::string_view::npos; comma = text.find(',', comma + 1)) {
        const std::size_t end = std::min(text.find_first_of(",.", comma + 1), text.size());
        isGrouped = end == comma + 4;
    }
    std::string digits(text);
    if (isGrouped) {
        std::erase(digits, ',');
    }
    return digits;
}

constexpr std::array<std::string_view, 5> ByteUnits{"b", "kib", "mib", "gib", "tib"};

/// What a number of this column is multiplied with for the word behind it.
double factorOf(const Column& column, std::string_view unit)
{
    const auto* const found = std::ranges::find(ByteUnits, unit);
    return column.kind == CellKind::Bytes && found != ByteUnits.end()
        ? std::pow(1024.0, static_cast<double>(found - ByteUnits.begin()))
        : 1.0;
}

Result<double> numberFrom(const Column& column, std::string_view given, const ShownWords& words)
{
    const std::string text = withoutGrouping(withAsciiTwins(given));
    const bool isPercent = text.ends_with('%');
    const std::string_view digits = std::string_view(text).substr(0, text.size() - (isPercent ? 1 : 0));
    double number = 0.0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const std::string_view unit = digits.substr(static_cast<std::size_t>(end - digits.data()));
    if (status != std::errc{} || !std::isfinite(number) || !(unit.empty() || words.isUnitOf(column, unit))) {
        return valueRefused(LS_TR("Refusals", "%1 holds numbers, but \"%2\" is not a number"),
            {verbatim(column.name), verbatim(given)});
    }
    if (isPercent && column.kind != CellKind::Share) {
        return valueRefused(LS_TR("Refusals", "%1 is not a share, so \"%2\" has no meaning; write a number without %"),
            {verbatim(column.name), verbatim(given)});
    }
    number = isPercent ? number / 100.0 : number * factorOf(column, unit); // 57 * 0.01 is not 0.57
    if (column.kind == CellKind::Share && (number < 0.0 || number > 1.0)) {
        return valueRefused(LS_TR("Refusals", "%1 is a share from 0 to 1; \"%2\" may mean %3 %"),
            {verbatim(column.name), verbatim(given), verbatim(digits)});
    }
    return number;
}

/// The local day, `daysAgo` before that of `nowNs`.
std::string dayText(std::int64_t nowNs, int daysAgo)
{
    const std::time_t seconds = nowNs / 1'000'000'000;
    std::tm local{};
    localtime_r(&seconds, &local);
    local.tm_mday -= daysAgo;
    local.tm_hour = 12; // far from any change of the clocks
    local.tm_isdst = -1;
    std::mktime(&local);
    return fmt::format("{:04}-{:02}-{:02}", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday);
}

/// The beginning of `2026-11-23 14:05:09`, as far as it is written.
Result<std::string> dateFrom(const Column& column, const std::string& given, const FilterReading& reading)
{
    const std::string text = withAsciiTwins(given);
    for (const int daysAgo : {0, 1}) {
        if (reading.words.isShownAs(
                text, "Columns", daysAgo == 0 ? LS_TR("Columns", "today") : LS_TR("Columns", "yesterday"))) {
            return dayText(reading.nowNs, daysAgo);
        }
    }
    constexpr std::string_view Form = "dddd-dd-dd dd:dd:dd";
    constexpr std::array<std::size_t, 5> Lengths{4, 7, 10, 16, 19};
    std::string date(text);
    std::ranges::replace(date, 't', ' ');
    const bool isLong = std::ranges::find(Lengths, date.size()) != Lengths.end();
    const bool fits = isLong && std::equal(date.begin(), date.end(), Form.begin(), [](char each, char form) {
        return form == 'd' ? each >= '0' && each <= '9' : each == form;
    });
    if (!fits) {
        return valueRefused(
            LS_TR(
                "Refusals", "%1 is a date, but \"%2\" is not; write 2026-11-23, 2026-11-23T14:05, today or yesterday"),
            {verbatim(column.name), verbatim(given)});
    }
    return date;
}

/// Some parameters have a choice that is called `none`.
bool hasChoice(const Column& column, std::string_view name)
{
    return column.parameter != nullptr
        && std::ranges::any_of(
            column.parameter->choices, [&](const experiment::Choice& choice) { return choice.name == name; });
}

/// The name of a choice, also from its label.
Result<std::string> choiceFrom(const experiment::Parameter& parameter, const std::string& text, const ShownWords& words)
{
    for (const experiment::Choice& choice : parameter.choices) {
        if (lowerCase(choice.name) == withAsciiTwins(text) || words.isShownAs(text, "Parameters", choice.label)) {
            return lowerCase(choice.name);
        }
    }
    return valueRefused(LS_TR("Refusals", "%1 is never \"%2\"; allowed are %3"),
        {verbatim(parameter.name), verbatim(text), verbatim(listed(parameter.choices, &experiment::Choice::name))});
}

Result<std::string> truthFrom(const Column& column, const std::string& given, const ShownWords& words)
{
    const std::string text = withAsciiTwins(given);
    const bool isYes = text == "true" || text == "1" || words.isShownAs(text, "RunColumns", "yes")
        || words.isShownAs(text, "ParameterCharts", "on");
    const bool isNo = text == "false" || text == "0" || words.isShownAs(text, "RunColumns", "no")
        || words.isShownAs(text, "ParameterCharts", "off");
    if (!isYes && !isNo) {
        return valueRefused(LS_TR("Refusals", "%1 is yes or no, not \"%2\""), {verbatim(column.name), verbatim(given)});
    }
    const bool isParameter = column.parameter != nullptr;
    return std::string(isParameter ? (isYes ? "true" : "false") : (isYes ? "yes" : "no"));
}

Result<std::string> statusFrom(const std::string& text, const ShownWords& words)
{
    std::string names;
    for (int i = 0; i <= static_cast<int>(RunStatus::Interrupted); ++i) {
        const std::string name(nameOf(static_cast<RunStatus>(i)));
        if (name == withAsciiTwins(text) || words.isShownAs(text, "lockstep::ui::RunsTableModel", name)) {
            return name;
        }
        names += (i == 0 ? "" : ", ") + name;
    }
    return valueRefused(LS_TR("Refusals", "%1 is never \"%2\"; allowed are %3"),
        {verbatim("status"), verbatim(text), verbatim(std::move(names))});
}

/// The name of the preset whose title this is, in any language.
std::string experimentFrom(const std::string& text)
{
    for (const std::string_view name : experiment::presetNames()) {
        const experiment::Wording& title = experiment::aboutPreset(std::string(name)).title;
        if (lowerCase(experiment::textOf(title, false)) == text || lowerCase(experiment::textOf(title, true)) == text) {
            return std::string(name);
        }
    }
    return text;
}

Result<std::string> textFrom(const Column& column, const std::string& text, const ShownWords& words)
{
    const experiment::Parameter* parameter = column.parameter;
    if (parameter != nullptr && parameter->type == experiment::Type::Choice) {
        return choiceFrom(*parameter, text, words);
    }
    if (column.attribute == Attribute::Pinned
        || (parameter != nullptr && parameter->type == experiment::Type::Boolean)) {
        return truthFrom(column, text, words);
    }
    if (column.attribute == Attribute::Experiment) {
        return experimentFrom(text);
    }
    return column.attribute == Attribute::Status ? statusFrom(text, words) : Result<std::string>(text);
}

} // namespace

std::optional<Compare> compareFrom(std::string_view text)
{
    const auto found = std::ranges::find(Compares, text, &std::pair<std::string_view, Compare>::first);
    return found == Compares.end() ? std::nullopt : std::optional(found->second);
}

bool ShownWords::isShownAs(std::string_view text, std::string_view context, std::string_view entry) const
{
    return lowerCase(entry) == text || (m_shown && lowerCase(m_shown(context, entry)) == text);
}

bool ShownWords::isUnitOf(const Column& column, std::string_view text) const
{
    return column.kind == CellKind::Bytes ? std::ranges::find(ByteUnits, text) != ByteUnits.end()
                                          : !column.unit.empty() && isShownAs(text, column.context(), column.unit);
}

const Column* ShownWords::columnLabelled(std::string_view label) const
{
    const std::string wanted = lowerCase(label);
    const auto found = std::ranges::find_if(columns(), [&](const Column& column) {
        return !column.label.empty() && isShownAs(wanted, column.context(), column.label);
    });
    return found == columns().end() ? nullptr : &*found;
}

Result<const Column*> filterColumn(const std::string& name, const ShownWords& words)
{
    auto named = columnNamed(withAsciiTwins(name));
    if (!named) {
        if (const Column* labelled = words.columnLabelled(name)) {
            return labelled;
        }
    }
    return named;
}

Result<Filter::Node> comparisonOf(
    const Column& column, std::string_view compare, std::string_view value, const FilterReading& reading)
{
    const auto operation = compareFrom(compare);
    Filter::Node node{.kind = Filter::Node::Kind::Comparison,
        .column = &column,
        .compare = operation.value_or(Compare::Equal),
        .text = lowerCase(value)};
    if ((node.text == "none" || node.text == "–") && isEquality(node.compare)) {
        node.isNone = !hasChoice(column, node.text);
    }
    if (node.isNone) {
        return node;
    }
    if (column.isNumber()) {
        if (isContains(node.compare)) {
            return valueRefused(
                LS_TR("Refusals", "%1 holds numbers; \"%2\" is for text"), {verbatim(column.name), verbatim(compare)});
        }
        LOCKSTEP_TRY_ASSIGN(node.number, numberFrom(column, node.text, reading.words));
        return node;
    }
    if (column.kind == CellKind::Date) {
        LOCKSTEP_TRY_ASSIGN(node.text, dateFrom(column, node.text, reading));
        return node;
    }
    if (isContains(node.compare)) {
        return node;
    }
    if (!isEquality(node.compare)) {
        return valueRefused(LS_TR("Refusals", "%1 holds text; allowed are =, !=, ~ and !~, not \"%2\""),
            {verbatim(column.name), verbatim(compare)});
    }
    LOCKSTEP_TRY_ASSIGN(node.text, textFrom(column, node.text, reading.words));
    return node;
}

} // namespace lockstep::analysis
