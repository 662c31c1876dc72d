// What the Deltas of one run say: its account, the cards of its ranks, its timeline and the messages of its
// all-reduces. Live, Delta by Delta in the window's thread; of a stored run all at once in the thread that reads it.
#pragma once

#include "store/account/run_account.h"
#include "ui/models/feeds/rank_cards.h"
#include "ui/models/feeds/ring_model.h"
#include "ui/models/feeds/timeline_model.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace lockstep::ui {

/// The run's speed: steps of the last seconds, phases of the whole run.
class Pace {
public:
    /// `account` has `delta` already.
    void take(const store::Delta& delta, const store::RunAccount& account);
    [[nodiscard]] double secondsLeft(std::int64_t totalSteps) const;
    [[nodiscard]] std::array<double, PhaseCount> phaseMsPerStep() const;

private:
    struct Mark {
        std::int64_t endNs = 0;
        std::int64_t step = 0;
    };
    std::deque<Mark> m_marks;
    std::array<std::int64_t, PhaseCount> m_phaseNs{};
    std::int64_t m_rows = 0;
    bool m_isWaitKnown = true;
};

/// When a run that takes turns waited: from the end of a block until the next step of rank 0 begins.
class HoldTimes {
public:
    void take(const store::Delta& delta);
    [[nodiscard]] bool areNone() const { return m_holds.empty(); }
    /// How long it waited from one time to another.
    [[nodiscard]] std::int64_t heldNs(std::int64_t fromNs, std::int64_t untilNs) const;

private:
    struct Hold {
        std::int64_t fromNs = 0;
        std::int64_t untilNs = 0;
    };

    void end(std::int64_t beginNs);

    std::vector<Hold> m_holds; ///< in the order of time
};

struct RunState : store::DeltaSink {
    explicit RunState(const analysis::RunRecord& record);
    void add(const store::Delta& delta) override;

    store::RunAccount account;
    wire::Hello hello; ///< of rank 0
    RankCards cards;
    Pace pace;
    TimelineModel timeline;
    RingModel ring;
    HoldTimes holds;
    std::vector<analysis::Machine> machines;
    std::vector<analysis::MachineSample> machineSamples;
};

} // namespace lockstep::ui
