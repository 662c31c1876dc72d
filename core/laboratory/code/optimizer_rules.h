// Update rules of optimizers, right and wrong, on one element at a time. A rule that is wrong in a known way is the
// right one with an edit, so that both are computed by the same code. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/trial.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

enum class OptimizerFamily : std::uint8_t { Sgd, Momentum, Nesterov, AdaGrad, RmsProp, Adam };

/// Where ε is in the denominator.
enum class EpsilonPlace : std::uint8_t { None, Outside, Inside };

/// One way in which a rule is wrong.
enum class RuleEdit : std::uint8_t {
    None,
    Unchanged, ///< the parameters are not changed in place
    UsedUp, ///< a generator of parameters is iterated over twice
    Accumulated, ///< gradients of earlier steps are still in param.grad
    SharedState, ///< one state for all parameters
    StepPerParameter, ///< t rises with each parameter
    StepFromZero, ///< t is 0 in the first step
    Sign,
    RateTwice,
    RateMissing,
    SquareMissing, ///< the second moment uses g
    AbsoluteValue, ///< the second moment uses |g|
    SquareOfMean, ///< the second moment uses m^2
    RootMissing,
    EpsilonInRoot,
    BetasSwapped,
    RestMissing, ///< m = b m + g instead of b m + (1 - b) g; the same numbers as a correction whose t stays 1
    FirstUncorrected,
    SecondUncorrected,
    CorrectedState, ///< the correction is written back to the moments
    CorrectedFirst, ///< the same of the first moment alone
    CorrectedSecond,
    LargestSquare, ///< the largest second moment so far, as in AMSGrad
    OneTensor, ///< both moments are the same tensor
    GradientInMean, ///< w -= lr g / sqrt(v)
    StateForgotten, ///< each step makes a new state
    Dampened, ///< v = mu v + (1 - mu) g
    Aliased, ///< the state is param.grad itself, which zero_grad sets to 0
    Kept, ///< the first state is param.grad itself, which zero_grad lets go of: OverwrittenGradient stands there
    VelocityLate, ///< w -= lr v, then v = mu v + g
    NoLookAhead,
    SumDecays, ///< AdaGrad's sum as a moving average
    AverageSums, ///< RMSProp's average as a sum
    WeightDecay, ///< 0.01 w is added to the gradient
    DecoupledDecay, ///< lr 0.01 w is subtracted
    ZeroSkipped ///< an element whose gradient is 0 keeps its weight and state
};

/// What a check writes into each gradient that zero_grad let go of.
inline constexpr double OverwrittenGradient = 1000.0;

struct OptimizerSettings {
    double rate = 0.01;
    double momentum = 0.9;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double decay = 0.9; ///< of RMSProp's average
    double epsilon = 1e-8;
};

/// A rule that is right.
struct OptimizerForm {
    std::string_view key; ///< `paper`, `guide`, ...: by which a check object asks for it
    std::string_view name; ///< LS_TR("Messages", ...)
    EpsilonPlace epsilon = EpsilonPlace::None;
    bool isCorrected = false; ///< by 1 - b^t
    bool isEpsilonOfCorrected = true; ///< added after the correction of the second moment
    bool isTimeOfParameter = false; ///< t counts the steps in which the parameter has a gradient
};

struct OptimizerMistake {
    RuleEdit edit = RuleEdit::None;
    std::string_view key;
    std::string_view name; ///< LS_TR("Messages", ...)
    std::string_view formula; ///< empty: none says it better
};

/// An optimizer that a check object can name.
struct OptimizerRow {
    std::string_view key; ///< `adam`
    OptimizerFamily family = OptimizerFamily::Sgd;
    std::vector<std::string_view> classes; ///< names of the class
    std::vector<OptimizerForm> forms; ///< the first is the one whose weights each step starts from
    std::vector<OptimizerMistake> mistakes;
};
[[nodiscard]] std::span<const OptimizerRow> optimizerRows();
[[nodiscard]] const OptimizerRow* findOptimizer(std::string_view key);

/// Values by parameter and element.
using TensorValues = std::vector<std::vector<double>>;

/// Computes weights step by step.
class ReferenceOptimizer {
public:
    ReferenceOptimizer(
        OptimizerFamily family, const OptimizerForm& form, RuleEdit edit, const OptimizerSettings& settings)
        : m_family(family)
        , m_form(form)
        , m_edit(edit)
        , m_settings(settings)
    { }

    /// The weights after the next step. A parameter whose gradient is empty keeps its weights and state.
    [[nodiscard]] TensorValues step(const TensorValues& weights, const TensorValues& gradients);

private:
    struct Element {
        double first = 0.0; ///< of Adam the mean, of the others the velocity
        double second = 0.0; ///< of squares
        double largest = 0.0; ///< the largest `second`, after its correction
        double sum = 0.0; ///< of gradients
    };
    [[nodiscard]] double updated(Element& state, double weight, double gradient);
    [[nodiscard]] double changeOf(Element& state, double gradient);
    [[nodiscard]] double momentumChange(Element& state, double gradient) const;
    [[nodiscard]] double scaledChange(Element& state, double gradient) const;
    [[nodiscard]] double adamChange(Element& state, double gradient);
    [[nodiscard]] double squareOf(double gradient, double mean) const;
    [[nodiscard]] double denominatorOf(double square, double correction) const;

    OptimizerFamily m_family;
    OptimizerForm m_form;
    RuleEdit m_edit;
    OptimizerSettings m_settings;
    std::vector<std::vector<Element>> m_states;
    std::vector<double> m_counts; ///< of the steps in which each parameter had a gradient
    std::int64_t m_steps = 0;
    double m_time = 0.0; ///< t of Adam's correction
};

} // namespace lockstep::laboratory
