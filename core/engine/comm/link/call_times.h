// The times of one group's calls: when this rank entered each, and until when it waited for others.
//
// Waiting, for any backend: in a collective, until the last rank of the group has entered it; in a receive, until the
// sender has entered its send; in a send that blocks until then, until the receiver has entered its receive. Messages
// within a collective are part of it. Only groups of two match sends with receives: there each rank has one partner.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/link/arrivals.h"
#include "engine/comm/link/group_calls.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::comm {

class CallTimes final : public CallListener {
public:
    CallTimes(int rank, int size);

    /// Measures waiting separately from the next call on. Every rank calls it, with a table for as many ranks as this
    /// group has.
    void measureWaiting(std::shared_ptr<Arrivals> arrivals);
    [[nodiscard]] bool measuresWaiting() const { return m_arrivals != nullptr; }
    /// For a group that is split off: the first number that this rank has free in the table.
    [[nodiscard]] int nextGroup() const { return *m_groups; }
    /// Measures waiting in `group`, whose ranks have the numbers `members` in this group and agree on `number`; records
    /// it.
    void passOn(CallTimes& group, const std::vector<int>& members, int number) const;

    /// Receives the times of calls that have returned, on the caller's thread; empty for none.
    using Timer = std::function<void(const OperationTimes&)>;
    void setTimer(Timer timer) { m_timer = std::move(timer); }
    void report(const OperationTimes& times) const;

    /// From the next call on, here and in groups that are split off later, calls are recorded.
    void record(std::shared_ptr<RankCalls> calls);
    [[nodiscard]] GroupCalls& recorded() { return m_recorded; }

    [[nodiscard]] Result<void> entering(const Operation& operation) override;
    [[nodiscard]] std::unique_ptr<Work> started(std::unique_ptr<Work> work) override;
    void leaving(const OperationTimes& times) override;
    /// The calls from here to endComposed() are one collective, `what`, and none that was started is left.
    [[nodiscard]] Result<void> beginComposed(Call what, std::int64_t bytes);
    void endComposed(bool isDone);
    /// An operation has been carried out, on the thread that does so.
    void carriedOut();

    /// Whether waiting in the operation is measured.
    [[nodiscard]] bool isMeasured(const Operation& operation) const;
    /// When the last rank entered the first operation of its kind that has not been asked for yet, by now. On the
    /// thread that carries operations out, after the operation.
    [[nodiscard]] std::int64_t lastArrivalOf(const Operation& operation);

private:
    struct Calls {
        std::int64_t entered = 0;
        std::int64_t left = 0; ///< operations end in the order in which they were entered
    };

    /// Numbers the call and stamps it.
    void enter(Arrivals::Kind kind);
    [[nodiscard]] std::int64_t lastArrivalOf(Arrivals::Kind kind);

    int m_rank;
    int m_size;
    std::shared_ptr<Arrivals> m_arrivals; ///< null: waiting is not measured
    int m_group = 0; ///< in the table
    std::vector<int> m_members; ///< this group's ranks in the table
    std::shared_ptr<int> m_groups; ///< of this rank so far, over all groups
    std::array<Calls, Arrivals::Kinds> m_calls{};
    std::atomic<bool> m_isComposing = false;
    std::int64_t m_enteredNs = 0; ///< the latest call
    std::int64_t m_composedNs = 0;
    std::int64_t m_composedBetweenNs = 0;
    std::int64_t m_composedPlace = 0; ///< in the record
    GroupCalls m_recorded;
    Timer m_timer;
};

} // namespace lockstep::comm
