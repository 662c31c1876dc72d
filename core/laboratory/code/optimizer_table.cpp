// Which optimizers a check object can name, in which forms each is right, and what is known to go wrong.
#include "base/translate.h"
#include "laboratory/code/optimizer_rules.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace lockstep::laboratory {

namespace {

constexpr OptimizerMistake Mistakes[] = {
    {RuleEdit::Unchanged, "not_in_place",
        LS_TR("Messages", "the parameters themselves are not changed: the update makes a new tensor"), "p -= ..."},
    {RuleEdit::UsedUp, "generator_used_up",
        LS_TR("Messages", "params is a generator, which is empty after its first loop: keep list(params)"),
        "self.params = list(params)"},
    {RuleEdit::Accumulated, "gradients_accumulate",
        LS_TR("Messages", "zero_grad does not clear the gradients, so those of earlier steps are added"),
        "p.grad = None"},
    {RuleEdit::Sign, "sign", LS_TR("Messages", "the sign is wrong: the update is added"), "w = w + lr ..."},
    {RuleEdit::RateTwice, "rate_twice", LS_TR("Messages", "the learning rate is applied twice"), "w = w - lr² ..."},
    {RuleEdit::RateMissing, "rate_missing", LS_TR("Messages", "the learning rate is missing"), "w = w - ..."},
    {RuleEdit::WeightDecay, "weight_decay", LS_TR("Messages", "a weight decay is added to the gradient"), "g + 0.01 w"},
    {RuleEdit::DecoupledDecay, "decoupled_decay",
        LS_TR("Messages", "a weight decay is subtracted from the parameters, as AdamW does"), "w - lr 0.01 w"},
    {RuleEdit::SquareMissing, "square_missing", LS_TR("Messages", "the second moment uses g, not g²"),
        "v = β₂ v + (1 - β₂) g"},
    {RuleEdit::AbsoluteValue, "absolute_value", LS_TR("Messages", "the second moment uses |g|, not g²"),
        "v = β₂ v + (1 - β₂) |g|"},
    {RuleEdit::SquareOfMean, "square_of_mean",
        LS_TR("Messages", "the second moment uses the square of the first moment, not of the gradient"),
        "v = β₂ v + (1 - β₂) m²"},
    {RuleEdit::RootMissing, "root_missing", LS_TR("Messages", "the square root in the denominator is missing"),
        "lr ... / v"},
    {RuleEdit::EpsilonInRoot, "epsilon_in_root", LS_TR("Messages", "ε is inside the square root, not outside"),
        "sqrt(v + ε)"},
    {RuleEdit::BetasSwapped, "betas_swapped", LS_TR("Messages", "the two factors of the moving averages are swapped"),
        "m = β₂ m + ..., v = β₁ v + ..."},
    {RuleEdit::RestMissing, "rest_missing",
        LS_TR("Messages", "the moments are sums, not averages: the factor 1 - β is missing, or t stays 1"),
        "m = β₁ m + g"},
    {RuleEdit::FirstUncorrected, "first_uncorrected", LS_TR("Messages", "only the second moment is bias-corrected"),
        "m instead of m / (1 - β₁ᵗ)"},
    {RuleEdit::SecondUncorrected, "second_uncorrected", LS_TR("Messages", "only the first moment is bias-corrected"),
        "v instead of v / (1 - β₂ᵗ)"},
    {RuleEdit::CorrectedState, "corrected_state",
        LS_TR("Messages", "the bias correction is stored in the moments, so the next step corrects it again"),
        "m = m / (1 - β₁ᵗ)"},
    {RuleEdit::CorrectedFirst, "corrected_state",
        LS_TR("Messages", "the bias correction is stored in the moments, so the next step corrects it again"),
        "m = m / (1 - β₁ᵗ)"},
    {RuleEdit::CorrectedSecond, "corrected_state",
        LS_TR("Messages", "the bias correction is stored in the moments, so the next step corrects it again"),
        "v = v / (1 - β₂ᵗ)"},
    {RuleEdit::LargestSquare, "largest_square",
        LS_TR("Messages", "the second moment keeps its largest value, as in AMSGrad"), "max(v̂)"},
    {RuleEdit::StepFromZero, "step_from_zero", LS_TR("Messages", "t is 0 in the first step; it counts from 1"),
        "t = 0"},
    {RuleEdit::StepPerParameter, "step_per_parameter",
        LS_TR("Messages", "t rises with each parameter; it counts steps"), "t = t + 1"},
    {RuleEdit::OneTensor, "one_tensor", LS_TR("Messages", "m and v are the same tensors: each needs its own"),
        "v = [torch.zeros_like(p) for p in params]"},
    {RuleEdit::GradientInMean, "gradient_in_mean",
        LS_TR("Messages", "the update uses the gradient, not the first moment"), "lr g / sqrt(v)"},
    {RuleEdit::SharedState, "shared_state", LS_TR("Messages", "all parameters share one state; each needs its own"),
        "self.state[i]"},
    {RuleEdit::StateForgotten, "state_forgotten",
        LS_TR("Messages", "the state starts from zero in each step; it must be kept"), "v = 0"},
    {RuleEdit::Dampened, "dampened",
        LS_TR("Messages", "the gradient is scaled by 1 - μ: a moving average instead of a sum"), "v = μ v + (1 - μ) g"},
    {RuleEdit::Aliased, "aliased",
        LS_TR("Messages", "the velocity is param.grad itself, which zero_grad and backward change: clone it"),
        "v = g.clone()"},
    {RuleEdit::Kept, "aliased",
        LS_TR("Messages", "the velocity is param.grad itself, which zero_grad and backward change: clone it"),
        "v = g.clone()"},
    {RuleEdit::VelocityLate, "velocity_late",
        LS_TR("Messages", "the parameter is changed by the velocity of the step before: update the velocity first"),
        "v = μ v + g"},
    {RuleEdit::NoLookAhead, "no_look_ahead", LS_TR("Messages", "this is plain momentum: the step does not look ahead"),
        "w = w - lr v"},
    {RuleEdit::SumDecays, "sum_decays", LS_TR("Messages", "the sum of squares is a moving average, as in RMSProp"),
        "s = α s + (1 - α) g²"},
    {RuleEdit::AverageSums, "average_sums", LS_TR("Messages", "the squares are summed, as in AdaGrad"), "v = v + g²"},
};

std::vector<OptimizerMistake> mistakesOf(std::initializer_list<RuleEdit> own)
{
    constexpr std::array Common{RuleEdit::Unchanged, RuleEdit::UsedUp, RuleEdit::Accumulated, RuleEdit::Sign,
        RuleEdit::RateTwice, RuleEdit::RateMissing, RuleEdit::WeightDecay, RuleEdit::DecoupledDecay};
    std::vector<OptimizerMistake> found;
    std::ranges::copy_if(Mistakes, std::back_inserter(found), [&](const OptimizerMistake& each) {
        return std::ranges::find(Common, each.edit) != Common.end() || std::ranges::find(own, each.edit) != own.end();
    });
    return found;
}

std::vector<OptimizerForm> scaledForms()
{
    return {{"outside", LS_TR("Messages", "with ε outside the square root"), EpsilonPlace::Outside},
        {"none", LS_TR("Messages", "without ε"), EpsilonPlace::None},
        {"inside", LS_TR("Messages", "with ε inside the square root"), EpsilonPlace::Inside}};
}

std::vector<OptimizerForm> adamForms()
{
    constexpr std::string_view Paper = LS_TR("Messages", "Kingma and Ba's Adam");
    constexpr std::string_view Bare = LS_TR("Messages", "Kingma and Ba's Adam, without ε");
    constexpr std::string_view Early = LS_TR("Messages", "Kingma and Ba's Adam, ε added before the bias correction");
    constexpr bool OfParameter = true;
    return {{"paper", Paper, EpsilonPlace::Outside, true}, {"paper", Bare, EpsilonPlace::None, true},
        {"paper", Early, EpsilonPlace::Outside, true, false},
        {"paper", Paper, EpsilonPlace::Outside, true, true, OfParameter},
        {"paper", Bare, EpsilonPlace::None, true, true, OfParameter},
        {"paper", Early, EpsilonPlace::Outside, true, false, OfParameter},
        {"guide", LS_TR("Messages", "the course's Adam: no bias correction, no ε"), EpsilonPlace::None},
        {"guide", LS_TR("Messages", "the course's Adam, with ε: no bias correction"), EpsilonPlace::Outside}};
}

std::vector<OptimizerRow> makeRows()
{
    using enum RuleEdit;
    const std::vector<OptimizerForm> plain{{"plain", "", EpsilonPlace::None}};
    return {
        {"gd", OptimizerFamily::Sgd, {"GD", "GradientDescent", "BGD"}, plain, mistakesOf({})},
        {"sgd", OptimizerFamily::Sgd, {"SGD", "GD", "GradientDescent"}, plain, mistakesOf({})},
        {"momentum", OptimizerFamily::Momentum, {"Momentum", "SGDMomentum", "MomentumSGD", "SGD"}, plain,
            mistakesOf({SharedState, StateForgotten, Dampened, Aliased, Kept, VelocityLate})},
        {"nesterov", OptimizerFamily::Nesterov, {"Nesterov", "NAG", "NesterovMomentum"}, plain,
            mistakesOf({SharedState, StateForgotten, Dampened, Aliased, Kept, NoLookAhead})},
        {"adagrad", OptimizerFamily::AdaGrad, {"AdaGrad"}, scaledForms(),
            mistakesOf({SquareMissing, AbsoluteValue, RootMissing, SharedState, StateForgotten, SumDecays})},
        {"rmsprop", OptimizerFamily::RmsProp, {"RMSProp", "RMSprop"}, scaledForms(),
            mistakesOf({SquareMissing, AbsoluteValue, RootMissing, BetasSwapped, RestMissing, SharedState,
                StateForgotten, AverageSums})},
        {"adam", OptimizerFamily::Adam, {"Adam"}, adamForms(),
            mistakesOf(
                {SquareMissing, AbsoluteValue, SquareOfMean, RootMissing, EpsilonInRoot, BetasSwapped, RestMissing,
                    FirstUncorrected, SecondUncorrected, CorrectedState, CorrectedFirst, CorrectedSecond, LargestSquare,
                    OneTensor, StepFromZero, StepPerParameter, GradientInMean, SharedState, StateForgotten})},
    };
}

} // namespace

std::span<const OptimizerRow> optimizerRows()
{
    static const std::vector<OptimizerRow> Rows = makeRows();
    return Rows;
}

const OptimizerRow* findOptimizer(std::string_view key)
{
    const auto rows = optimizerRows();
    const auto found = std::ranges::find(rows, key, &OptimizerRow::key);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace lockstep::laboratory
