#include "laboratory/format/field_table.h"

#include "analysis/plain_text.h"

#include <cmath>

namespace lockstep::laboratory {

namespace {

constexpr std::size_t LongestName = 64;
constexpr std::size_t LongestField = 4000;

bool isLowerCaseId(const FieldJson& value)
{
    if (!value.is_string()) {
        return false;
    }
    const std::string text = value.get<std::string>();
    return !text.empty() && text.size() <= LongestName && text.front() != '-' && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

bool isPlainText(const FieldJson& value)
{
    return value.is_string() && value.get_ref<const std::string&>().size() <= LongestField;
}

bool isTextList(const FieldJson& value)
{
    return value.is_array() && std::ranges::all_of(value, isPlainText);
}

bool isWording(const FieldJson& value)
{
    if (!value.is_object() || value.empty()) {
        return false;
    }
    for (const auto& [language, text] : value.items()) {
        if ((language != "en" && language != "zh") || !isPlainText(text)) {
            return false;
        }
    }
    return true;
}

bool isOfForm(const FieldJson& value, const FieldForm& form)
{
    using enum FieldForm::Kind;
    switch (form.kind) {
    case Version:
        return value.is_number_integer();
    case Id:
        return isLowerCaseId(value);
    case FieldForm::Kind::Text:
        return isPlainText(value);
    case Integer:
        return value.is_number_integer() && value.get<double>() >= form.least && value.get<double>() <= 1e9;
    case Number:
        return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= form.least;
    case Flag:
        return value.is_boolean();
    case FieldForm::Kind::Wording:
        return isWording(value);
    case TextOrWording:
        return isPlainText(value) || isWording(value);
    case Choice:
        return value.is_string()
            && std::ranges::find(form.choices, value.get_ref<const std::string&>()) != form.choices.end();
    case Texts:
        return isTextList(value);
    case Object:
    case ObjectsById:
    case Any:
        return value.is_object();
    case Objects:
        return value.is_array();
    case Answer:
        return value.is_number() || isPlainText(value) || isTextList(value);
    }
    return false;
}

FieldJson typed(const char* type)
{
    return {{"type", type}};
}

FieldJson reference(std::string_view table)
{
    return {{"$ref", "#/$defs/" + std::string(table)}};
}

} // namespace

bool checkForm(const FieldJson& value, const FieldForm& form, const FieldReader& reader)
{
    if (isOfForm(value, form)) {
        return true;
    }
    reader.fail(LS_TR("Messages", "%1 is not %2"),
        {verbatim(analysis::shortened(value.dump(-1, ' ', false, FieldJson::error_handler_t::replace), 60)),
            formText(form)});
    return false;
}

Text formText(const FieldForm& form)
{
    using enum FieldForm::Kind;
    switch (form.kind) {
    case Version:
    case Integer:
        return {LS_TR("Messages", "an integer, at least %1"), {static_cast<std::int64_t>(form.least)}};
    case Id:
        return LS_TR("Messages", "an id: lower-case letters, digits and -");
    case FieldForm::Kind::Text:
        return LS_TR("Messages", "a text");
    case Number:
        return LS_TR("Messages", "a number");
    case Flag:
        return LS_TR("Messages", "true or false");
    case FieldForm::Kind::Wording:
        return LS_TR("Messages", "a text in each language: {\"en\": \"...\", \"zh\": \"...\"}");
    case TextOrWording:
        return LS_TR("Messages", "a text, or one in each language: {\"en\": \"...\", \"zh\": \"...\"}");
    case Choice:
        return {LS_TR("Messages", "one of %1"), {verbatim(listed(form.choices))}};
    case Texts:
        return LS_TR("Messages", "a list of texts");
    case Object:
    case Any:
        return LS_TR("Messages", "a JSON object");
    case Objects:
        return LS_TR("Messages", "a list of objects");
    case ObjectsById:
        return LS_TR("Messages", "an object with the ids of steps as names");
    case Answer:
        return LS_TR("Messages", "a number, a text or a list of texts");
    }
    return {};
}

FieldJson schemaOf(const FieldForm& form)
{
    using enum FieldForm::Kind;
    switch (form.kind) {
    case Version:
        return {{"const", 1}};
    case Integer:
        return {{"type", "integer"}, {"minimum", static_cast<std::int64_t>(form.least)}};
    case Id:
        return {{"type", "string"}, {"pattern", "^[a-z0-9][a-z0-9-]*$"}, {"maxLength", LongestName}};
    case FieldForm::Kind::Text:
        return {{"type", "string"}, {"maxLength", LongestField}};
    case Number:
        return {{"type", "number"}, {"minimum", form.least}};
    case Flag:
        return typed("boolean");
    case FieldForm::Kind::Wording:
        return reference("wording");
    case TextOrWording:
        return {{"anyOf", FieldJson::array({typed("string"), reference("wording")})}};
    case Choice: {
        FieldJson names = FieldJson::array();
        for (const std::string_view each : form.choices) {
            names.push_back(std::string(each));
        }
        return {{"enum", names}};
    }
    case Texts:
        return {{"type", "array"}, {"items", typed("string")}};
    case Object:
        return reference(form.of);
    case Objects:
        return {{"type", "array"}, {"items", reference(form.of)}};
    case ObjectsById:
        return {{"type", "object"}, {"additionalProperties", reference(form.of)}};
    case Any:
        return {{"type", "object"}, {"description", std::string(form.of)}};
    case Answer:
        return {{"anyOf",
            FieldJson::array({typed("number"), typed("string"), {{"type", "array"}, {"items", typed("string")}}})}};
    }
    return {};
}

experiment::Wording wordingFrom(const FieldJson& value)
{
    if (value.is_string()) {
        return {value.get<std::string>(), value.get<std::string>()};
    }
    return {value.value("en", std::string()), value.value("zh", std::string())};
}

std::vector<std::string> textsFrom(const FieldJson& value)
{
    return value.get<std::vector<std::string>>();
}

std::string_view nearestOf(std::string_view given, std::span<const std::string_view> names)
{
    const auto nearest
        = std::ranges::min_element(names, {}, [given](std::string_view each) { return editDistance(given, each); });
    return nearest == names.end() ? std::string_view() : *nearest;
}

void failUnknown(const std::string& name, const std::vector<std::string_view>& known, const FieldReader& reader)
{
    constexpr std::size_t FarthestTypo = 3;
    const std::string_view nearest = nearestOf(name, known);
    const std::string shown = analysis::shortened(analysis::cleanLine(name), LongestName);
    if (nearest.empty() || editDistance(std::string_view(name), nearest) >= FarthestTypo) {
        reader.fail(LS_TR("Messages", "there is no field %1; allowed: %2"), {verbatim(shown), verbatim(listed(known))});
    } else {
        reader.fail(LS_TR("Messages", "there is no field %1; did you mean %2?"), {verbatim(shown), verbatim(nearest)});
    }
}

} // namespace lockstep::laboratory
