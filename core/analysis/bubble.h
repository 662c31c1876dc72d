// How much of a pipeline's time its ranks are idle, from the spans of their passes.
#pragma once

#include "base/phase.h"

#include <cstdint>
#include <map>

namespace lockstep::analysis {

/// The bubble of a step is 1 - (sum of all forward and backward passes) / (ranks * (end of the last backward - start of
/// the first forward)). Where ranks share layers, the sums within a pass belong to it. Steps of which spans were dropped are left out, and so is the warm-up where there is more.
class BubbleBuilder {
public:
    explicit BubbleBuilder(int ranks)
        : m_ranks(ranks)
    { }

    /// Spans of one rank come in step order; ranks may interleave. Those that are no pass of a micro-batch say nothing.
    void add(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs,
        std::int32_t microBatch);
    /// Over the steps that all ranks have left behind; NaN without one.
    [[nodiscard]] double bubble() const;

private:
    struct Step {
        std::int64_t firstNs = 0;
        std::int64_t lastNs = 0;
        std::int64_t busyNs = 0;
        std::map<std::int32_t, int> passes; ///< by rank
    };
    struct Pass {
        std::int64_t step = 0;
        Phase phase = Phase::Data;
        std::int32_t microBatch = -1;

        [[nodiscard]] bool operator==(const Pass&) const = default;
    };
    struct Sums {
        double busyNs = 0.0;
        double rankNs = 0.0;
    };

    void close(std::int64_t before);

    int m_ranks;
    std::map<std::int64_t, Step> m_open;
    std::map<std::int32_t, std::int64_t> m_lastStep; ///< by rank
    std::map<std::int32_t, Pass> m_lastPass; ///< by rank
    Sums m_all;
    Sums m_warm;
};

} // namespace lockstep::analysis
