// The thread of the store: reads from all connections, answers, and looks after the members. Private to StoreServer.
#pragma once

#include "rendezvous/store/key_table.h"
#include "rendezvous/store/socket.h"
#include "rendezvous/store/store_connection.h"
#include "rendezvous/store/store_messages.h"
#include "rendezvous/store/store_server.h"

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lockstep::rendezvous {

class StoreLoop {
public:
    using Clock = StoreServer::Clock;
    StoreLoop(Socket listener, Socket wake, const Member& self, const wire::Secret& secret, Clock clock);

    /// Until stop().
    void run();
    /// Any thread.
    void stop();
    /// Any thread: no member is there, after one was.
    [[nodiscard]] bool isDeserted() const { return m_isDeserted; }

private:
    using Time = SocketClock::time_point;
    struct Peer {
        Socket socket;
        StoreConnection connection;
    };
    /// A message of rank 0 that not all members have acknowledged.
    struct Publication {
        int publisher = -1;
        std::uint64_t request = 0;
        std::set<int> outstanding{};
    };

    void accept(Time now);
    void readFrom(int id, Peer& peer, Time now);
    void writeTo(int id, Peer& peer);
    void obey(int id, Peer& peer, const std::string& frame, Time now);
    void join(Peer& peer, PacketReader& reader, Time now);
    /// False if it is none of the keys' requests.
    [[nodiscard]] bool answerKeys(
        Peer& peer, int id, StoreKind kind, std::uint64_t request, PacketReader& reader, Time now);
    void publish(int id, std::uint64_t request, const std::string& bytes);
    void received(int id, std::uint64_t sequence);
    void lookAfterMembers(Time now);
    void tellAll(const std::string& bytes);
    void cutOff(int id);
    void tellWhoIsThere();

    Socket m_listener;
    Socket m_wake; ///< an eventfd
    wire::Secret m_secret;
    std::int32_t m_size;
    Clock m_clock;
    std::string m_clockName;
    Membership m_members;
    KeyTable m_keys;
    std::map<int, Peer> m_peers;
    std::map<std::uint64_t, Publication> m_publications;
    std::uint64_t m_published = 0;
    std::vector<int> m_broken;
    Time m_lastBeat{};
    Text m_refusal; ///< why the ranks cannot meet: sent to all, also to those that come later
    std::atomic<bool> m_isStopping = false;
    std::atomic<bool> m_isDeserted = false;
};

} // namespace lockstep::rendezvous
