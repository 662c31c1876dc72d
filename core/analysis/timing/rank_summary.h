// How each rank spends its steps, built row by row as they come: bounded memory, the same live and from the store.
#pragma once

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
    void addStep(std::int32_t rank, const StepRow& row);
    /// As SummaryBuilder's.
    void heldAfter(std::int64_t step, std::int64_t uncounted);
    /// Mean over ranks of the communication time, ms a step, in each stretch of counted steps between two holds.
    [[nodiscard]] std::vector<double> communicateMsOfBlocks() const;
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
    std::map<std::int32_t, Sums> m_ranks;
    struct Stretch {
        std::int64_t ns = 0;
        std::int64_t rows = 0;
    };
    Holds m_holds;
    std::int64_t m_uncounted = 0;
    std::map<std::int64_t, Stretch> m_communicate; ///< by the step after which the run held
};

/// One rank's part of a block of steps (wire::Held).
struct BlockOfRank {
    std::int64_t number = 0;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::int64_t steps = 0;
    std::int64_t wallNs = 0;
    std::int64_t samples = 0;
};

/// The blocks of a run from those of its ranks.
class BlocksBuilder {
public:
    void setWorldSize(int worldSize) { m_worldSize = worldSize; }
    void add(const BlockOfRank& block);
    /// That every rank has ended and that count a step, in order.
    [[nodiscard]] const std::vector<MeasuredBlock>& blocks() const { return m_blocks; }

private:
    int m_worldSize = 1;
    std::map<std::int64_t, std::vector<BlockOfRank>> m_open; ///< by number
    std::vector<MeasuredBlock> m_blocks;
};

/// Adds one rank's measurement to those of the others.
void addMeasurement(std::vector<CollectiveMeasurement>& all, const CollectiveMeasurement& ofOneRank);

} // namespace lockstep::analysis
