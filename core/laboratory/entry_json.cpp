#include "laboratory/entry_json.h"

#include "analysis/plain_text.h"

#include <algorithm>
#include <array>

namespace lockstep::laboratory {

namespace {

constexpr std::array<std::string_view, 3> DirectionNames{"lower", "higher", "same"};
constexpr std::array<std::string_view, 5> ClaimNames{"less", "greater", "no_difference", "rises", "falls"};

double numberIn(const Json& json, const char* name)
{
    const auto found = json.find(name);
    return found != json.end() && found->is_number() ? found->get<double>() : 0.0;
}

Json valueJson(const PredictionValue& value)
{
    if (const auto* direction = std::get_if<DirectionPrediction>(&value)) {
        return {{"form", "direction"}, {"direction", std::string(nameOf(direction->direction))}};
    }
    if (const auto* order = std::get_if<OrderPrediction>(&value)) {
        return {{"form", "order"}, {"variants", order->variants}};
    }
    if (const auto* number = std::get_if<NumberPrediction>(&value)) {
        return {{"form", "number"}, {"best", number->best}, {"low", number->low}, {"high", number->high}};
    }
    Json points = Json::array();
    for (const CurvePoint& point : std::get<CurvePrediction>(value).points) {
        points.push_back(Json::array({point.x, point.y}));
    }
    return {{"form", "curve"}, {"points", std::move(points)}};
}

std::optional<CurvePrediction> curveFrom(const Json& json)
{
    CurvePrediction curve;
    for (const Json& point : json.value("points", Json::array())) {
        if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number()) {
            return std::nullopt;
        }
        curve.points.push_back({point[0].get<double>(), point[1].get<double>()});
    }
    return curve;
}

std::optional<PredictionValue> valueFrom(const Json& json)
{
    const std::string form = textIn(json, "form");
    if (form == "direction") {
        const auto found = std::ranges::find(DirectionNames, textIn(json, "direction"));
        return found == DirectionNames.end() ? std::nullopt
                                             : std::optional<PredictionValue>(DirectionPrediction{
                                                 static_cast<Direction>(found - DirectionNames.begin())});
    }
    if (form == "order") {
        return OrderPrediction{textsIn(json, "variants")};
    }
    if (form == "number") {
        return NumberPrediction{numberIn(json, "best"), numberIn(json, "low"), numberIn(json, "high")};
    }
    return form == "curve" ? std::optional<PredictionValue>(curveFrom(json)) : std::nullopt;
}

} // namespace

std::string_view nameOf(Direction direction)
{
    return DirectionNames[static_cast<std::size_t>(direction)];
}

std::string_view nameOf(ClaimKind kind)
{
    return ClaimNames[static_cast<std::size_t>(kind)];
}

std::string textIn(const Json& json, const char* name)
{
    if (!json.is_object()) {
        return {};
    }
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> textsIn(const Json& json, const char* name)
{
    std::vector<std::string> texts;
    const Json list = json.is_object() ? json.value(name, Json()) : Json();
    if (list.is_array()) {
        for (const Json& each : list) {
            if (each.is_string()) {
                texts.push_back(each.get<std::string>());
            }
        }
    }
    return texts;
}

Json toJson(const std::vector<Student>& students)
{
    Json list = Json::array();
    for (const Student& each : students) {
        list.push_back({{"name", each.name}, {"number", each.number}});
    }
    return list;
}

Json toJson(const Answer& answer)
{
    return answer.order.empty() ? Json{{"text", answer.text}} : Json{{"text", answer.text}, {"order", answer.order}};
}

Json toJson(const Prediction& prediction)
{
    Json json = valueJson(prediction.value);
    json["reason"] = prediction.reason;
    return json;
}

Json toJson(const PredictionDraft& draft)
{
    Json json = draft.value ? valueJson(*draft.value) : Json::object();
    json["typed"] = {draft.low, draft.best, draft.high};
    json["reason"] = draft.reason;
    return json;
}

Json toJson(const Claim& claim)
{
    return {{"kind", std::string(nameOf(claim.kind))}, {"figure", claim.figure}, {"variant", claim.variant},
        {"against", claim.against}, {"percent", claim.percent}, {"parameter", claim.parameter}, {"text", claim.text}};
}

std::vector<Student> studentsFrom(const Json& json)
{
    std::vector<Student> students;
    if (json.is_array()) {
        for (const Json& each : json) {
            students.push_back({analysis::shortened(textIn(each, "name"), LongestStudent),
                analysis::shortened(textIn(each, "number"), LongestStudent)});
        }
    }
    students.resize(std::min(students.size(), MostStudents));
    return students;
}

std::optional<Answer> answerFrom(const Json& json)
{
    return json.is_object() ? std::optional<Answer>(Answer{textIn(json, "text"), textsIn(json, "order")})
                            : std::nullopt;
}

std::optional<Prediction> predictionFrom(const Json& json)
{
    const auto value = json.is_object() ? valueFrom(json) : std::nullopt;
    return value ? std::optional<Prediction>(Prediction{*value, textIn(json, "reason")}) : std::nullopt;
}

std::optional<PredictionDraft> draftFrom(const Json& json)
{
    if (!json.is_object()) {
        return std::nullopt;
    }
    std::vector<std::string> typed = textsIn(json, "typed");
    typed.resize(3);
    return PredictionDraft{.value = valueFrom(json),
        .best = typed[1],
        .low = typed[0],
        .high = typed[2],
        .reason = textIn(json, "reason")};
}

std::optional<Claim> claimFrom(const Json& json)
{
    const auto found = std::ranges::find(ClaimNames, textIn(json, "kind"));
    if (found == ClaimNames.end()) {
        return std::nullopt;
    }
    return Claim{static_cast<ClaimKind>(found - ClaimNames.begin()), textIn(json, "figure"), textIn(json, "variant"),
        textIn(json, "against"), numberIn(json, "percent"), textIn(json, "parameter"), textIn(json, "text")};
}

} // namespace lockstep::laboratory
