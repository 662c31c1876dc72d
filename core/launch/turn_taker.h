// Gives the runs of one comparison their turns (measure.interleave): one runs a block of steps while the others hold,
// in random order within each round, so that other load on the machine affects all of them equally. A sweep's step is
// the calls of one size. Decides by what the ranks report; knows no process and no clock. Session thread only.
#pragma once

#include "analysis/run_record.h"
#include "analysis/timing/step_blocks.h"
#include "experiment/spec.h"
#include "wire/messages.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace lockstep::launch {

class TurnTaker {
public:
    /// Sends to rank 0 of a run.
    using Send = std::function<void(std::size_t run, const wire::Control& control)>;
    /// Reports which of the run's rounds do not count (analysis::keptRounds): once, when all runs have been measured
    /// and hold. A run that ends before that learns it when its first rank says goodbye, or when no rank is alive any
    /// more: by what has been measured until then.
    using LeaveOut = std::function<void(std::size_t run, const std::vector<std::int64_t>& rounds)>;

    /// How long the counted steps of a block are to be, as a mean over the runs: long beside those that it does not
    /// count, short compared with other load on a machine. The blocks of all runs have as many steps: what a scheduler
    /// gives a process that wakes up is the same share of each.
    static constexpr double BlockMs = 40.0;
    static constexpr std::int64_t FewestSteps = 4; ///< counted, of a block
    static constexpr std::int64_t MostSteps = 200;
    /// Measures every run that can go on until each difference to the baseline is known to this half-width, over this
    /// many rounds that count.
    static constexpr double WantedHalfWidth = 0.05;
    static constexpr std::size_t FewestRounds = 30;

    TurnTaker(Send send, std::uint64_t seed, LeaveOut leaveOut = {});

    /// The next run, which is about to be started; gives its place. The first one, or the one named `single`, is the
    /// baseline.
    std::size_t add(const experiment::RunSpec& run, std::int32_t worldSize);
    /// As many ranks as its script makes, before any of them holds.
    void setWorldSize(std::size_t run, std::int32_t worldSize);
    /// What to send to rank 0 of the run at this place as soon as it is connected: the first run starts, the others
    /// hold. The first holds as well if it is a sweep, whose calls would be measured while others load, or a user's own
    /// program, which may be short.
    [[nodiscard]] static wire::Control firstCommand(const experiment::RunSpec& run, std::size_t place);
    /// No run will be added any more.
    void allAdded();

    void onPrepared(std::size_t run, std::int64_t totalSteps, std::int64_t stepsPerEpoch = 1);
    void onHeld(std::size_t run, std::int32_t rank, const wire::Held& held);
    /// The rank has said goodbye; others of its run may still train. Ranks of lockstep-rank end together.
    void onGoodbye(std::size_t run, std::int32_t rank);
    /// No rank of the run is alive any more, and its ranks may have said no goodbye, as when they failed or were
    /// killed. Call before onEnded(), while its rounds can still be reported.
    void onClosing(std::size_t run);
    /// While one run is paused, no turn begins.
    void setPaused(std::size_t run, bool isPaused);
    /// A run that did not finish is compared with none: its rounds do not count.
    void onEnded(std::size_t run, analysis::RunStatus how = analysis::RunStatus::Finished);

    /// Whether all ranks of the run that have not ended hold, or it has ended.
    [[nodiscard]] bool isReady(std::size_t run) const;
    /// Time spent on blocks after the runs' own steps; limited by the largest measure.limit_s.
    [[nodiscard]] double extraSeconds() const { return m_extraNs * 1e-9; }

private:
    enum class Stage { Loading, Stopping, Turns, Ending };

    struct Run {
        experiment::RunSpec spec;
        std::int32_t worldSize = 1;
        std::int64_t totalSteps = 0; ///< its own; 0: not known
        std::int64_t stepsPerEpoch = 1;
        std::int64_t step = 0;
        double firstMs = 0.0; ///< of a step, in the round that finds the size of blocks; 0: not known
        std::map<std::int32_t, wire::Held> held; ///< ranks that hold
        std::set<std::int32_t> gone; ///< ranks that said goodbye
        analysis::BlocksBuilder blocks;
        bool isPaused = false;
        bool wasPaused = false; ///< since its steps were requested
        bool hasEnded = false;
        bool isCompared = true; ///< it has not ended otherwise than by finishing
        bool isReported = false; ///< which of its rounds do not count

        [[nodiscard]] bool isComplete() const { return totalSteps > 0 && step >= totalSteps; }
    };

    void takeTurnBack(std::size_t run);
    void proceed();
    void nextTurn();
    void beginRound();
    void give(std::size_t run, double steps);
    void takeBlock(Run& run);
    void findBlockSteps();
    [[nodiscard]] std::int64_t stepsOf(const Run& run) const;
    [[nodiscard]] bool mustMeasure() const;
    [[nodiscard]] std::vector<std::vector<double>> logMsOfRounds() const;
    [[nodiscard]] std::vector<bool> keptRounds() const;
    [[nodiscard]] std::size_t alive() const;
    void reportLeftOut(std::size_t run, const std::vector<bool>& kept);
    void endOne();

    Send m_send;
    LeaveOut m_leaveOut;
    std::mt19937_64 m_random;
    std::vector<Run> m_runs;
    std::size_t m_baseline = 0;
    Stage m_stage = Stage::Loading;
    std::vector<std::size_t> m_order; ///< of the round, those still to come, last first
    std::optional<std::size_t> m_current;
    std::int64_t m_round = 0; ///< of blocks of the final size
    std::int64_t m_blockSteps = 0; ///< counted, of a block; 0: not found yet
    double m_extraNs = 0.0;
    double m_limitSeconds = 0.0;
    bool m_isMeasured = false; ///< no run is measured beyond its own steps any more
    bool m_allAdded = false;
};

} // namespace lockstep::launch
