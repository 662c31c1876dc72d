// What a RunFeed keeps, for its two source files only.
#pragma once

#include "analysis/rank_summary.h"
#include "analysis/step_curve.h"
#include "analysis/summary.h"
#include "ui/models/ring_model.h"
#include "ui/models/run_feed.h"
#include "ui/models/timeline_model.h"

#include <deque>
#include <map>

namespace lockstep::ui {

class RunFeed::Private {
public:
    /// Sums over one batch of rows; the last second of them makes a rank's card.
    struct Recent {
        std::int64_t endNs = 0;
        std::int64_t steps = 0;
        std::int64_t wallNs = 0;
        std::array<std::int64_t, PhaseCount> phaseNs{};
    };
    struct Speed {
        std::int64_t endNs = 0;
        std::int64_t step = 0;
    };

    void take(const session::Delta& delta);
    /// True if the record has changed.
    bool takeStatuses(const session::Delta& delta);
    void takeSteps(std::int32_t rank, const wire::StepBatch& batch);
    void takeRow(std::int32_t rank, const wire::StepBatch& batch, std::size_t row);
    void takeEvaluations(const session::Delta& delta);
    void takeApplied(const session::Delta& delta);
    void takeRanks(const session::Delta& delta);
    void takeMemory(const session::Delta& delta);
    void makeRoom();
    RankCard& card(std::int32_t rank);
    void refreshCards();
    void refreshSpeed();
    [[nodiscard]] double epochAt(std::int64_t samples) const
    {
        return static_cast<double>(samples) / static_cast<double>(std::max<std::int64_t>(1, facts.trainSamples));
    }

    analysis::RunRecord record;
    std::unique_ptr<session::DeltaSource> source;
    QColor color;
    bool isVisible = true;
    int worldSize = 1;
    wire::Prepared facts;
    LossColumns loss;
    analysis::Curve accuracy;
    std::vector<RankCard> cards; ///< by rank
    std::vector<Intervention> interventions;
    TimelineModel timeline;
    RingModel ring;
    analysis::StepLosses losses{1};
    std::map<std::int32_t, std::deque<Recent>> recent;
    std::deque<Speed> speed;
    std::array<std::int64_t, PhaseCount> phaseNs{};
    std::int64_t rows = 0;
    analysis::RunClock clock;
    analysis::RankSummaryBuilder rankSums;
    std::unique_ptr<analysis::SummaryBuilder> summary;
    std::vector<analysis::RankMemory> memory; ///< by rank, so far
    std::vector<analysis::Machine> machines;
    std::vector<analysis::MachineSample> machineSamples;
    std::map<std::int32_t, std::string> hosts; ///< by rank
    std::map<std::int32_t, std::int64_t> cores; ///< by rank, of its host
};

} // namespace lockstep::ui
