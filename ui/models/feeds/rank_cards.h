// The ranks of a run as their cards show them: state, last step, and means over the last second. GUI thread only.
#pragma once

#include "store/account/run_account.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace lockstep::ui {

struct RankCard {
    std::int32_t rank = 0;
    store::RankState state = store::RankState::Starting;
    std::int64_t step = 0;
    double loss = analysis::NotMeasured;
    double msPerStep = analysis::NotMeasured; ///< mean over the last second
    std::int64_t residentBytes = 0;
    std::int64_t deviceBytes = 0;
    std::string message;
    std::array<double, PhaseCount> phaseShare{}; ///< of the last second, sums to at most 1
    std::int64_t heardNs = 0; ///< when it last reported its memory, which it does even while it waits
};

class RankCards {
public:
    /// `account` has `delta` already.
    void take(const store::Delta& delta, const store::RunAccount& account);
    /// The run has ended: ranks that did not say so have stopped.
    void end();
    [[nodiscard]] const std::vector<RankCard>& cards() const { return m_cards; }

private:
    /// Sums over one batch of rows; the last second of them makes a card.
    struct Sums {
        std::int64_t endNs = 0;
        std::int64_t steps = 0;
        std::int64_t wallNs = 0;
        std::array<std::int64_t, PhaseCount> phaseNs{};

        void add(const Sums& other);
    };

    RankCard& card(std::int32_t rank);
    void takeSteps(std::int32_t rank, const wire::StepBatch& batch);
    void refresh();

    std::vector<RankCard> m_cards; ///< by rank
    std::map<std::int32_t, std::deque<Sums>> m_recent;
};

} // namespace lockstep::ui
