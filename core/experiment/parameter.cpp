#include "experiment/parameter.h"

#include <algorithm>
#include <array>

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

/// `kind`, or `within`, which has a place for the range.
Text numberText(const Parameter& parameter, const char* kind, const char* within)
{
    const std::string range = rangeText(parameter.range);
    return range.empty() ? Text(kind) : Text(within, {verbatim(range)});
}

} // namespace

Text allowedText(const Parameter& parameter)
{
    switch (parameter.type) {
    case Type::Boolean:
        return LS_TR("Messages", "true or false");
    case Type::Integer:
        return numberText(parameter, LS_TR("Messages", "an integer"), LS_TR("Messages", "an integer in %1"));
    case Type::Real:
        return numberText(parameter, LS_TR("Messages", "a number"), LS_TR("Messages", "a number in %1"));
    case Type::Choice:
        return {LS_TR("Messages", "one of %1"), {verbatim(listed(parameter.choices, &Choice::name))}};
    case Type::Text:
        return parameter.name == "device" ? LS_TR("Messages", "auto, cpu or cuda:N") : LS_TR("Messages", "a string");
    case Type::Path:
        return LS_TR("Messages", "a path");
    case Type::IntegerList:
        return numberText(parameter, LS_TR("Messages", "a list of integers (0,2,3)"),
            LS_TR("Messages", "a list of integers (0,2,3) in %1"));
    case Type::RealList:
        return numberText(parameter, LS_TR("Messages", "a list of numbers (0.5,0.25,0.25)"),
            LS_TR("Messages", "a list of numbers (0.5,0.25,0.25) in %1"));
    case Type::Scalar:
        return LS_TR("Messages", "true, false, a number or a string");
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

bool isUsed(const Parameter& parameter, const Assignment& settings)
{
    constexpr std::array<std::string_view, 4> OfTraining{"dataset.", "net.", "optimizer.", "train."};
    const auto strategy = settings.find("strategy.name");
    const bool isOwn = strategy != settings.end() && strategy->second == Value(std::string("own"));
    const bool isOfTraining = std::ranges::any_of(
        OfTraining, [&parameter](std::string_view kind) { return parameter.name.starts_with(kind); });
    return applies(parameter, settings) && !(isOwn && isOfTraining);
}

bool namesFile(const Parameter& parameter, const Assignment& settings)
{
    return !parameter.isFileWhen.empty() && hold(parameter.isFileWhen, settings);
}

} // namespace lockstep::experiment
