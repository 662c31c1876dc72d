#include "experiment/parameter.h"

#include <algorithm>

namespace lockstep::experiment {

namespace {

std::string rangeText(const Range& range)
{
    const bool below = range.minimum != -std::numeric_limits<double>::infinity();
    const bool above = range.maximum != std::numeric_limits<double>::infinity();
    if (!below && !above) {
        return {};
    }
    std::string text = below ? (range.openMinimum ? "(" : "[") + toText(range.minimum) : "(-inf";
    text += ", ";
    text += above ? toText(range.maximum) + (range.openMaximum ? ")" : "]") : "inf)";
    return text;
}

std::string choicesText(const Parameter& parameter)
{
    std::string text = "one of ";
    for (const Choice& choice : parameter.choices) {
        text += (text.back() == ' ' ? "" : ", ") + std::string(choice.name);
    }
    return text;
}

std::string numberText(const Parameter& parameter, const std::string& kind)
{
    const std::string range = rangeText(parameter.range);
    return range.empty() ? kind : kind + " in " + range;
}

} // namespace

std::string allowedText(const Parameter& parameter)
{
    switch (parameter.type) {
    case Type::Boolean:
        return "true or false";
    case Type::Integer:
        return numberText(parameter, "an integer");
    case Type::Real:
        return numberText(parameter, "a number");
    case Type::Choice:
        return choicesText(parameter);
    case Type::Text:
        return parameter.name == "device" ? "auto, cpu or cuda:N" : "a string";
    case Type::Path:
        return "a path";
    case Type::IntegerList:
        return numberText(parameter, "a list of integers (0,2,3)");
    case Type::RealList:
        return numberText(parameter, "a list of numbers (0.5,0.25,0.25)");
    case Type::Scalar:
        return "true, false, a number or a string";
    }
    return {};
}

namespace {

bool hold(const std::vector<Condition>& conditions, const Assignment& settings)
{
    return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
        const auto found = settings.find(std::string(condition.parameter));
        if (found == settings.end()) {
            return false;
        }
        const std::string text = toText(found->second);
        return std::find(condition.values.begin(), condition.values.end(), text) != condition.values.end();
    });
}

} // namespace

bool applies(const Parameter& parameter, const Assignment& settings)
{
    return hold(parameter.appliesWhen, settings);
}

bool namesFile(const Parameter& parameter, const Assignment& settings)
{
    return !parameter.isFileWhen.empty() && hold(parameter.isFileWhen, settings);
}

} // namespace lockstep::experiment
