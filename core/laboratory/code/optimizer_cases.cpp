#include "laboratory/code/optimizer_cases.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>

namespace lockstep::laboratory {

namespace {

/// Settings that are no class's defaults: an argument that the class takes and does not use is seen.
constexpr OptimizerSettings UnusualSettings{
    .rate = 0.037, .momentum = 0.7, .beta1 = 0.8, .beta2 = 0.97, .decay = 0.6, .epsilon = 1e-3};
constexpr int LongRun = 3; ///< times the usual steps: what changes after a while is seen
constexpr double InfiniteGradient = std::numeric_limits<double>::infinity();
constexpr double NoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::array ZeroCalls{0, 2, 1, 0, 3, 1}; ///< of CaseTopic::Calls, by step
constexpr std::array BackwardCalls{1, 2, 0, 1, 0, 2}; ///< 0: the gradients are assigned
constexpr OptimizerSettings RateOfZeroSettings{.rate = 0.0};
constexpr OptimizerSettings OthersOfZeroSettings{
    .momentum = 0.0, .beta1 = 0.0, .beta2 = 0.0, .decay = 0.0, .epsilon = 0.0};

const std::vector<SettingRow>& settingRows()
{
    using enum OptimizerFamily;
    static const std::vector<SettingRow> Rows{{"lr", &OptimizerSettings::rate, {}},
        {"momentum", &OptimizerSettings::momentum, {Momentum, Nesterov}}, {"beta1", &OptimizerSettings::beta1, {Adam}},
        {"beta2", &OptimizerSettings::beta2, {Adam}}, {"decay", &OptimizerSettings::decay, {RmsProp}},
        {"epsilon", &OptimizerSettings::epsilon, {AdaGrad, RmsProp, Adam}}};
    return Rows;
}

/// Far from 0, with either sign.
double drawnGradient(Random& random, double scale)
{
    const double size = random.uniform(0.2, 1.0) * scale;
    return random.below(2) == 0 ? size : -size;
}

/// Half of the weights are as small as a step, so that a step is seen in all its digits.
double drawnWeight(Random& random, std::size_t element)
{
    return random.uniform(-1.0, 1.0) * (element % 2 == 0 ? 0.01 : 1.0);
}

/// Of the three parameters, in this step.
bool isAbsent(CaseTopic topic, int step, std::size_t parameter)
{
    switch (topic) {
    case CaseTopic::NoGradient:
        return parameter == 1;
    case CaseTopic::LateGradients: // the first comes late, the second pauses; one of them takes part in each step
        return parameter == 0 ? step < 2 || step == 3 : parameter == 1 && step == 2;
    default:
        return false;
    }
}

/// Not in the first steps: a weight whose gradients were all 0 is 0/0 without ε.
bool isZero(CaseTopic topic, int step, std::size_t parameter, std::size_t element)
{
    return topic == CaseTopic::ZeroGradients
        && ((step == 2 && parameter == 1) || step == 3 || (step == 4 && parameter == 0 && element == 0));
}

/// nan and inf as texts: JSON has no number for them.
Json numbersOf(const std::vector<double>& values)
{
    Json all = Json::array();
    for (const double value : values) {
        all.push_back(std::isfinite(value) ? Json(value)
                                           : Json(std::isnan(value) ? "nan"
                                                   : value > 0      ? "inf"
                                                                    : "-inf"));
    }
    return all;
}

/// The weights before each step.
std::vector<TensorValues> trajectory(
    const OptimizerCase& each, const OptimizerRow& row, const OptimizerSettings& settings, TensorValues weights)
{
    ReferenceOptimizer reference(row.family, row.forms.front(), RuleEdit::None, settings);
    std::vector<TensorValues> before;
    for (const TensorValues& gradients : each.gradients) {
        before.push_back(weights);
        weights = reference.step(weights, gradients);
        for (auto& values : weights) {
            std::ranges::transform(values, values.begin(), [&](double value) { return each.rounded(value); });
        }
    }
    return before;
}

void fill(OptimizerCase& each, const OptimizerRow& row, Random& random, int steps)
{
    TensorValues weights(each.shapes.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t k = 0; k < each.sizeOf(i); ++k) {
            weights[i].push_back(each.rounded(drawnWeight(random, k)));
        }
    }
    if (each.topic == CaseTopic::EqualWeights) {
        weights.back() = weights.front();
    }
    for (int step = 0; step < steps; ++step) {
        TensorValues gradients = weights;
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            for (std::size_t k = 0; k < gradients[i].size(); ++k) {
                const double drawn = each.rounded(drawnGradient(random, each.scales[i]));
                gradients[i][k] = isZero(each.topic, step, i, k) ? 0.0 : drawn;
            }
            if (isAbsent(each.topic, step, i)) {
                gradients[i].clear();
            }
        }
        each.gradients.push_back(std::move(gradients));
    }
    if (each.topic == CaseTopic::NotFinite) {
        each.gradients.back()[0].front() = InfiniteGradient;
        each.gradients.back()[1].front() = NoNumber;
    }
    each.weights = trajectory(each, row, each.settings, weights);
    each.besideWeights = trajectory(each, row, each.besideSettings, weights);
}

} // namespace

std::vector<SettingRow> settingsOf(OptimizerFamily family)
{
    std::vector<SettingRow> rows;
    std::ranges::copy_if(settingRows(), std::back_inserter(rows), [family](const SettingRow& row) {
        return row.families.empty() || std::ranges::find(row.families, family) != row.families.end();
    });
    return rows;
}

std::size_t OptimizerCase::sizeOf(std::size_t parameter) const
{
    const auto& shape = shapes[parameter];
    return static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
}

Json OptimizerCase::json(OptimizerFamily family) const
{
    Json all = Json::array();
    for (std::size_t step = 0; step < weights.size(); ++step) {
        Json given = Json::array();
        for (const auto& values : gradients[step]) {
            given.push_back(values.empty() ? Json() : numbersOf(values));
        }
        const bool isOfCalls = topic == CaseTopic::Calls;
        all.push_back({{"weights", weights[step]}, {"beside", besideWeights[step]}, {"gradients", std::move(given)},
            {"zeros", isOfCalls ? ZeroCalls[step % ZeroCalls.size()] : 1},
            {"backwards", isOfCalls ? BackwardCalls[step % BackwardCalls.size()] : 1}});
    }
    Json kept = Json::array();
    std::ranges::transform(keptGradients(), std::back_inserter(kept), numbersOf);
    Json named = Json::object();
    Json beside = Json::object();
    for (const SettingRow& each : laboratory::settingsOf(family)) {
        named[std::string(each.key)] = settings.*each.member;
        beside[std::string(each.key)] = besideSettings.*each.member;
    }
    return {{"dtype", type}, {"params", params}, {"shapes", shapes}, {"objects", objects()}, {"steps", std::move(all)},
        {"settings", std::move(named)}, {"beside", std::move(beside)}, {"strided", topic == CaseTopic::Strided},
        {"kept", topic == CaseTopic::Calls ? std::move(kept) : Json::array()}};
}

const std::vector<std::vector<double>>& keptGradients()
{
    static const std::vector<std::vector<double>> All{
        {1.0, -1.0}, {-1.0}, {1e-30}, {0.0, 1.0}, {InfiniteGradient}, {NoNumber}};
    return All;
}

std::vector<OptimizerCase> optimizerCases(const OptimizerRow& row, std::uint64_t seed, int steps)
{
    Random random(Seed{seed});
    using enum CaseTopic;
    const std::vector<std::vector<int>> alike{{2, 3}, {2, 3}, {2, 3}};
    const std::vector<std::vector<int>> unlike{{3}, {2, 2}, {3}};
    std::vector<OptimizerCase> cases{{Usual, "float32", "list", alike, {1.0, 0.01, 1e-5}},
        {Objects, "float32", "list", alike, {1.0, 0.01, 1e-5}, {}, UnusualSettings},
        {Usual, "float64", "generator", {{4}, {}, {3, 2}}, {0.1, 1.0, 1e-4}},
        {Unusual, "float64", "list", unlike, {0.1, 1.0, 1e-3}, UnusualSettings},
        {RateOfZero, "float64", "list", unlike, {0.1, 1.0, 1e-3}, RateOfZeroSettings},
        {OthersOfZero, "float64", "list", unlike, {0.1, 1.0, 1e-3}, OthersOfZeroSettings},
        {Sizes, "float64", "list", unlike, {1000.0, 1.0, 1e-10}},
        {ZeroGradients, "float64", "list", unlike, {0.1, 1.0, 0.01}},
        {NoGradient, "float64", "list", unlike, {0.1, 1.0, 0.01}},
        {LateGradients, "float64", "list", unlike, {0.1, 1.0, 0.01}},
        {EqualWeights, "float64", "list", unlike, {0.1, 1.0, 0.01}},
        {Calls, "float64", "list", {{2, 2}, {3}, {2, 4}}, {0.1, 1.0, 0.01}},
        {Strided, "float64", "list", {{2, 3}, {4}, {3, 3}}, {0.1, 1.0, 0.01}},
        {NotFinite, "float64", "list", unlike, {0.1, 1.0, 0.01}}};
    for (OptimizerCase& each : cases) {
        fill(each, row, random, each.isGenerator() ? LongRun * steps : steps);
    }
    return cases;
}

} // namespace lockstep::laboratory
