// Makes what the ranks of one run send, by the model in truth_stores.h. Private to the stores.
#pragma once

#include "core/truth/truth_stores.h"

#include "base/random.h"
#include "plan/steps.h"

#include <array>
#include <cmath>
#include <limits>

namespace lockstep::tests {

inline constexpr std::int64_t Second = 1'000'000'000;
inline constexpr std::int64_t SlotNs = 20 * Second; ///< from one block, or run, to the next
inline constexpr std::int64_t FirstWallSeconds = 1'795'000'000;

/// By Quantity.
struct RunModel {
    std::array<double, QuantityCount> values{
        0.05, 6.0, 0.02, 0.02, 0.97, 1.0, 1.0, 1.0, 0.01, 0.0, std::numeric_limits<double>::infinity(), -1.0, 0.0};

    [[nodiscard]] double operator[](Quantity what) const { return values[static_cast<std::size_t>(what)]; }
};

/// Whether the row lets this happen to the run.
[[nodiscard]] bool happens(const TruthRow& row, const experiment::RunSpec& spec, Event event);

/// Makes the rows of one run's ranks.
class RunMaker {
public:
    RunMaker(
        const TruthRow& row, const experiment::RunSpec& spec, Seed seed, std::int64_t startNs, std::int64_t roundNs);

    [[nodiscard]] store::Delta made(const RunId& id);
    [[nodiscard]] analysis::RunStatus status() const { return m_status; }
    [[nodiscard]] const std::string& why() const { return m_why; }

private:
    void addGreeting(const RunId& id);
    void addMachine();
    void addShares();
    void addMeasurements();
    void addMemory();
    void addSteps();
    void addStep(std::int64_t step);
    void addRow(std::int64_t step, int rank, double ownNs, double slowestNs, double commNs);
    void addSpans(const StepRow& row, int rank);
    void addEvaluation(std::int64_t step);
    void hold(std::int64_t step);
    void changeByHand(std::int64_t step);
    void end(analysis::RunStatus status, std::string why);
    [[nodiscard]] double hiddenShare() const;
    [[nodiscard]] double bytesOfStep() const;
    [[nodiscard]] double messagesOfStep() const;
    [[nodiscard]] double firstLoss() const;
    [[nodiscard]] double lossAt(std::int64_t step);
    [[nodiscard]] double batchOf(int rank, std::int64_t samples) const;
    [[nodiscard]] double noise(double deviation) { return std::exp(deviation * m_random.normal()); }

    const TruthRow& m_row;
    const experiment::RunSpec& m_spec;
    RunModel m_model;
    Random m_random;
    int m_ranks;
    int m_stages; ///< of a pipeline; 1: none
    std::int64_t m_trainSamples;
    plan::StepPlan m_plan;
    double m_floor;
    double m_rate;
    double m_pace = 1.0; ///< factor of times, of the run or block
    double m_loss = 0.0;
    std::int64_t m_nowNs;
    std::int64_t m_startNs;
    std::int64_t m_roundNs; ///< from a block to the next of the same run
    std::int64_t m_samples = 0; ///< seen by all ranks
    std::int64_t m_blockSamples = 0;
    std::vector<std::int64_t> m_blockWallNs; ///< of each rank's counted steps
    std::int64_t m_blockStartNs = 0;
    analysis::RunStatus m_status = analysis::RunStatus::Finished;
    std::string m_why;
    store::Delta m_delta;
};

} // namespace lockstep::tests
