// The ring all-reduce of one run as it really happened: the messages of each recorded step, in the order of their ends,
// and the picture at any point between them. Bounded: the newest recorded steps are kept. GUI thread only.
#pragma once

#include "plan/ring.h"
#include "session/delta.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace lockstep::ui {

/// One exchange of one rank: it sent to the next rank and received from the previous one.
struct RingEvent {
    std::int32_t rank = 0;
    int number = 0; ///< among this rank's exchanges of the step
    std::int64_t bytes = 0;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

/// The beginning or the end of an exchange.
struct RingInstant {
    std::size_t event = 0;
    bool isEnd = false;
};

/// A message in transit.
struct RingFlight {
    std::int32_t from = 0;
    std::int32_t to = 0;
    int chunk = 0;
    plan::RingMove::Phase phase = plan::RingMove::Phase::ScatterReduce;
    std::int64_t bytes = 0;
    double progress = 0.0; ///< 0 .. 1
};

/// The ring at one place of a step.
struct RingPicture {
    std::vector<int> done; ///< exchanges behind each rank
    std::vector<int> contributions; ///< ranks x chunks, row by row: whose values are summed in a rank's chunk
    std::vector<RingFlight> flights;

    [[nodiscard]] int at(int rank, int chunk) const
    {
        return contributions[static_cast<std::size_t>(rank) * done.size() + static_cast<std::size_t>(chunk)];
    }
};

class RingStep {
public:
    RingStep() = default;
    explicit RingStep(int ranks);

    /// False if it is not an exchange of this ring, or is known already. Call order() after the last one.
    bool add(const RingEvent& event);
    void order();

    [[nodiscard]] int ranks() const { return static_cast<int>(m_exchanges.size()); }
    /// Of one rank.
    [[nodiscard]] int exchanges() const { return plan::ringExchanges(ranks()); }
    [[nodiscard]] const std::vector<RingEvent>& events() const { return m_events; } ///< by end
    [[nodiscard]] const std::vector<RingInstant>& instants() const { return m_instants; } ///< by time
    [[nodiscard]] std::int64_t timeOf(const RingInstant& instant) const;
    /// Exchanges that have come from this rank.
    [[nodiscard]] int exchangesOf(int rank) const { return m_exchanges.at(static_cast<std::size_t>(rank)); }
    [[nodiscard]] bool isComplete() const;
    /// The ranks that the others wait for: those furthest behind although their inputs have been sent. Empty when the
    /// step is complete, or when no rank is behind.
    [[nodiscard]] std::vector<int> waitedFor() const;
    /// `place` counts instants: 3.5 is half way from the third to the fourth.
    [[nodiscard]] RingPicture pictureAt(double place) const;

private:
    std::vector<RingEvent> m_events;
    std::vector<RingInstant> m_instants;
    std::vector<int> m_exchanges; ///< by rank
    std::vector<bool> m_isThere; ///< ranks x exchanges
};

class RingModel {
public:
    static constexpr std::size_t MaximumSteps = 256;
    /// With many ranks a step has thousands of messages: then fewer steps are kept.
    static constexpr std::size_t MaximumEvents = 500'000;

    explicit RingModel(std::size_t maximumSteps = MaximumSteps);

    void take(const session::Delta& delta);

    /// As the ranks reported; 1 until then.
    [[nodiscard]] int ranks() const { return m_ranks; }
    /// The recorded steps that are kept, by number.
    [[nodiscard]] const std::map<std::int64_t, RingStep>& steps() const { return m_steps; }
    /// Messages that the ranks could not send under load.
    [[nodiscard]] std::int64_t dropped() const { return m_dropped; }

private:
    void add(std::int32_t rank, const wire::TrafficBatch& batch, std::set<std::int64_t>& touched);
    [[nodiscard]] std::size_t mostSteps() const;

    std::size_t m_maximum;
    int m_ranks = 1;
    std::map<std::int64_t, RingStep> m_steps;
    std::int64_t m_dropped = 0;
};

} // namespace lockstep::ui
