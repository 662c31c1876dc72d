// What a comparison of a filter may ask of a column.
#include "analysis/table/filter_node.h"
#include "base/translate.h"

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

Result<double> numberFrom(const Column& column, std::string_view text)
{
    const bool isPercent = text.ends_with('%');
    const std::string_view digits = isPercent ? text.substr(0, text.size() - 1) : text;
    double number = 0.0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (status != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(number)) {
        return valueRefused(
            LS_TR("Refusals", "%1 holds numbers, but \"%2\" is not a number"), {verbatim(column.name), verbatim(text)});
    }
    if (isPercent && column.kind != CellKind::Share) {
        return valueRefused(LS_TR("Refusals", "%1 is not a share, so \"%2\" has no meaning; write a number without %"),
            {verbatim(column.name), verbatim(text)});
    }
    number = isPercent ? number / 100.0 : number;
    if (column.kind == CellKind::Share && (number < 0.0 || number > 1.0)) {
        return valueRefused(LS_TR("Refusals", "%1 is a share from 0 to 1; \"%2\" may mean %3 %"),
            {verbatim(column.name), verbatim(text), verbatim(digits)});
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
Result<std::string> dateFrom(const Column& column, std::string_view text, std::int64_t nowNs)
{
    if (text == "today" || text == "yesterday") {
        return dayText(nowNs, text == "today" ? 0 : 1);
    }
    constexpr std::string_view Form = "dddd-dd-dd dd:dd:dd";
    constexpr std::array<std::size_t, 5> Lengths{4, 7, 10, 16, 19};
    std::string date(text);
    std::ranges::replace(date, 't', ' ');
    const bool isLong = std::ranges::find(Lengths, date.size()) != Lengths.end();
    const bool fits = isLong && std::equal(date.begin(), date.end(), Form.begin(), [](char given, char form) {
        return form == 'd' ? given >= '0' && given <= '9' : given == form;
    });
    if (!fits) {
        return valueRefused(
            LS_TR(
                "Refusals", "%1 is a date, but \"%2\" is not; write 2026-11-23, 2026-11-23T14:05, today or yesterday"),
            {verbatim(column.name), verbatim(text)});
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
Result<std::string> choiceFrom(const experiment::Parameter& parameter, const std::string& text)
{
    for (const experiment::Choice& choice : parameter.choices) {
        if (lowerCase(choice.name) == text || lowerCase(choice.label) == text) {
            return lowerCase(choice.name);
        }
    }
    return valueRefused(LS_TR("Refusals", "%1 is never \"%2\"; allowed are %3"),
        {verbatim(parameter.name), verbatim(text), verbatim(listed(parameter.choices, &experiment::Choice::name))});
}

Result<std::string> truthFrom(const Column& column, const std::string& text)
{
    const bool isYes = text == "yes" || text == "true" || text == "1";
    if (!isYes && text != "no" && text != "false" && text != "0") {
        return valueRefused(LS_TR("Refusals", "%1 is yes or no, not \"%2\""), {verbatim(column.name), verbatim(text)});
    }
    const bool isParameter = column.parameter != nullptr;
    return std::string(isParameter ? (isYes ? "true" : "false") : (isYes ? "yes" : "no"));
}

Result<std::string> statusFrom(const std::string& text)
{
    if (statusFromName(text)) {
        return text;
    }
    std::string names;
    for (int i = 0; i <= static_cast<int>(RunStatus::Interrupted); ++i) {
        names += (i == 0 ? "" : ", ") + std::string(nameOf(static_cast<RunStatus>(i)));
    }
    return valueRefused(LS_TR("Refusals", "%1 is never \"%2\"; allowed are %3"),
        {verbatim("status"), verbatim(text), verbatim(std::move(names))});
}

Result<std::string> textFrom(const Column& column, const std::string& text)
{
    const experiment::Parameter* parameter = column.parameter;
    if (parameter != nullptr && parameter->type == experiment::Type::Choice) {
        return choiceFrom(*parameter, text);
    }
    if (column.attribute == Attribute::Pinned
        || (parameter != nullptr && parameter->type == experiment::Type::Boolean)) {
        return truthFrom(column, text);
    }
    return column.attribute == Attribute::Status ? statusFrom(text) : Result<std::string>(text);
}

} // namespace

std::optional<Compare> compareFrom(std::string_view text)
{
    const auto found = std::ranges::find(Compares, text, &std::pair<std::string_view, Compare>::first);
    return found == Compares.end() ? std::nullopt : std::optional(found->second);
}

Result<Filter::Node> comparisonOf(
    std::string_view column, std::string_view compare, std::string_view value, std::int64_t nowNs)
{
    LOCKSTEP_TRY_ASSIGN(const Column* found, columnNamed(column));
    const auto operation = compareFrom(compare);
    Filter::Node node{.kind = Filter::Node::Kind::Comparison,
        .column = found,
        .compare = operation.value_or(Compare::Equal),
        .text = lowerCase(value)};
    if (node.text == "none" && isEquality(node.compare)) {
        node.isNone = !hasChoice(*found, node.text);
    }
    if (node.isNone) {
        return node;
    }
    if (found->isNumber()) {
        if (isContains(node.compare)) {
            return valueRefused(
                LS_TR("Refusals", "%1 holds numbers; \"%2\" is for text"), {verbatim(found->name), verbatim(compare)});
        }
        LOCKSTEP_TRY_ASSIGN(node.number, numberFrom(*found, node.text));
        return node;
    }
    if (found->kind == CellKind::Date) {
        LOCKSTEP_TRY_ASSIGN(node.text, dateFrom(*found, node.text, nowNs));
        return node;
    }
    if (isContains(node.compare)) {
        return node;
    }
    if (!isEquality(node.compare)) {
        return valueRefused(LS_TR("Refusals", "%1 holds text; allowed are =, !=, ~ and !~, not \"%2\""),
            {verbatim(found->name), verbatim(compare)});
    }
    LOCKSTEP_TRY_ASSIGN(node.text, textFrom(*found, node.text));
    return node;
}

} // namespace lockstep::analysis
