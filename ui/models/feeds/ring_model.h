// The all-reduce of one run as it really happened, along a ring, a tree, by halving and doubling or over a parameter
// server: the messages of each recorded step, in the order of their ends, and the picture at any point between them.
// Bounded: the newest recorded steps are kept. GUI thread only.
#pragma once

#include "experiment/spec.h"
#include "plan/all_reduce_moves.h"
#include "store/account/delta.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockstep::ui {

/// One move of one rank: it sent, received, or both.
struct RingEvent {
    std::int32_t rank = 0;
    int number = 0; ///< among this rank's moves of the step
    std::int64_t bytes = 0;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

/// The beginning or the end of a move; a move that only receives has no beginning here.
struct RingInstant {
    std::size_t event = 0;
    bool isEnd = false;
};

/// A message in transit.
struct RingFlight {
    std::int32_t from = 0;
    std::int32_t to = 0;
    plan::ChunkRange chunks;
    std::int64_t bytes = 0;
    double progress = 0.0; ///< 0 .. 1
};

/// The ranks at one place of a step.
struct RingPicture {
    std::shared_ptr<const plan::AllReduceMoves> moves;
    std::vector<int> done; ///< moves behind each rank
    std::vector<int> contributions; ///< ranks x chunks, row by row: whose values are summed in a rank's chunk
    std::vector<RingFlight> flights;

    [[nodiscard]] int at(int rank, int chunk) const
    {
        return contributions[static_cast<std::size_t>(rank * moves->chunks + chunk)];
    }
    [[nodiscard]] int ranks() const { return static_cast<int>(done.size()); }
    [[nodiscard]] int movesOf(int rank) const
    {
        return static_cast<int>(moves->byRank[static_cast<std::size_t>(rank)].size());
    }
    /// Some rank has still to add what it receives.
    [[nodiscard]] bool isReducing() const;
};

class RingStep {
public:
    RingStep() = default;
    explicit RingStep(std::shared_ptr<const plan::AllReduceMoves> moves);

    /// False if there is no such move, or it is known already. Call order() after the last one.
    bool add(const RingEvent& event);
    void order();

    [[nodiscard]] int ranks() const { return static_cast<int>(m_exchanges.size()); }
    [[nodiscard]] const plan::AllReduceMove& moveOf(const RingEvent& event) const;
    /// Of all ranks.
    [[nodiscard]] int messages() const;
    [[nodiscard]] const std::vector<RingEvent>& events() const { return m_events; } ///< by end
    [[nodiscard]] const std::vector<RingInstant>& instants() const { return m_instants; } ///< by time
    [[nodiscard]] std::int64_t timeOf(const RingInstant& instant) const;
    [[nodiscard]] bool isComplete() const;
    /// The ranks that the others wait for: those whose next move lacks nothing. Empty when the step is complete.
    [[nodiscard]] std::vector<int> waitedFor() const;
    /// `place` counts instants: 3.5 is half way from the third to the fourth.
    [[nodiscard]] RingPicture pictureAt(double place) const;

private:
    [[nodiscard]] bool isWaiting(int rank) const;

    std::shared_ptr<const plan::AllReduceMoves> m_moves = std::make_shared<plan::AllReduceMoves>();
    std::vector<RingEvent> m_events;
    std::vector<RingInstant> m_instants;
    std::vector<int> m_exchanges; ///< by rank
    std::vector<std::vector<bool>> m_isThere; ///< by rank, its moves
};

/// The algorithm with which a run's ranks sum their gradients, as `aggregation.algorithm` names it; empty: they do not,
/// or its messages have no known order.
[[nodiscard]] std::string allReduceOf(const experiment::RunSpec& run);

class RingModel {
public:
    static constexpr std::size_t MaximumSteps = 256;
    /// With many ranks a step has thousands of messages: then fewer steps are kept.
    static constexpr std::size_t MaximumEvents = 500'000;

    /// The algorithm as `aggregation.algorithm` names it; one without messages that are known shows nothing.
    explicit RingModel(std::string algorithm = "ring", std::size_t maximumSteps = MaximumSteps);

    void take(const store::Delta& delta);

    /// As the ranks reported; 1 until then.
    [[nodiscard]] int ranks() const { return m_ranks; }
    /// The recorded steps that are kept, by number.
    [[nodiscard]] const std::map<std::int64_t, RingStep>& steps() const { return m_steps; }
    /// Messages that the ranks could not send under load.
    [[nodiscard]] std::int64_t dropped() const { return m_dropped; }

private:
    void add(std::int32_t rank, const wire::TrafficBatch& batch, std::set<std::int64_t>& touched);
    [[nodiscard]] std::size_t mostSteps() const;

    std::string m_algorithm;
    std::size_t m_maximum;
    std::shared_ptr<const plan::AllReduceMoves> m_moves = std::make_shared<plan::AllReduceMoves>();
    int m_ranks = 1;
    std::map<std::int64_t, RingStep> m_steps;
    std::int64_t m_dropped = 0;
};

} // namespace lockstep::ui
