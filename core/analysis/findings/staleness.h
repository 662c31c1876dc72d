// How stale the gradients of an asynchronous parameter server were, row by row as they come: bounded memory. Zhang,
// Gupta, Lian and Liu, "Staleness-aware Async-SGD for distributed deep learning", 2016, show such distributions.
#pragma once

#include "analysis/run_record.h"

#include <span>
#include <vector>

namespace lockstep::analysis {

/// Counts of RankStaleness; what is staler counts in the last.
inline constexpr std::size_t MostStaleness = 1024;

class StalenessBuilder {
public:
    /// Leaves out a negative one: the step had no such server.
    void add(std::int32_t rank, std::int64_t staleness);
    [[nodiscard]] const std::vector<RankStaleness>& ranks() const { return m_ranks; }

private:
    std::vector<RankStaleness> m_ranks; ///< by rank
};

/// Of all ranks together.
[[nodiscard]] RankStaleness joined(std::span<const RankStaleness> ranks);

} // namespace lockstep::analysis
