// Reading and checking of single values. One message form for all: name, what was given, what is allowed.
#include "base/typed.h"
#include "experiment/parameter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace lockstep::experiment {

namespace {

Error refused(const Parameter& parameter, std::string_view given)
{
    const Text shown = given.empty() ? Text(LS_TR("Messages", "an empty value")) : verbatim(given);
    return refusal(std::string(parameter.name), LS_TR("Messages", "%1 is not %2"), {shown, allowedText(parameter)});
}

Error outside(const Parameter& parameter, double given)
{
    const Range& range = parameter.range;
    std::string interval = range.openMinimum || std::isinf(range.minimum) ? "(" : "[";
    interval += toText(range.minimum) + ", " + toText(range.maximum);
    interval += range.openMaximum || std::isinf(range.maximum) ? ")" : "]";
    return refusal(std::string(parameter.name), LS_TR("Messages", "%1 is outside %2"),
        {verbatim(toText(given)), verbatim(interval)});
}

template <typename T>
std::optional<T> readNumber(std::string_view text)
{
    T number{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

template <typename T>
std::optional<std::vector<T>> readList(std::string_view text)
{
    std::vector<T> items;
    if (text.empty()) {
        return items;
    }
    for (const std::string_view part : splitTyped(text, ',')) {
        const auto item = readNumber<T>(part);
        if (!item) {
            return std::nullopt;
        }
        items.push_back(*item);
    }
    return items;
}

/// The first item of a list that is no number; the whole text of other types.
std::string_view wrongPart(const Parameter& parameter, std::string_view text)
{
    if (parameter.type == Type::IntegerList || parameter.type == Type::RealList) {
        const std::vector<std::string_view> parts = splitTyped(text, ',');
        const bool isWhole = parameter.type == Type::IntegerList;
        const auto wrong = std::ranges::find_if(parts, [isWhole](std::string_view part) {
            return isWhole ? !readNumber<std::int64_t>(part) : !readNumber<double>(part);
        });
        return wrong == parts.end() || wrong->empty() ? text : *wrong;
    }
    return text;
}

bool isInside(const Range& range, double number)
{
    const bool above = range.openMinimum ? number > range.minimum : number >= range.minimum;
    const bool below = range.openMaximum ? number < range.maximum : number <= range.maximum;
    return above && below; // false for NaN
}

Result<void> checkNumber(const Parameter& parameter, double number)
{
    if (std::isnan(number)) {
        return refused(parameter, "nan");
    }
    if (!isInside(parameter.range, number)) {
        return outside(parameter, number);
    }
    return {};
}

template <typename T>
Result<void> checkList(const Parameter& parameter, const std::vector<T>& items)
{
    for (const T item : items) {
        LOCKSTEP_TRY(checkNumber(parameter, static_cast<double>(item)));
    }
    return {};
}

bool isDevice(std::string_view text)
{
    if (text == "auto" || text == "cpu" || text == "cuda") {
        return true;
    }
    return text.starts_with("cuda:") && readNumber<std::uint16_t>(text.substr(5)).has_value();
}

Result<void> checkText(const Parameter& parameter, const std::string& text)
{
    if (parameter.type == Type::Choice) {
        const bool known = std::any_of(parameter.choices.begin(), parameter.choices.end(),
            [&](const Choice& choice) { return choice.name == text; });
        return known ? Result<void>() : Result<void>(refused(parameter, text));
    }
    if (parameter.name == "device" && !isDevice(text)) {
        return refused(parameter, text);
    }
    return {};
}

/// Whether the variant holds the row's type; an integer is accepted as a Real.
std::optional<Value> converted(const Parameter& parameter, const Value& value)
{
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (parameter.type == Type::Real && whole != nullptr) {
        return Value{static_cast<double>(*whole)};
    }
    if (parameter.type == Type::Scalar) {
        const bool isList = std::holds_alternative<std::vector<std::int64_t>>(value)
            || std::holds_alternative<std::vector<double>>(value);
        return isList ? std::nullopt : std::optional<Value>(value);
    }
    return value.index() == parameter.standard.index() ? std::optional<Value>(value) : std::nullopt;
}

struct Check {
    const Parameter& parameter;

    Result<void> operator()(bool) const { return {}; }
    Result<void> operator()(std::int64_t value) const { return checkNumber(parameter, static_cast<double>(value)); }
    Result<void> operator()(double value) const { return checkNumber(parameter, value); }
    Result<void> operator()(const std::string& value) const { return checkText(parameter, value); }
    Result<void> operator()(const std::vector<std::int64_t>& value) const { return checkList(parameter, value); }
    Result<void> operator()(const std::vector<double>& value) const { return checkList(parameter, value); }
};

/// As JSON would have it, with anything else as a text.
Value readScalar(std::string_view text)
{
    if (text == "true" || text == "false") {
        return text == "true";
    }
    if (const auto whole = readNumber<std::int64_t>(text)) {
        return *whole;
    }
    const auto number = readNumber<double>(text);
    return number ? Value(*number) : Value(std::string(text));
}

std::optional<Value> readValue(const Parameter& parameter, std::string_view text)
{
    const auto asValue = [](auto read) { return read ? std::optional<Value>(*read) : std::nullopt; };
    switch (parameter.type) {
    case Type::Boolean:
        if (text == "true" || text == "false") {
            return Value{text == "true"};
        }
        return std::nullopt;
    case Type::Integer:
        return asValue(readNumber<std::int64_t>(text));
    case Type::Real:
        return asValue(readNumber<double>(text));
    case Type::Choice:
    case Type::Text:
    case Type::Path:
        return Value{std::string(text)};
    case Type::IntegerList:
        return asValue(readList<std::int64_t>(text));
    case Type::RealList:
        return asValue(readList<double>(text));
    case Type::Scalar:
        return readScalar(text);
    }
    return std::nullopt;
}

/// Texts and paths may have any character; a scalar is a text unless it is a number or a truth value.
bool isTextAsTyped(const Parameter& parameter, std::string_view text)
{
    return parameter.type == Type::Text || parameter.type == Type::Path
        || (parameter.type == Type::Scalar && std::holds_alternative<std::string>(readScalar(withAsciiTwins(text))));
}

} // namespace

Result<Value> parseValue(const Parameter& parameter, std::string_view text)
{
    const std::string ascii = isTextAsTyped(parameter, text) ? std::string(text) : withAsciiTwins(text);
    const auto value = readValue(parameter, ascii);
    if (!value) {
        return refused(parameter, wrongPart(parameter, ascii));
    }
    LOCKSTEP_TRY(checkValue(parameter, *value));
    return *value;
}

Result<void> checkValue(const Parameter& parameter, const Value& value)
{
    const auto fitting = converted(parameter, value);
    if (!fitting) {
        return refused(parameter, toText(value));
    }
    return std::visit(Check{parameter}, *fitting);
}

} // namespace lockstep::experiment
