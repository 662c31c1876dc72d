// What one optimizer of the student's is made for: settings, shapes, types, and given weights and gradients. Private to
// core/laboratory/code.
#pragma once

#include "laboratory/code/optimizer_rules.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

/// A setting of a family of optimizers.
struct SettingRow {
    std::string_view key; ///< as the runner knows it
    double OptimizerSettings::*member;
    std::vector<OptimizerFamily> families; ///< empty: all
};
[[nodiscard]] std::vector<SettingRow> settingsOf(OptimizerFamily family);

/// What a case has that none before it has: what first goes wrong there comes from it.
enum class CaseTopic : std::uint8_t {
    Usual,
    Objects, ///< two objects side by side, then another with the parameters of the first
    Unusual, ///< settings that are no class's defaults
    RateOfZero,
    OthersOfZero, ///< all settings but the learning rate
    Sizes, ///< large gradients and tiny ones
    ZeroGradients, ///< of a parameter, of all, and of one element
    NoGradient, ///< one parameter never takes part in the loss
    LateGradients, ///< parameters take part in some steps
    EqualWeights, ///< the first and the last parameter start with the same values
    Calls, ///< zero_grad and backward are called never, once or more often before a step
    Strided, ///< parameters that are not contiguous
    NotFinite ///< gradients of inf and nan, in the last step
};

struct OptimizerCase {
    CaseTopic topic = CaseTopic::Usual;
    const char* type = "float32";
    const char* params = "list";
    std::vector<std::vector<int>> shapes;
    std::vector<double> scales; ///< of gradients, by parameter: with small ones, ε counts
    OptimizerSettings settings{};
    OptimizerSettings besideSettings{}; ///< of the second of two objects side by side
    std::vector<TensorValues> weights{}; ///< before each step
    std::vector<TensorValues> besideWeights{}; ///< the same with besideSettings
    std::vector<TensorValues> gradients{}; ///< empty: the parameter takes no part in the loss of the step

    [[nodiscard]] bool isGenerator() const { return params[0] == 'g'; }
    [[nodiscard]] bool hasAbsent() const { return topic == CaseTopic::NoGradient || topic == CaseTopic::LateGradients; }
    /// Whether it is known what a wrong rule does here, such as counting t.
    [[nodiscard]] bool isOfRules() const
    {
        return !hasAbsent() && topic != CaseTopic::Calls && topic != CaseTopic::NotFinite;
    }
    [[nodiscard]] const OptimizerSettings& settingsOf(std::size_t object) const
    {
        return object == 1 ? besideSettings : settings;
    }
    [[nodiscard]] const std::vector<TensorValues>& weightsOf(std::size_t object) const
    {
        return object == 1 ? besideWeights : weights;
    }
    /// How often the student's class is made, one after another or side by side.
    [[nodiscard]] std::size_t objects() const { return topic == CaseTopic::Objects ? 3 : 1; }
    [[nodiscard]] bool isSingle() const { return type[5] == '3'; }
    [[nodiscard]] double rounded(double value) const
    {
        return isSingle() ? static_cast<double>(static_cast<float>(value)) : value;
    }
    [[nodiscard]] std::size_t sizeOf(std::size_t parameter) const;
    /// For the runner; nothing that is expected.
    [[nodiscard]] Json json(OptimizerFamily family) const;
};

/// Gradients that zero_grad must clear, whatever is in them; their elements repeat.
[[nodiscard]] const std::vector<std::vector<double>>& keptGradients();

/// Weights of each step from the rule's first form. What most code gets right comes first.
[[nodiscard]] std::vector<OptimizerCase> optimizerCases(const OptimizerRow& row, std::uint64_t seed, int steps);

} // namespace lockstep::laboratory
