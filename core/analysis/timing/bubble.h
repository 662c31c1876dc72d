// How much of a pipeline's time its ranks are idle, from the spans of their passes.
#pragma once

#include "base/phase.h"

#include <cstdint>
#include <map>

namespace lockstep::analysis {

/// The passes of one step.
struct StepPasses {
    struct OfRank {
        int count = 0;
        Phase phase = Phase::Data; ///< of the last one
        std::int32_t microBatch = -1;
    };
    std::int64_t firstNs = 0; ///< when the first of them starts
    std::int64_t lastNs = 0; ///< when the last of them ends
    std::int64_t busyNs = 0; ///< all of them added up
    std::map<std::int32_t, OfRank> passes; ///< by rank

    /// Whether such a span is a pass or a part of one: ranks that share layers add up within a pass.
    [[nodiscard]] static bool isPass(Phase phase, std::int32_t microBatch);

    /// In the order of their starts; ignores spans that are not passes.
    void add(std::int32_t rank, Phase phase, std::int64_t startNs, std::int64_t durationNs, std::int32_t microBatch);
    /// Every rank makes as many passes: where they differ, some were dropped.
    [[nodiscard]] bool isWhole(int ranks) const;
};

/// Steps added up.
struct BubbleSums {
    double busyNs = 0.0;
    double rankNs = 0.0; ///< ranks * (end of the last pass - start of the first)

    void add(const StepPasses& step, int ranks);
    /// NaN without a step.
    [[nodiscard]] double bubble() const;
};

/// The bubble of a step is 1 - (sum of all forward and backward passes) / (ranks * (end of the last backward - start of
/// the first forward)). Where ranks share layers, the sums within a pass belong to it. Steps of which spans were
/// dropped are left out, and so is the warm-up where there is more.
class BubbleBuilder {
public:
    explicit BubbleBuilder(int ranks)
        : m_ranks(ranks)
    { }

    /// Spans of one rank come in step order; ranks may interleave. Ignores those that are not passes of a micro-batch.
    void add(std::int32_t rank, std::int64_t step, Phase phase, std::int64_t startNs, std::int64_t durationNs,
        std::int32_t microBatch);
    /// Over the steps that all ranks have finished; NaN without one.
    [[nodiscard]] double bubble() const;

private:
    void close(std::int64_t before);

    int m_ranks;
    std::map<std::int64_t, StepPasses> m_open;
    std::map<std::int32_t, std::int64_t> m_lastStep; ///< by rank
    BubbleSums m_all;
    BubbleSums m_warm;
};

} // namespace lockstep::analysis
