// One run, built from its Deltas, whose times are on rank 0's clock: summary, curves, interventions, the state of its
// ranks. Collector, import, reader and the window's feed add the same Deltas and get the same run, however the Deltas
// are cut.
#pragma once

#include "analysis/findings/staleness.h"
#include "analysis/timing/rank_clocks.h"
#include "analysis/timing/rank_summary.h"
#include "analysis/timing/slowed_stretches.h"
#include "analysis/timing/summary.h"
#include "store/account/delta.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::store {

/// A control command that the ranks applied.
struct Intervention {
    std::int64_t step = 0;
    double seconds = 0.0; ///< as in a Curve; 0 before the first step
    wire::Command command = wire::Command::Pause;
    std::int32_t rank = -1;
    double value = 0.0;
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC, as spans have it
};

/// What is said of a run that had taken all its steps when `why` ended it.
[[nodiscard]] Text measuredLess(const Text& why);

class RunAccount {
public:
    /// Leave: memory does not grow with the steps. Loss: that curve alone, until it is taken.
    enum class Curves : std::uint8_t { Keep, Leave, Loss };
    explicit RunAccount(Curves curves = Curves::Keep);

    /// Before the first step: blocks of own steps hold whole periods of what the run does. Without it: of one step.
    void setSpec(const experiment::RunSpec& spec) { m_spec = spec; }
    void add(const Delta& delta);

    [[nodiscard]] analysis::Summary summary() const;
    /// Every rank has held after the run's last step, evaluation and checkpoint: what follows only measures it. Known
    /// of runs of lockstep-rank that take turns.
    [[nodiscard]] bool areOwnStepsDone() const;
    [[nodiscard]] const analysis::Curve& loss() const { return m_loss; }
    /// The steps since the last call, which it forgets.
    [[nodiscard]] analysis::Curve takeLoss() { return std::exchange(m_loss, {}); }
    struct Evaluated {
        analysis::Curve accuracy;
        analysis::Curve testLoss; ///< mean on the test set
        analysis::Curve trainLoss; ///< mean on the first samples of the training set, where that was measured
    };
    [[nodiscard]] const Evaluated& evaluated() const { return m_evaluated; }
    /// Each rank's loss on its own samples: one point an evaluation interval, the mean over the interval's steps.
    [[nodiscard]] std::map<std::int32_t, analysis::Curve> ownLosses() const;
    /// What a user's own program reports, by name: of the lowest rank that reports that name.
    [[nodiscard]] const std::map<std::string, analysis::Curve>& metrics() const { return m_metrics; }
    [[nodiscard]] const std::vector<Intervention>& interventions() const { return m_interventions; }
    /// The newest change of each rank that has said hello or changed.
    [[nodiscard]] const std::map<std::int32_t, RankChange>& ranks() const { return m_ranks; }
    /// The run's last status; empty before its first change. Only another end can follow an end.
    [[nodiscard]] const std::optional<StatusChange>& status() const { return m_status; }
    /// Of rank 0, or of the first rank that is ready.
    [[nodiscard]] const wire::Prepared& facts() const { return m_facts; }
    [[nodiscard]] const analysis::RunClock& clock() const { return m_summary.clock(); }
    /// Of the hosts whose clocks are not rank 0's.
    [[nodiscard]] std::vector<analysis::HostClock> clocks() const;
    [[nodiscard]] const analysis::RankSummaryBuilder& rankSums() const { return m_rankSums; }

    /// Curves, ranks, staleness, shares, machines, measurements, and what was changed by hand.
    void fill(analysis::RunRecord& record) const;
    /// Staleness, shares, measurements, blocks and stretches alone.
    void fillResults(analysis::RunRecord& record) const;

private:
    void addFacts(const Delta& delta);
    void addHeld(std::int32_t rank, const wire::Held& held);
    void addApplied(const wire::Applied& applied);
    void addRow(std::int32_t rank, const StepRow& row);
    void addResults(const Delta& delta);
    void addMetrics(std::int32_t rank, const wire::MetricBatch& batch);
    void addChanges(const Delta& delta);
    void makeRoom();
    void placeInTime();
    [[nodiscard]] double secondsAt(std::int64_t timeNs) const;
    void append(
        analysis::Curve& curve, std::int64_t step, std::int64_t samples, std::int64_t endNs, double value) const;

    Curves m_curves;
    std::optional<experiment::RunSpec> m_spec;
    std::int32_t m_worldSize = 1;
    wire::Prepared m_facts;
    bool m_hasFacts = false;
    analysis::SummaryBuilder m_summary;
    analysis::RankSummaryBuilder m_rankSums;
    analysis::SlowedStretchesBuilder m_stretches;
    analysis::MachineFiguresBuilder m_machines;
    analysis::Interference m_interference;
    analysis::Curve m_loss;
    std::int64_t m_storedSteps = 0; ///< of m_loss, that came before their rows
    Evaluated m_evaluated;
    /// Values come before their times are known, as evaluations do.
    struct OwnMetric {
        std::int32_t rank = 0;
        std::vector<wire::MetricRow> rows;
    };
    std::map<std::string, OwnMetric> m_ownMetrics;
    std::map<std::string, analysis::Curve> m_metrics;
    std::vector<wire::Evaluation> m_evaluations; ///< of m_evaluated
    analysis::OwnLosses m_ownLosses;
    std::vector<Intervention> m_interventions;
    std::optional<std::int64_t>
        m_placedFromNs; ///< the first step's begin as evaluations and interventions were placed by it
    std::map<std::int32_t, RankChange> m_ranks;
    std::optional<StatusChange> m_status;
    analysis::StalenessBuilder m_staleness;
    std::vector<analysis::RankShare> m_shares;
    std::vector<analysis::CollectiveMeasurement> m_measurements;
    analysis::RankClocks m_clocks;
    std::set<std::int32_t> m_heldAtEnd; ///< ranks, after the run's last step
    std::map<std::int32_t, std::string> m_hosts;
};

} // namespace lockstep::store
