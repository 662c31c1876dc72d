// A run's steps in blocks, from which follows what a step typically takes: those that it ran in turns with others
// (measure.interleave), else blocks of its own steps. Built row by row as they come: bounded memory, the same live and
// from the store.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/step_curve.h"
#include "base/step_row.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace lockstep::analysis {

/// One rank's part of a block of steps (wire::Held).
struct BlockOfRank {
    std::int64_t number = 0; ///< 0: none, or one that only finds the blocks' size
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

/// Sums over steps of one rank. In floating point, as SummaryBuilder's: damaged rows cannot overflow them.
struct StepSums {
    double steps = 0.0;
    double wallNs = 0.0;
    double samples = 0.0;
    std::array<double, PhaseCount> phaseNs{};

    void add(const StepRow& row);
    void add(const StepSums& other);
    [[nodiscard]] double msPerStep() const;
    /// With the waiting where that cannot be separated.
    [[nodiscard]] double communicateNs(bool isWaitKnown) const;
};

/// Sums over consecutive units of steps, in a limited number of cells: when it is reached, neighbours are put together.
class MergingSums {
public:
    explicit MergingSums(std::size_t mostCells)
        : m_mostCells(mostCells)
    { }

    /// Of the cell of this unit: 0, 1, ..., not before an earlier call's.
    [[nodiscard]] StepSums& at(std::int64_t unit);
    /// Units in a cell.
    [[nodiscard]] std::int64_t width() const { return m_width; }
    [[nodiscard]] const std::vector<StepSums>& cells() const { return m_cells; }
    [[nodiscard]] StepSums total() const;

private:
    std::size_t m_mostCells;
    std::int64_t m_width = 1;
    std::vector<StepSums> m_cells;
};

class StepBlocks {
public:
    /// Most blocks of a run that takes no turns.
    static constexpr std::size_t MostOwnBlocks = 64;
    /// Of a run that takes turns, whose phases are summed each by itself.
    static constexpr std::size_t MostRounds = 4096;

    void setWorldSize(int worldSize);
    /// A block of own steps holds a whole number of this many. Before the first step.
    void setPeriod(std::int64_t steps) { m_period = steps; }
    /// Rows of one rank come in step order, and after the holds before them.
    void addStep(std::int32_t rank, const StepRow& row);
    /// The rank held after `step`, at the end of `block`; it does not count the `uncounted` steps that follow.
    void heldAfter(std::int32_t rank, std::int64_t step, std::int64_t uncounted, const BlockOfRank& block);
    /// A round that does not count.
    void leaveOut(std::int64_t round) { m_leftOut.insert(round); }

    /// Those that the run ran in turns with others.
    [[nodiscard]] std::vector<MeasuredBlock> rounds() const;
    /// Those that count: rounds, else blocks of own steps. Empty if the run is too short for one.
    [[nodiscard]] std::vector<MeasuredBlock> kept() const;
    /// By rank, over the kept blocks, as far as they have rows; else over all counted steps.
    [[nodiscard]] std::map<std::int32_t, StepSums> keptSums() const;
    /// Communication in each kept block that has rows, in ms a step: mean over ranks.
    [[nodiscard]] std::vector<double> communicateMs() const;

private:
    struct OfRank {
        std::int64_t rows = 0;
        std::vector<std::int64_t> holds; ///< the steps after which it held, ascending
        std::vector<std::int64_t> numbers; ///< of the blocks that ended there
        MergingSums own{MostOwnBlocks}; ///< before the first hold, by periods
        MergingSums inTurns{MostRounds}; ///< by holds
    };

    [[nodiscard]] std::vector<MeasuredBlock> ownBlocks() const;
    [[nodiscard]] std::int64_t ownWidth() const;
    [[nodiscard]] bool isKept(const OfRank& of, std::size_t cell) const;
    /// The sums over a rank's kept blocks; `own` as ownBlocks() gives them.
    [[nodiscard]] std::vector<StepSums> keptCells(const OfRank& of, const std::vector<MeasuredBlock>& own) const;
    [[nodiscard]] bool takesTurns() const { return !m_rounds.blocks().empty(); }

    int m_worldSize = 1;
    std::int64_t m_period = 1;
    std::int64_t m_uncounted = 0; ///< steps after a hold
    std::map<std::int32_t, OfRank> m_ranks;
    bool m_isWaitKnown = true; ///< separated from communicating in every step
    BlocksBuilder m_rounds;
    std::set<std::int64_t> m_leftOut; ///< numbers of rounds
};

} // namespace lockstep::analysis
