// A run's steps from the rows of its ranks: the loss of the whole batch, and when in the run's time the step was done.
#pragma once

#include "analysis/not_measured.h"
#include "base/step_row.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::analysis {

/// A step that all ranks have finished.
struct WholeStep {
    std::int64_t step = 0;
    std::int64_t samples = 0; ///< of the run so far
    std::int64_t endNs = 0; ///< of the rank that was last
    double loss = NotMeasured; ///< mean over the whole batch
};

class StepLosses {
public:
    explicit StepLosses(int worldSize);

    /// Rows of one rank come in step order; ranks may interleave. A step comes out with its last rank's row; one in
    /// which a rank has died never does. Losses are summed in the order of the ranks, whichever row came first.
    [[nodiscard]] std::optional<WholeStep> add(std::int32_t rank, const StepRow& row);
    /// The rank has ended well. One without a row, as a script's workers that only serve others, does no steps.
    void leave(std::int32_t rank);
    /// Steps that were held back for ranks that do none: those that have left, or, after a while, sent no row.
    [[nodiscard]] std::vector<WholeStep> takeLate();

private:
    struct Sum {
        std::vector<std::pair<std::int32_t, double>> losses; ///< by rank, times its samples
        std::int64_t batch = 0;
        std::int64_t samples = 0;
        std::int64_t endNs = 0;
    };

    [[nodiscard]] static WholeStep whole(std::int64_t step, Sum& sum);

    int m_worldSize; ///< ranks that do steps, as far as is known
    bool m_goesOn = false; ///< without some of them
    std::int64_t m_newestNs = 0;
    std::set<std::int32_t> m_ranks; ///< that have sent rows
    std::set<std::int32_t> m_without; ///< that have left without one
    std::map<std::int64_t, Sum> m_open; ///< by step
};

/// The steps after which a run that takes turns has held (wire::Held), each reported once or by every rank.
class Holds {
public:
    void add(std::int64_t step);
    /// Whether `step` is one of the `uncounted` first ones of a block.
    [[nodiscard]] bool isUncounted(std::int64_t step, std::int64_t uncounted) const;
    /// Whether `step` comes before the first block, while the other runs of the comparison loaded.
    [[nodiscard]] bool isBeforeBlocks(std::int64_t step) const { return m_steps.empty() || step <= m_steps.front(); }
    /// The last one before `step`; nothing where the run has not held yet.
    [[nodiscard]] std::optional<std::int64_t> lastBefore(std::int64_t step) const;

private:
    std::vector<std::int64_t> m_steps; ///< ascending
};

/// Each rank's loss on its own samples, as one mean per epoch: ranks with other data have other losses.
class OwnLosses {
public:
    struct Point {
        std::int64_t step = 0; ///< the epoch's last so far
        std::int64_t samples = 0; ///< as in StepRow
        std::int64_t endNs = 0;
        double lossTimesSamples = 0.0;
        std::int64_t batch = 0; ///< samples of this rank in the epoch

        [[nodiscard]] double loss() const { return lossTimesSamples / static_cast<double>(batch); }
    };

    /// Rows of one rank come in step order. `stepsPerEpoch` below 1: not known, all steps count as one epoch.
    void add(std::int32_t rank, const StepRow& row, std::int64_t stepsPerEpoch);
    [[nodiscard]] const std::map<std::int32_t, std::vector<Point>>& byRank() const { return m_points; }

private:
    std::map<std::int32_t, std::vector<Point>> m_points;
};

/// Time since the run's first step began, without pauses and holds.
class RunClock {
public:
    /// What the steps took that a resumed run takes over from the run before it; -1: not known, so that no time is.
    void setEarlierNs(std::int64_t ns) { m_earlierNs = ns; }
    void addStep(const StepRow& row);
    /// The run held after `step`; the hold ends where the first rank begins the next one. Ascending by step; the first
    /// of several ranks' reports counts.
    void heldAfter(std::int64_t step, std::int64_t ns);
    /// How long the run held until `ns`.
    [[nodiscard]] std::int64_t heldNs(std::int64_t ns) const;
    [[nodiscard]] bool hasHeld() const { return !m_holds.empty(); }
    /// No step has begun since the last hold.
    [[nodiscard]] bool isHolding() const { return m_holdsOver < m_holds.size(); }
    /// Whether the run held when it was about to begin `step`, from before `ns`: a pause then is part of the hold.
    [[nodiscard]] bool isHeldBefore(std::int64_t step, std::int64_t ns) const;
    /// A pause begins with the first rank that pauses and ends with the first that resumes.
    void pausedAt(std::int64_t ns);
    void resumedAt(std::int64_t ns);

    [[nodiscard]] bool hasBegun() const { return m_beginNs != 0; }
    [[nodiscard]] std::int64_t beginNs() const { return m_beginNs; }
    [[nodiscard]] std::int64_t endNs() const { return m_endNs; }
    [[nodiscard]] bool knowsTime() const { return m_earlierNs >= 0; }
    /// NotMeasured if the time of earlier steps is not known.
    [[nodiscard]] double secondsAt(std::int64_t ns) const;

private:
    struct Pause {
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0; ///< 0: not over yet
    };

    struct Hold {
        std::int64_t step = 0;
        std::int64_t beginNs = 0;
        std::int64_t endNs = 0; ///< 0: not over yet
        std::int64_t heldNs = 0; ///< together with all holds before; once it is over
    };

    std::int64_t m_earlierNs = 0;
    std::int64_t m_beginNs = 0; ///< of the first step here
    std::int64_t m_endNs = 0;
    std::vector<Pause> m_pauses;
    std::vector<Hold> m_holds; ///< ascending
    std::size_t m_holdsOver = 0;
};

} // namespace lockstep::analysis
