// How each rank spends its steps, built row by row as they come: bounded memory, the same live and from the store.
#pragma once

#include "analysis/timing/step_blocks.h"
#include "analysis/timing/summary.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lockstep::analysis {

/// The median of a stream: exact for up to 8,192 values, then of every second, every fourth, ... of them.
class RunningMedian {
public:
    void add(double value);
    [[nodiscard]] double median() const; ///< NaN without values

private:
    std::vector<double> m_values;
    std::int64_t m_stride = 1;
    std::int64_t m_count = 0;
};

/// Of times by phase in which waiting cannot be separated from communicating: one figure holds both, the other none.
void putTogether(std::array<double, PhaseCount>& phases);

class RankSummaryBuilder {
public:
    void setWorldSize(int worldSize) { m_blocks.setWorldSize(worldSize); }
    /// As StepBlocks'.
    void setPeriod(std::int64_t steps) { m_blocks.setPeriod(steps); }
    void leaveOut(std::int64_t round) { m_blocks.leaveOut(round); }
    void addStep(std::int32_t rank, const StepRow& row);
    void heldAfter(std::int32_t rank, std::int64_t step, std::int64_t uncounted, const BlockOfRank& block = {});
    [[nodiscard]] const StepBlocks& blocks() const { return m_blocks; }
    /// Of a summary that has its means: what a step typically takes. Of a run too short for a block the means.
    void addTypical(Summary& summary) const;
    enum class Medians { With, Without };
    /// By rank; those without a step are left out.
    [[nodiscard]] std::vector<RankSummary> summaries(Medians medians = Medians::With) const;

private:
    struct Sums {
        std::int64_t all = 0; ///< steps, with the warm-up
        bool isInBlocks = false;
        std::int64_t steps = 0;
        std::int64_t wallNs = 0;
        std::int64_t bytes = 0;
        std::int64_t betweenHostsNs = 0;
        bool areBytesKnown = true;
        std::array<std::int64_t, PhaseCount> phaseNs{};
        bool isWaitKnown = true;
        RunningMedian wait;
        RunningMedian communicate;
    };

    void addTypical(std::vector<RankSummary>& summaries) const;

    std::map<std::int32_t, Sums> m_ranks;
    Holds m_holds;
    std::int64_t m_uncounted = 0;
    bool m_areSamplesKnown = true; ///< false: a user's own program that does not report them
    StepBlocks m_blocks;
};

/// Adds one rank's measurement to those of the others.
void addMeasurement(std::vector<CollectiveMeasurement>& all, const CollectiveMeasurement& ofOneRank);

} // namespace lockstep::analysis
