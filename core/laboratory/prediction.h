// What students write: predictions, answers, claims. Plain values; work.h keeps them, outcome.h and claim.h judge them.
#pragma once

#include "laboratory/step_kinds.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::laboratory {

struct Student {
    std::string name; ///< any script
    std::string number; ///< text: leading zeros stay

    bool operator==(const Student&) const = default;
};
inline constexpr std::size_t MostStudents = 4;

enum class Direction : std::uint8_t { Lower, Higher, Same };
[[nodiscard]] std::string_view nameOf(Direction direction); ///< `lower`, `higher`, `same`

struct DirectionPrediction {
    Direction direction = Direction::Same;
    bool operator==(const DirectionPrediction&) const = default;
};

struct OrderPrediction {
    std::vector<std::string> variants; ///< names in the spec, from the least to the greatest figure
    bool operator==(const OrderPrediction&) const = default;
};

/// In the figure's unit as it is shown (percent; bytes as bytes); of a ratio its value (1.2); of a difference points.
struct NumberPrediction {
    double best = 0.0;
    double low = 0.0; ///< low <= best <= high
    double high = 0.0;
    bool operator==(const NumberPrediction&) const = default;
};

struct CurvePoint {
    double x = 0.0;
    double y = 0.0; ///< in the chart's unit: accuracies in percent
    bool operator==(const CurvePoint&) const = default;
};

struct CurvePrediction {
    std::vector<CurvePoint> points; ///< x ascending, at least two
    bool operator==(const CurvePrediction&) const = default;
};

using PredictionValue = std::variant<DirectionPrediction, OrderPrediction, NumberPrediction, CurvePrediction>;

struct Prediction {
    PredictionValue value;
    std::string reason; ///< why, in the student's words; may be empty
    bool operator==(const Prediction&) const = default;
};
/// What was chosen or typed for a prediction that is not sealed.
struct PredictionDraft {
    std::optional<PredictionValue> value{}; ///< of a direction, an order or a curve
    std::string best{}; ///< numbers as they were typed
    std::string low{};
    std::string high{};
    std::string reason{};
    bool operator==(const PredictionDraft&) const = default;
};

/// Whether it is of the step's form and can be sealed: variants of the step each once, low <= best <= high, finite
/// numbers, x ascending. One line.
[[nodiscard]] Result<void> checkPrediction(
    const Prediction& prediction, const Step& step, const experiment::Spec& spec);

/// An answer as it was typed or chosen.
struct Answer {
    std::string text; ///< free text, a number as typed, or the id of a choice
    std::vector<std::string> order; ///< ids of choices, the first on top

    [[nodiscard]] bool empty() const { return text.empty() && order.empty(); }
    bool operator==(const Answer&) const = default;
};

} // namespace lockstep::laboratory
