#include "laboratory/prediction.h"

#include "base/translate.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace lockstep::laboratory {

namespace {

constexpr std::size_t MostCurvePoints = 10'000;
constexpr std::size_t LongestReason = 20'000;

Result<void> checkValue(const OrderPrediction& order, const PredictionStep& step, const experiment::Spec& spec)
{
    std::set<std::string> wanted(step.of.variants.begin(), step.of.variants.end());
    for (const experiment::Variant& each : spec.variants) {
        if (step.of.variants.empty() && each.isEnabled) {
            wanted.insert(each.name);
        }
    }
    const std::set<std::string> given(order.variants.begin(), order.variants.end());
    return given == wanted && given.size() == order.variants.size()
        ? Result<void>()
        : failure(
            LS_TR("Messages", "put all %1 variants in order, each once"), {static_cast<std::int64_t>(wanted.size())});
}

Result<void> checkValue(const NumberPrediction& number)
{
    if (!std::isfinite(number.best) || !std::isfinite(number.low) || !std::isfinite(number.high)) {
        return failure(LS_TR("Messages", "enter a number and the two ends of its range"));
    }
    return number.low <= number.best && number.best <= number.high
        ? Result<void>()
        : failure(LS_TR("Messages", "the best guess must lie between the least and the greatest value"));
}

Result<void> checkValue(const CurvePrediction& curve)
{
    const auto& points = curve.points;
    const auto isFinite = [](const CurvePoint& each) { return std::isfinite(each.x) && std::isfinite(each.y); };
    if (points.size() < 2 || points.size() > MostCurvePoints || !std::ranges::all_of(points, isFinite)) {
        return failure(LS_TR("Messages", "draw the curve from left to right"));
    }
    return std::ranges::is_sorted(points, std::less_equal<>(), &CurvePoint::x)
        ? Result<void>()
        : failure(LS_TR("Messages", "draw the curve from left to right"));
}

} // namespace

Result<void> checkPrediction(const Prediction& prediction, const Step& step, const experiment::Spec& spec)
{
    const auto* content = step.as<PredictionStep>();
    if (content == nullptr || static_cast<std::size_t>(content->form) != prediction.value.index()) {
        return failure(LS_TR("Messages", "%1 is not a prediction of this form"), {verbatim(step.id)});
    }
    if (prediction.reason.size() > LongestReason) {
        return failure(LS_TR("Messages", "the text has more than %1 bytes"), {LongestReason});
    }
    if (const auto* order = std::get_if<OrderPrediction>(&prediction.value)) {
        return checkValue(*order, *content, spec);
    }
    if (const auto* number = std::get_if<NumberPrediction>(&prediction.value)) {
        return checkValue(*number);
    }
    const auto* curve = std::get_if<CurvePrediction>(&prediction.value);
    return curve == nullptr ? Result<void>() : checkValue(*curve);
}

} // namespace lockstep::laboratory
