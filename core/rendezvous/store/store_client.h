// A rank's connection to the store of its run. Its own thread sends heartbeats and receives which ranks are lost; the
// other calls may come from any thread.
#pragma once

#include "base/clock_offset.h"
#include "base/result.h"
#include "rendezvous/store/loss_listeners.h"
#include "rendezvous/store/membership.h"
#include "rendezvous/store/other_ranks.h"
#include "rendezvous/store/requests.h"
#include "rendezvous/store/socket.h"
#include "rendezvous/store/store_messages.h"
#include "wire/secret.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep::rendezvous {

class StoreClient {
public:
    using Clock = SocketClock;
    /// On the client's thread, in the order in which rank 0 published.
    using OnPublished = std::function<void(const std::string& bytes)>;
    /// `waiting for ranks 2, 3 of 4 (12 s)`
    using OnWaiting = std::function<void(const std::string& text)>;

    /// Both sides prove that they have the secret. An error says what answers there, or that nothing does.
    [[nodiscard]] static Result<std::unique_ptr<StoreClient>> connect(
        const std::string& host, std::uint16_t port, const wire::Secret& secret, Clock::time_point deadline);
    /// Leaves.
    ~StoreClient();
    StoreClient(const StoreClient&) = delete;
    StoreClient& operator=(const StoreClient&) = delete;

    /// This end's address: that of the interface by which the store is reached.
    [[nodiscard]] const std::string& address() const { return m_address; }
    /// Returns once all ranks have joined. Names those that are missing while it waits, and at the time-out.
    [[nodiscard]] Result<std::vector<Member>> join(
        const Member& self, Clock::time_point deadline, const OnWaiting& onWaiting, OnPublished onPublished);

    [[nodiscard]] Result<void> set(const std::string& key, const std::string& value);
    /// Waits until the key is there.
    [[nodiscard]] Result<std::string> get(const std::string& key, std::chrono::milliseconds limit);
    [[nodiscard]] Result<std::int64_t> add(const std::string& key, std::int64_t amount);
    [[nodiscard]] Result<std::string> compareSet(
        const std::string& key, const std::string& expected, const std::string& desired);
    [[nodiscard]] Result<bool> erase(const std::string& key);
    [[nodiscard]] Result<bool> hasAll(const std::vector<std::string>& keys);
    [[nodiscard]] Result<std::int64_t> count();
    [[nodiscard]] Result<void> wait(const std::vector<std::string>& keys, std::chrono::milliseconds limit);

    /// Returns once every rank has received it.
    [[nodiscard]] Result<void> publish(const std::string& bytes);

    struct ClockTrip {
        RoundTrip trip{};
        std::string clock{}; ///< Member::clock() of the rank that serves the store
    };
    /// Asks for the store's clock.
    [[nodiscard]] Result<ClockTrip> readClock();

    /// This rank has begun another call that all ranks make.
    void beginCall() { ++m_calls; }
    /// The rank that can never come again, and why; empty if there is none. Prefers one that was lost to one that left,
    /// and among equals `partner`.
    [[nodiscard]] Text deadPeers(std::int32_t partner) const;
    /// `here: 0, 1; missing: 2`, from the last heartbeats.
    [[nodiscard]] Text whoIsMissing() const;
    /// Whether a rank has left this rank's call unfinished while another has not begun it.
    [[nodiscard]] bool hasLeftForMissing() const;
    /// A rank was lost, other than by leaving in order.
    [[nodiscard]] bool hasLost() const { return m_hasLost; }
    /// Called on the client's thread when a rank is lost.
    [[nodiscard]] LossListeners& losses() { return m_losses; }

private:
    StoreClient(Socket socket, std::string host);

    void serve();
    void handle(const std::string& frame);
    void handleMembers(StoreKind kind, PacketReader& reader);
    void beatIfDue();
    void lose(const Text& reason);
    [[nodiscard]] bool write(const std::string& bytes);
    using Body = std::function<void(PacketWriter&)>;
    /// Sends a request and waits for its reply; one that is not done has none.
    [[nodiscard]] Requests::Reply exchange(StoreKind kind, const Body& body, std::chrono::milliseconds limit);
    /// The same; an error says why there is no reply.
    [[nodiscard]] Result<std::string> ask(
        StoreKind kind, const Body& body, std::chrono::milliseconds limit = std::chrono::seconds(30));
    [[nodiscard]] Error whyNone(const Requests::Reply& reply, std::chrono::milliseconds limit) const;

    Socket m_socket;
    std::string m_host; ///< of the store, for messages
    std::string m_address;
    std::string m_in;
    OnPublished m_onPublished;
    LossListeners m_losses;
    std::mutex m_writing;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    Requests m_open;
    std::optional<std::vector<Member>> m_members;
    std::vector<std::int32_t> m_missing;
    std::int32_t m_size = 0;
    OtherRanks m_others;
    Text m_refusal;
    Text m_failure; ///< the store is lost
    std::atomic<std::uint64_t> m_calls = 0;
    std::atomic<bool> m_hasLost = false;
    std::atomic<bool> m_isJoined = false;
    std::atomic<bool> m_isEnding = false;
    std::int64_t m_receivedNs = 0; ///< the client's thread: when it has read what it handles now
    Clock::time_point m_lastSent{};
    Clock::time_point m_lastHeard{};
    std::thread m_thread;
};

} // namespace lockstep::rendezvous
