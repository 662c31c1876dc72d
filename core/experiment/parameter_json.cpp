// The table as JSON and as the reference page.
#include "experiment/parameter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace lockstep::experiment {

namespace {

using Json = nlohmann::ordered_json;

const char* typeName(Type type)
{
    switch (type) {
    case Type::Boolean:
        return "boolean";
    case Type::Integer:
        return "integer";
    case Type::Real:
        return "real";
    case Type::Choice:
        return "choice";
    case Type::Text:
        return "text";
    case Type::Path:
        return "path";
    case Type::IntegerList:
        return "integer_list";
    case Type::RealList:
        return "real_list";
    case Type::Scalar:
        return "scalar";
    }
    return "";
}

Json limit(double number, bool open)
{
    return std::isinf(number) ? Json() : Json{{"value", number}, {"included", !open}};
}

Json choicesJson(const Parameter& row)
{
    Json choices = Json::array();
    for (const Choice& choice : row.choices) {
        choices.push_back({{"name", choice.name}, {"label", choice.label}, {"help", choice.help}});
    }
    return choices;
}

Json conditionsJson(const Parameter& row)
{
    Json conditions = Json::object();
    for (const Condition& condition : row.appliesWhen) {
        conditions[std::string(condition.parameter)] = condition.values;
    }
    return conditions;
}

Json rowJson(const Parameter& row)
{
    Json json{{"name", row.name}, {"type", typeName(row.type)}, {"group", row.group}, {"label", row.label},
        {"unit", row.unit}, {"level", row.level == Level::Basic ? "basic" : "advanced"}, {"help", row.help}};
    json["minimum"] = limit(row.range.minimum, row.range.openMinimum);
    json["maximum"] = limit(row.range.maximum, row.range.openMaximum);
    json["choices"] = choicesJson(row);
    std::visit([&](const auto& standard) { json["default"] = standard; }, row.standard);
    json["applies_when"] = conditionsJson(row);
    return json;
}

/// `is a, b or c`; of a long list that leaves out one choice, d: `is not d`.
/// `quote` stands around the name of the parameter.
Text conditionText(const Condition& condition, const std::string& quote)
{
    constexpr std::size_t LongList = 8;
    const Text name = verbatim(quote + std::string(condition.parameter) + quote);
    const Parameter* row = findParameter(condition.parameter);
    std::vector<std::string_view> others;
    for (const Choice& choice : row != nullptr ? row->choices : std::vector<Choice>()) {
        if (std::find(condition.values.begin(), condition.values.end(), choice.name) == condition.values.end()) {
            others.push_back(choice.name);
        }
    }
    if (others.size() == 1 && condition.values.size() > LongList) {
        return {LS_TR("Messages", "%1 is not %2"), {name, verbatim(others.front())}};
    }
    const std::string first = listed(std::span(condition.values).first(condition.values.size() - 1));
    const Text last = verbatim(condition.values.back());
    const Text values = first.empty() ? last : Text(LS_TR("Messages", "%1 or %2"), {verbatim(first), last});
    return {LS_TR("Messages", "%1 is %2"), {name, values}};
}

Text conditionsText(const Parameter& row, const std::string& quote)
{
    Text text;
    for (const Condition& condition : row.appliesWhen) {
        const Text each = conditionText(condition, quote);
        text = text.empty() ? each : Text(LS_TR("Messages", "%1 and %2"), {text, each});
    }
    return text;
}

std::string rowMarkdown(const Parameter& row)
{
    const std::string standard = toText(row.standard);
    std::string text = "### `" + std::string(row.name) + "`\n\n" + std::string(row.help)
        + (row.appliesWhen.empty() ? "" : " Applies when " + conditionsText(row, "`").english + ".") + "\n\n";
    text += "- allowed: " + allowedText(row).english + (row.unit.empty() ? "" : ", in " + std::string(row.unit)) + "\n";
    text += "- default: " + (standard.empty() ? "empty" : "`" + standard + "`") + "\n";
    for (const Choice& choice : row.choices) {
        text += "- `" + std::string(choice.name) + "`: " + std::string(choice.help) + "\n";
    }
    return text + "\n";
}

} // namespace

Text whenItApplies(const Parameter& parameter)
{
    return conditionsText(parameter, "");
}

std::string parametersJson()
{
    Json table{{"version", 1}, {"parameters", Json::array()}};
    for (const Parameter& row : parameters()) {
        table["parameters"].push_back(rowJson(row));
    }
    return table.dump(2);
}

std::string parametersMarkdown()
{
    std::string text
        = "# Parameters\n\nEvery entry of a spec, as `--set name=value` takes it and as the form shows it. "
          "This page is made from the parameter table\n(`lockstep parameters --markdown`); a test keeps it "
          "equal to it.\n\n";
    std::string_view group;
    for (const Parameter& row : parameters()) {
        if (row.group != group) {
            group = row.group;
            text += "## " + std::string(group) + "\n\n";
        }
        text += rowMarkdown(row);
    }
    text.pop_back();
    return text;
}

} // namespace lockstep::experiment
