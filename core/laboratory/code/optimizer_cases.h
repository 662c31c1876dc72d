// What one optimizer of the student's is made for: settings, shapes, types, and given weights and gradients. Private to
// core/laboratory/code.
#pragma once

#include "laboratory/code/optimizer_rules.h"

#include <cstddef>
#include <optional>
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

struct OptimizerCase {
    const char* type = "float32";
    const char* params = "list";
    std::vector<std::vector<int>> shapes;
    std::vector<double> scales; ///< of gradients, by parameter: with small ones, ε counts
    OptimizerSettings settings{};
    bool isUnusual = false; ///< its settings are no class's defaults
    std::optional<std::size_t> skipped{}; ///< the parameter whose grad is None in all steps
    std::vector<TensorValues> weights{}; ///< before each step
    std::vector<TensorValues> gradients{}; ///< 0 for the parameter that is skipped

    [[nodiscard]] bool isGenerator() const { return params[0] == 'g'; }
    [[nodiscard]] bool isSingle() const { return type[5] == '3'; }
    [[nodiscard]] double rounded(double value) const
    {
        return isSingle() ? static_cast<double>(static_cast<float>(value)) : value;
    }
    [[nodiscard]] std::size_t sizeOf(std::size_t parameter) const;
    /// For the runner; nothing that is expected.
    [[nodiscard]] Json json(OptimizerFamily family) const;
};

/// Weights of each step from the rule's first form. The case without a gradient is the last: what is wrong without it
/// comes first.
[[nodiscard]] std::vector<OptimizerCase> optimizerCases(const OptimizerRow& row, std::uint64_t seed, int steps);

} // namespace lockstep::laboratory
