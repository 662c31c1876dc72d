// Wraps a communicator: counts bytes, reports messages to a listener, separates waiting from transferring
// (call_times.h) and emulates links. While any rank has a link, the backend's own collectives run as composed ones
// (algorithms/composed.h), since a link acts on messages.
#pragma once

#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/communicator.h"
#include "engine/comm/link/call_times.h"
#include "engine/comm/link/link.h"

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockstep::comm {

/// One send, receive or both at once.
struct MessageEvent {
    int to = -1;
    int from = -1;
    std::size_t bytes = 0; ///< sent, or else received
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

class WatchedCommunicator final : public Communicator {
public:
    explicit WatchedCommunicator(std::unique_ptr<Communicator> inner);
    ~WatchedCommunicator() override;

    [[nodiscard]] std::string_view backend() const override { return m_inner->backend(); }
    /// The group inherits the links of its ranks, not the listener.
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;

    [[nodiscard]] Result<std::shared_ptr<SharedArray>> share(std::size_t bytes, Space space = Space::Host) override
    {
        return m_inner->share(bytes, space);
    }
    [[nodiscard]] const std::shared_ptr<Memory>& memory(Space space) const override { return m_inner->memory(space); }
    [[nodiscard]] std::shared_ptr<Device> queueingDevice() const override { return m_inner->queueingDevice(); }
    void setTimeout(std::chrono::milliseconds timeout) override { m_inner->setTimeout(timeout); }
    [[nodiscard]] Result<void> checkPeers() override { return m_inner->checkPeers(); }
    [[nodiscard]] Text deadPeer() override { return m_inner->deadPeer(); }
    void abort() override { m_inner->abort(); }

    /// Every rank must set the same links between the same two operations.
    void setLink(int rank, const Link& link);
    [[nodiscard]] Link link(int rank) const;
    [[nodiscard]] bool hasLinks() const { return m_hasLinks; }
    /// For groups whose ranks do not change their links between the same two messages: every message then says when it
    /// can be read, whether a link is set or not. Every rank calls it, before the first message.
    void alwaysSendTimes() { m_sendsTimes = true; }

    /// Called on the thread that carries the operation out; empty for none.
    void setListener(std::function<void(const MessageEvent&)> listener) { m_listener = std::move(listener); }

    /// From the next call on, lastArrivalNs of an operation's times is known, here and in groups split off later. Every
    /// rank calls it, with a table for as many ranks as this group has.
    void measureWaiting(std::shared_ptr<Arrivals> arrivals) { m_times.measureWaiting(std::move(arrivals)); }
    /// Receives the times of operations that run() has carried out, on the caller's thread; empty for none.
    using Timer = CallTimes::Timer;
    void setTimer(Timer timer) { m_times.setTimer(std::move(timer)); }
    /// Passes the times of a started operation to the timer.
    void report(const OperationTimes& times) const { m_times.report(times); }
    /// Records this rank's calls from the next one on, here and in groups split off later. Call it after
    /// measureWaiting().
    void record(std::shared_ptr<RankCalls> calls) { m_times.record(std::move(calls)); }
    /// For messages that no operation carries.
    [[nodiscard]] GroupCalls& recorded() { return m_times.recorded(); }
    /// Carries out a collective, `what`, that is composed of other operations of this group: they wait as one. `body`
    /// returns once all of them are done.
    template <typename Body>
    [[nodiscard]] Result<void> asOneCollective(Call what, std::size_t bytes, Body&& body)
    {
        LOCKSTEP_TRY(m_times.beginComposed(what, static_cast<std::int64_t>(bytes)));
        auto done = std::forward<Body>(body)();
        m_times.endComposed(done.isOk());
        return done;
    }

    /// Bytes sent since the last call, by all operations or by those of one kind.
    std::size_t takeBytesSent(std::optional<Collective> by = {});

protected:
    Result<void> execute(const Operation& operation, OperationTimes& times) override;
    [[nodiscard]] Result<void> synchronize() override { return m_inner->finish(); }

private:
    Result<void> carryOut(const Operation& operation);
    Result<void> exchange(const Operation& operation);
    /// Gives a group that was split off the links of its ranks and a number in the table.
    Result<void> passOn(WatchedCommunicator& group);
    /// Gives when the sleeping ends that the operation's links ask for.
    Result<std::int64_t> exchangeOverLinks(const Operation& operation, const Link& out, const Link& in);
    /// Sends when our message can be read and receives when theirs can; 0 without one.
    Result<std::int64_t> exchangeTimes(
        const Operation& operation, const Link& out, const Link& in, std::int64_t readable);

    std::unique_ptr<Communicator> m_inner;
    std::vector<Link> m_links;
    std::atomic<bool> m_hasLinks = false;
    bool m_sendsTimes = false; ///< also without a link
    mutable std::mutex m_linksMutex; ///< they change while a server's threads use them
    std::shared_ptr<Ports> m_ports = std::make_shared<Ports>();
    Collective m_underWay = Collective::SendReceive; ///< also of what is composed of messages
    std::array<std::size_t, CollectiveCount> m_bytesSent{}; ///< by Collective
    std::function<void(const MessageEvent&)> m_listener;
    Scratch m_scratch;
    CallTimes m_times;
};

} // namespace lockstep::comm
