#include "experiment/json_values.h"

#include "base/edit_distance.h"
#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cmath>

namespace lockstep::experiment {

namespace {

template <typename T>
std::optional<std::vector<T>> listFrom(const Json& json)
{
    std::vector<T> items;
    for (const Json& item : json) {
        const bool fits = std::is_integral_v<T> ? item.is_number_integer() : item.is_number();
        if (!fits) {
            return std::nullopt;
        }
        items.push_back(item.get<T>());
    }
    return items;
}

std::optional<Value> valueFrom(const Parameter& row, const Json& json)
{
    const auto wrap = [](auto list) { return list ? std::optional<Value>(*list) : std::nullopt; };
    switch (row.type) {
    case Type::Boolean:
        return json.is_boolean() ? std::optional<Value>(json.get<bool>()) : std::nullopt;
    case Type::Integer: {
        if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
            return std::nullopt;
        }
        return json.is_number_integer() ? std::optional<Value>(json.get<std::int64_t>()) : std::nullopt;
    }
    case Type::Real:
        return json.is_number() ? std::optional<Value>(json.get<double>()) : std::nullopt;
    case Type::Choice:
    case Type::Text:
    case Type::Path:
        return json.is_string() ? std::optional<Value>(json.get<std::string>()) : std::nullopt;
    case Type::IntegerList:
        return json.is_array() ? wrap(listFrom<std::int64_t>(json)) : std::nullopt;
    case Type::RealList:
        return json.is_array() ? wrap(listFrom<double>(json)) : std::nullopt;
    case Type::Scalar:
        return json.is_boolean()       ? std::optional<Value>(json.get<bool>())
            : json.is_number_integer() ? std::optional<Value>(json.get<std::int64_t>())
            : json.is_number()         ? std::optional<Value>(json.get<double>())
            : json.is_string()         ? std::optional<Value>(json.get<std::string>())
                                       : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

Error unknownParameter(std::string_view name)
{
    const Parameter* nearest = nullptr;
    std::size_t best = 4;
    for (const Parameter& row : parameters()) {
        if (const std::size_t d = editDistance(name, row.name); d < best) {
            best = d;
            nearest = &row;
        }
    }
    const Text hint = nearest != nullptr ? Text(LS_TR("Messages", "did you mean %1?"), {verbatim(nearest->name)})
                                         : Text(LS_TR("Messages", "`lockstep parameters` lists them all"));
    return failure(LS_TR("Messages", "%1: no such parameter; %2"), {verbatim(name), hint});
}

Result<Assignment> assignmentFromJson(
    const Json& object, const Text& where, std::initializer_list<std::string_view> skipped)
{
    if (!object.is_object()) {
        return refusal("spec", LS_TR("Messages", "%1 is not an object of parameters"), {where});
    }
    Assignment assignment;
    for (const auto& [name, json] : object.items()) {
        if (std::find(skipped.begin(), skipped.end(), name) != skipped.end()) {
            continue;
        }
        const Parameter* row = findParameter(name);
        if (row == nullptr) {
            return unknownParameter(name);
        }
        const auto value = valueFrom(*row, json);
        if (!value) {
            return refusal(
                std::string(name), LS_TR("Messages", "%1 is not %2"), {verbatim(json.dump()), allowedText(*row)});
        }
        LOCKSTEP_TRY(checkValue(*row, *value));
        assignment[name] = *value;
    }
    return assignment;
}

Json toJsonObject(const Assignment& assignment)
{
    Json object = Json::object();
    for (const auto& [name, value] : assignment) {
        std::visit([&object, &key = name](const auto& plain) { object[key] = plain; }, value);
    }
    return object;
}

} // namespace lockstep::experiment
