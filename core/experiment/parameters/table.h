// The rows of the parameter table, one function a group. Private to core/experiment.
#pragma once

#include "experiment/parameter.h"

#include <array>
#include <initializer_list>
#include <span>
#include <vector>

namespace lockstep::experiment {

/// Strategies by what they have in common, for the conditions of rows.
namespace strategies {

inline constexpr std::array Training{"single", "data", "local", "zero", "pipeline", "tensor", "grid"};
inline constexpr std::array TrainingOrOwn{"single", "data", "local", "zero", "pipeline", "tensor", "grid", "own"};
inline constexpr std::array TrainingTogether{"data", "local", "zero", "pipeline", "tensor", "grid"};
inline constexpr std::array ManyRanks{"data", "local", "zero", "pipeline", "tensor", "grid", "collectives"};
/// Those that lockstep-rank carries out.
inline constexpr std::array OfLockstepRank{
    "single", "data", "local", "zero", "pipeline", "tensor", "grid", "collectives"};

/// Every rank has the whole net, its own samples, and arrays that all ranks aggregate.
inline constexpr std::array Replicas{"data", "local"};
inline constexpr std::array PartitionedSamples{"data", "local", "zero"};

} // namespace strategies

/// `strategy.name` is one of these.
[[nodiscard]] inline Condition strategyIsOneOf(std::span<const char* const> names)
{
    return {"strategy.name", {names.begin(), names.end()}};
}

/// The rows of these groups, one after the other.
[[nodiscard]] std::vector<Parameter> joinRows(std::initializer_list<std::vector<Parameter>> groups);

[[nodiscard]] std::vector<Parameter> dataParameters();
[[nodiscard]] std::vector<Parameter> netParameters();
[[nodiscard]] std::vector<Parameter> optimizerParameters();
[[nodiscard]] std::vector<Parameter> trainingParameters();
[[nodiscard]] std::vector<Parameter> rankParameters();
[[nodiscard]] std::vector<Parameter> pipelineParameters();
[[nodiscard]] std::vector<Parameter> tensorParameters();
[[nodiscard]] std::vector<Parameter> gridParameters();
[[nodiscard]] std::vector<Parameter> zeroParameters();
[[nodiscard]] std::vector<Parameter> localParameters();
[[nodiscard]] std::vector<Parameter> partitionParameters();
[[nodiscard]] std::vector<Parameter> checkpointParameters();
[[nodiscard]] std::vector<Parameter> communicationParameters();
[[nodiscard]] std::vector<Parameter> sweepParameters();

} // namespace lockstep::experiment
