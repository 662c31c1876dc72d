#include "laboratory/code/optimizer_rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::laboratory {

namespace {

constexpr double CommonDecay = 0.01; ///< the default of torch.optim.AdamW

} // namespace

TensorValues ReferenceOptimizer::step(const TensorValues& weights, const TensorValues& gradients)
{
    ++m_steps;
    if (m_states.empty() || m_edit == RuleEdit::StateForgotten) {
        m_states.assign(weights.size(), {});
        m_counts.resize(weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            m_states[i].assign(weights[i].size(), {});
        }
    }
    TensorValues after = weights;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (gradients[i].empty()) {
            continue;
        }
        // A state for all parameters is that of the first, where their shapes agree.
        const bool isShared = m_edit == RuleEdit::SharedState && m_states.front().size() == weights[i].size();
        auto& states = isShared ? m_states.front() : m_states[i];
        const auto count = static_cast<double>(weights.size());
        const double steps = m_form.isTimeOfParameter ? ++m_counts[i] : static_cast<double>(m_steps);
        m_time = m_edit == RuleEdit::StepPerParameter ? (steps - 1.0) * count + static_cast<double>(i) + 1.0
            : m_edit == RuleEdit::StepFromZero        ? steps - 1.0
                                                      : steps;
        for (std::size_t k = 0; k < weights[i].size(); ++k) {
            after[i][k] = updated(states[k], weights[i][k], gradients[i][k]);
        }
    }
    return after;
}

double ReferenceOptimizer::updated(Element& state, double weight, double given)
{
    const bool isSkipped = m_edit == RuleEdit::ZeroSkipped && given == 0.0;
    if (m_edit == RuleEdit::Unchanged || m_edit == RuleEdit::UsedUp || isSkipped) {
        return weight;
    }
    state.sum += given;
    double gradient = m_edit == RuleEdit::Accumulated ? state.sum : given;
    if (m_edit == RuleEdit::WeightDecay) {
        gradient += CommonDecay * weight;
    }
    const double change = changeOf(state, gradient);
    switch (m_edit) {
    case RuleEdit::Sign:
        return weight + m_settings.rate * change;
    case RuleEdit::RateTwice:
        return weight - m_settings.rate * m_settings.rate * change;
    case RuleEdit::RateMissing:
        return weight - change;
    case RuleEdit::DecoupledDecay:
        return weight - m_settings.rate * (change + CommonDecay * weight);
    default:
        return weight - m_settings.rate * change;
    }
}

/// What the learning rate is multiplied by.
double ReferenceOptimizer::changeOf(Element& state, double gradient)
{
    switch (m_family) {
    case OptimizerFamily::Sgd:
        return gradient;
    case OptimizerFamily::Momentum:
    case OptimizerFamily::Nesterov:
        return momentumChange(state, gradient);
    case OptimizerFamily::AdaGrad:
    case OptimizerFamily::RmsProp:
        return scaledChange(state, gradient);
    case OptimizerFamily::Adam:
        break;
    }
    return adamChange(state, gradient);
}

double ReferenceOptimizer::momentumChange(Element& state, double gradient) const
{
    const double momentum = m_settings.momentum;
    const double before = state.first;
    if (m_edit == RuleEdit::Aliased && m_steps > 1) {
        // The state was set to 0 by zero_grad, holds the new gradient, and is added to itself.
        state.first = 2.0 * momentum * gradient;
    } else if (m_edit == RuleEdit::Kept && m_steps == 2) {
        state.first = momentum * OverwrittenGradient + gradient;
    } else {
        const double added = m_edit == RuleEdit::Dampened ? (1.0 - momentum) * gradient : gradient;
        state.first = momentum * state.first + added;
    }
    if (m_edit == RuleEdit::VelocityLate) {
        return before;
    }
    const bool looksAhead = m_family == OptimizerFamily::Nesterov && m_edit != RuleEdit::NoLookAhead;
    return looksAhead ? gradient + momentum * state.first : state.first;
}

double ReferenceOptimizer::squareOf(double gradient, double mean) const
{
    return m_edit == RuleEdit::SquareMissing ? gradient
        : m_edit == RuleEdit::AbsoluteValue  ? std::abs(gradient)
        : m_edit == RuleEdit::SquareOfMean   ? mean * mean
                                             : gradient * gradient;
}

double ReferenceOptimizer::denominatorOf(double square, double correction) const
{
    const double epsilon = m_settings.epsilon;
    const EpsilonPlace place = m_edit == RuleEdit::EpsilonInRoot ? EpsilonPlace::Inside : m_form.epsilon;
    const double corrected = square / correction;
    if (m_edit == RuleEdit::RootMissing) {
        return corrected + (place == EpsilonPlace::None ? 0.0 : epsilon);
    }
    switch (place) {
    case EpsilonPlace::None:
        break;
    case EpsilonPlace::Inside:
        return std::sqrt(corrected + epsilon);
    case EpsilonPlace::Outside:
        return m_form.isEpsilonOfCorrected ? std::sqrt(corrected) + epsilon
                                           : (std::sqrt(square) + epsilon) / std::sqrt(correction);
    }
    return std::sqrt(corrected);
}

/// AdaGrad's sum or RMSProp's moving average of squares.
double ReferenceOptimizer::scaledChange(Element& state, double gradient) const
{
    const bool isAverage
        = m_family == OptimizerFamily::RmsProp ? m_edit != RuleEdit::AverageSums : m_edit == RuleEdit::SumDecays;
    const double square = squareOf(gradient, state.second);
    if (!isAverage) {
        state.second += square;
    } else if (m_edit == RuleEdit::BetasSwapped) {
        state.second = (1.0 - m_settings.decay) * state.second + m_settings.decay * square;
    } else {
        const double rest = m_edit == RuleEdit::RestMissing ? 1.0 : 1.0 - m_settings.decay;
        state.second = m_settings.decay * state.second + rest * square;
    }
    return gradient / denominatorOf(state.second, 1.0);
}

double ReferenceOptimizer::adamChange(Element& state, double gradient)
{
    const bool isSwapped = m_edit == RuleEdit::BetasSwapped;
    const double beta1 = isSwapped ? m_settings.beta2 : m_settings.beta1;
    const double beta2 = isSwapped ? m_settings.beta1 : m_settings.beta2;
    const bool isWhole = m_edit == RuleEdit::RestMissing;
    state.first = beta1 * state.first + (isWhole ? 1.0 : 1.0 - beta1) * gradient;
    double& second = m_edit == RuleEdit::OneTensor ? state.first : state.second;
    second = beta2 * second + (isWhole ? 1.0 : 1.0 - beta2) * squareOf(gradient, state.first);
    state.second = second;
    double correction1 = 1.0;
    double correction2 = 1.0;
    if (m_form.isCorrected) {
        correction1 = m_edit == RuleEdit::FirstUncorrected ? 1.0 : 1.0 - std::pow(beta1, m_time);
        correction2 = m_edit == RuleEdit::SecondUncorrected ? 1.0 : 1.0 - std::pow(beta2, m_time);
    }
    if (m_edit == RuleEdit::CorrectedState || m_edit == RuleEdit::CorrectedFirst) {
        state.first /= std::exchange(correction1, 1.0);
    }
    if (m_edit == RuleEdit::CorrectedState || m_edit == RuleEdit::CorrectedSecond) {
        state.second /= std::exchange(correction2, 1.0);
    }
    if (m_edit == RuleEdit::LargestSquare) {
        state.largest = std::max(state.largest, state.second / std::exchange(correction2, 1.0));
    }
    const double mean = m_edit == RuleEdit::GradientInMean ? gradient : state.first / correction1;
    return mean / denominatorOf(m_edit == RuleEdit::LargestSquare ? state.largest : state.second, correction2);
}

} // namespace lockstep::laboratory
