#include "laboratory/code/optimizer_cases.h"

#include "base/random.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>

namespace lockstep::laboratory {

namespace {

/// Settings that are no class's defaults: an argument that the class takes and does not use is seen.
constexpr OptimizerSettings UnusualSettings{
    .rate = 0.037, .momentum = 0.7, .beta1 = 0.8, .beta2 = 0.97, .decay = 0.6, .epsilon = 1e-3};

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

void fill(OptimizerCase& each, const OptimizerRow& row, Random& random, int steps)
{
    ReferenceOptimizer reference(row.family, row.forms.front(), RuleEdit::None, each.settings);
    TensorValues weights(each.shapes.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t k = 0; k < each.sizeOf(i); ++k) {
            weights[i].push_back(each.rounded(drawnWeight(random, k)));
        }
    }
    for (int step = 0; step < steps; ++step) {
        TensorValues gradients = weights;
        for (std::size_t i = 0; i < gradients.size(); ++i) {
            const double scale = i == each.skipped ? 0.0 : each.scales[i];
            std::ranges::generate(gradients[i], [&] { return each.rounded(drawnGradient(random, scale)); });
        }
        each.weights.push_back(weights);
        each.gradients.push_back(gradients);
        weights = reference.step(weights, gradients);
        for (auto& values : weights) {
            std::ranges::transform(values, values.begin(), [&](double value) { return each.rounded(value); });
        }
    }
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
        Json given = gradients[step];
        if (skipped) {
            given[*skipped] = nullptr;
        }
        all.push_back({{"weights", weights[step]}, {"gradients", std::move(given)}});
    }
    Json named = Json::object();
    for (const SettingRow& each : settingsOf(family)) {
        named[std::string(each.key)] = settings.*each.member;
    }
    return {{"dtype", type}, {"params", params}, {"shapes", shapes}, {"steps", std::move(all)},
        {"settings", std::move(named)}};
}

std::vector<OptimizerCase> optimizerCases(const OptimizerRow& row, std::uint64_t seed, int steps)
{
    Random random(Seed{seed});
    std::vector<OptimizerCase> cases{{"float32", "list", {{2, 3}, {2, 3}, {2, 3}}, {1.0, 0.01, 1e-5}},
        {"float64", "generator", {{4}, {}, {3, 2}}, {0.1, 1.0, 1e-4}},
        {"float64", "list", {{3}, {2, 2}, {3}}, {0.1, 1.0, 1e-3}, UnusualSettings, true},
        {"float64", "list", {{3}, {2, 2}, {3}}, {0.1, 1.0, 0.01}, {}, false, 1}};
    for (OptimizerCase& each : cases) {
        fill(each, row, random, steps);
    }
    return cases;
}

} // namespace lockstep::laboratory
