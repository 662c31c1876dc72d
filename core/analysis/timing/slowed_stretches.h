// A run whose ranks were slowed by hand, in stretches between the changes: before, during and after, by its own steps.
// Built row by row as they come: bounded memory, the same live and from the store.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/rank_summary.h"
#include "base/step_row.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace lockstep::analysis {

class SlowedStretchesBuilder {
public:
    void setWorldSize(int worldSize) { m_worldSize = worldSize; }
    /// From this step on the rank, -1: each, is delayed in every step; before the rows of that step.
    void delayed(std::int64_t step, std::int32_t rank, double ms);
    /// From this step on the link is another: steps are not compared across it.
    void linkChanged(std::int64_t step);
    void addStep(std::int32_t rank, const StepRow& row);
    /// In the order of their steps; empty where no rank was ever delayed by hand. Those too short to say what a step
    /// takes are left out.
    [[nodiscard]] std::vector<SlowedStretch> stretches() const;

private:
    struct OfRank {
        RunningMedian wall;
        RunningMedian wait;
        std::int64_t steps = 0;
        bool isWaitKnown = true;
    };
    struct Stretch {
        std::int64_t firstStep = 1;
        std::int64_t lastStep = 0;
        std::map<std::int32_t, double> delays; ///< of the delayed ranks, ms
        int link = 0; ///< number of changes of the link before it
        std::map<std::int32_t, OfRank> ranks;
    };

    Stretch& from(std::int64_t step);
    [[nodiscard]] static SlowedStretch resultOf(const Stretch& stretch);

    int m_worldSize = 1;
    bool m_isDelayed = false; ///< some rank was
    std::vector<Stretch> m_stretches{Stretch{}};
};

} // namespace lockstep::analysis
