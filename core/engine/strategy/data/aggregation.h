// How the ranks' arrays become one: the algorithm (which messages) and the rule (how to combine the numbers).
#pragma once

#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/link/watched_communicator.h"
#include "experiment/spec.h"

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::engine {

/// Values of `aggregation.algorithm` and `aggregation.rule` that can be carried out.
[[nodiscard]] std::vector<std::string_view> aggregationNames();

/// Whose arrays are aggregated: a rank counts by its samples in a weighted mean, and not at all in a mean without any.
struct Shares {
    std::int64_t own = 0; ///< samples behind this rank's array
    std::int64_t all = 0; ///< behind those of all ranks
    int ranksWithSamples = 1;
};

class Aggregation {
public:
    explicit Aggregation(const experiment::RunSpec& run);

    /// Multiply an array by this before carryOut(), so that the sum follows the rule.
    [[nodiscard]] double scaleOf(const Shares& shares) const;
    /// Makes `array` bitwise equal on every rank. Every rank calls it.
    [[nodiscard]] Result<void> carryOut(comm::WatchedCommunicator& group, torch::Tensor& array);
    /// Whether carryOut() is the backend's own all-reduce, which can work on shared memory.
    [[nodiscard]] bool isBackendAllReduce() const;
    /// The same arithmetic on local arrays (equally long, by rank), into the first: for a reference in a single
    /// process.
    void combineHere(std::span<torch::Tensor> arrays, std::span<const std::int64_t> samples) const;

    [[nodiscard]] experiment::Rule rule() const { return m_rule; }

private:
    [[nodiscard]] comm::Combine combine() const;

    const comm::Algorithm* m_algorithm;
    experiment::Rule m_rule;
    double m_trim;
    comm::Scratch m_scratch;
};

} // namespace lockstep::engine
