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

struct RunState : store::DeltaSink {
    explicit RunState(const analysis::RunRecord& record);
    void add(const store::Delta& delta) override;

    store::RunAccount account;
    wire::Hello hello; ///< of rank 0
    RankCards cards;
    Pace pace;
    TimelineModel timeline;
    RingModel ring;
    std::vector<analysis::Machine> machines;
    std::vector<analysis::MachineSample> machineSamples;
};

} // namespace lockstep::ui
