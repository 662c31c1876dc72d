#include "rendezvous/store/store_loop.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockstep::rendezvous {

namespace {

constexpr std::size_t MostUnproved = 64;
constexpr int TickMs = 100;
constexpr std::size_t MostKeys = 1 << 16;

std::vector<std::string> keysIn(PacketReader& reader)
{
    std::vector<std::string> keys;
    for (std::uint64_t left = std::min<std::uint64_t>(reader.number(), MostKeys); left > 0 && reader.isValid();
         --left) {
        keys.push_back(reader.text());
    }
    return keys;
}

} // namespace

StoreLoop::StoreLoop(Socket listener, Socket wake, const Member& self, const wire::Secret& secret, Clock clock)
    : m_listener(std::move(listener))
    , m_wake(std::move(wake))
    , m_secret(storeSecretOf(secret))
    , m_size(self.size)
    , m_clock(clock)
    , m_clockName(self.clock())
    , m_members(self)
{ }

void StoreLoop::stop()
{
    m_isStopping = true;
    eventfd_write(m_wake.number(), 1);
}

void StoreLoop::run()
{
    while (!m_isStopping) {
        std::vector<pollfd> waited{{m_wake.number(), POLLIN, 0}, {m_listener.number(), POLLIN, 0}};
        for (const auto& [id, peer] : m_peers) {
            const bool wantsToWrite = !peer.connection.out().empty();
            waited.push_back({id, static_cast<short>(wantsToWrite ? POLLIN | POLLOUT : POLLIN), 0});
        }
        poll(waited.data(), waited.size(), TickMs);
        const Time now = SocketClock::now();
        if (waited[1].revents != 0) {
            accept(now);
        }
        for (std::size_t i = 2; i < waited.size(); ++i) {
            if ((waited[i].revents & ~POLLOUT) != 0) {
                readFrom(waited[i].fd, m_peers.at(waited[i].fd), now);
            }
        }
        lookAfterMembers(now);
        for (auto& [id, peer] : m_peers) {
            writeTo(id, peer);
            if (peer.connection.isBad(now)) {
                m_broken.push_back(id);
            }
        }
        for (const int id : std::exchange(m_broken, {})) {
            cutOff(id);
        }
    }
}

void StoreLoop::accept(Time now)
{
    Socket socket(accept4(m_listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const auto unproved
        = std::ranges::count_if(m_peers, [](const auto& each) { return !each.second.connection.isProved(); });
    if (!socket.isOpen() || unproved >= static_cast<std::ptrdiff_t>(MostUnproved)) {
        return;
    }
    useForMessages(socket);
    const int id = socket.number();
    m_peers.emplace(id, Peer{std::move(socket), StoreConnection(m_secret, now)});
}

void StoreLoop::readFrom(int id, Peer& peer, Time now)
{
    std::array<char, 64 << 10> bytes{};
    const ssize_t n = recv(id, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n < 0 && isTemporary(errno)) {
        return;
    }
    if (n <= 0 || !peer.connection.feed(std::string_view(bytes.data(), static_cast<std::size_t>(n)))) {
        m_broken.push_back(id);
        return;
    }
    std::string frame;
    while (peer.connection.nextFrame(frame)) {
        obey(id, peer, frame, now);
    }
}

void StoreLoop::writeTo(int id, Peer& peer)
{
    const std::string& out = peer.connection.out();
    if (!out.empty()) {
        const ssize_t n = send(id, out.data(), out.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            peer.connection.sent(static_cast<std::size_t>(n));
        } else if (!isTemporary(errno)) {
            m_broken.push_back(id);
        }
    }
    if (peer.connection.isClosing && peer.connection.out().empty()) {
        m_broken.push_back(id);
    }
}

void StoreLoop::obey(int id, Peer& peer, const std::string& frame, Time now)
{
    PacketReader reader(frame);
    const auto kind = static_cast<StoreKind>(reader.number());
    const std::uint64_t request = reader.number();
    if (kind == StoreKind::Join && !peer.connection.rank) {
        join(peer, reader, now);
        return;
    }
    if (!peer.connection.rank) {
        m_broken.push_back(id);
        return;
    }
    const std::int32_t rank = *peer.connection.rank;
    if (kind == StoreKind::Beat) {
        m_members.beat(rank, reader.number(), now);
    } else if (kind == StoreKind::Leave) {
        m_members.leave(rank);
    } else if (kind == StoreKind::Publish) {
        publish(id, request, reader.text());
    } else if (kind == StoreKind::Received) {
        received(id, reader.number());
    } else if (kind == StoreKind::ReadClock) {
        peer.connection.queue(storeFrame(StoreKind::Reply, request)
                                  .number(static_cast<std::uint64_t>(m_clock()))
                                  .text(m_clockName)
                                  .frame());
        writeTo(id, peer);
    } else if (!answerKeys(peer, id, kind, request, reader, now)) {
        m_broken.push_back(id);
    }
}

void StoreLoop::join(Peer& peer, PacketReader& reader, Time now)
{
    const Member member = readMember(reader);
    const auto joined = reader.isAtEnd() ? m_members.join(member, now)
                                         : Result<void>(failure(LS_TR("Messages", "its contents are garbled")));
    if (joined && m_refusal.empty()) {
        peer.connection.rank = member.rank;
        tellWhoIsThere();
        return;
    }
    if (m_refusal.empty()) {
        m_refusal = joined.error();
        tellAll(storeFrame(StoreKind::Refused).text(packedOrEnglish(m_refusal)).frame());
    }
    peer.connection.queue(storeFrame(StoreKind::Refused).text(packedOrEnglish(m_refusal)).frame());
    peer.connection.isClosing = true;
}

bool StoreLoop::answerKeys(Peer& peer, int id, StoreKind kind, std::uint64_t request, PacketReader& reader, Time now)
{
    PacketWriter reply = storeFrame(StoreKind::Reply, request);
    if (kind == StoreKind::Set) {
        const std::string key = reader.text();
        m_keys.set(key, reader.text());
    } else if (kind == StoreKind::Add) {
        const std::string key = reader.text();
        reply.number(static_cast<std::uint64_t>(m_keys.add(key, static_cast<std::int64_t>(reader.number()))));
    } else if (kind == StoreKind::CompareSet) {
        const std::string key = reader.text();
        const std::string expected = reader.text();
        reply.text(m_keys.compareSet(key, expected, reader.text()));
    } else if (kind == StoreKind::Erase) {
        reply.number(m_keys.erase(reader.text()) ? 1 : 0);
    } else if (kind == StoreKind::Check) {
        reply.number(m_keys.hasAll(keysIn(reader)) ? 1 : 0);
    } else if (kind == StoreKind::Count) {
        reply.number(m_keys.size());
    } else if (kind == StoreKind::Wait) {
        constexpr std::uint64_t LongestMs = 24ull * 3600 * 1000;
        const auto limit = std::chrono::milliseconds(std::min(reader.number(), LongestMs));
        const bool wantsValue = reader.number() != 0;
        std::vector<std::string> keys = keysIn(reader);
        if (keys.empty() || !reader.isAtEnd()) {
            return false;
        }
        m_keys.wait({id, request, std::move(keys), now + limit, wantsValue});
        return true;
    } else {
        return false;
    }
    peer.connection.queue(reply.frame());
    return reader.isAtEnd();
}

void StoreLoop::publish(int id, std::uint64_t request, const std::string& bytes)
{
    const std::uint64_t sequence = ++m_published;
    Publication publication{id, request, {}};
    const std::string frame = storeFrame(StoreKind::Published).number(sequence).text(bytes).frame();
    for (auto& [other, peer] : m_peers) {
        if (peer.connection.rank && !peer.connection.isClosing) {
            peer.connection.queue(frame);
            publication.outstanding.insert(other);
        }
    }
    m_publications.emplace(sequence, std::move(publication));
}

void StoreLoop::received(int id, std::uint64_t sequence)
{
    const auto found = m_publications.find(sequence);
    if (found == m_publications.end()) {
        return;
    }
    found->second.outstanding.erase(id);
    if (found->second.outstanding.empty()) {
        if (const auto peer = m_peers.find(found->second.publisher); peer != m_peers.end()) {
            peer->second.connection.queue(storeFrame(StoreKind::Reply, found->second.request).frame());
        }
        m_publications.erase(found);
    }
}

void StoreLoop::lookAfterMembers(Time now)
{
    for (const KeyTable::Answer& answer : m_keys.takeAnswers(now)) {
        if (const auto peer = m_peers.find(answer.waiter.connection); peer != m_peers.end()) {
            const auto kind = answer.hasTimedOut ? StoreKind::TimedOut : StoreKind::Reply;
            peer->second.connection.queue(storeFrame(kind, answer.waiter.request).text(answer.value).frame());
        }
    }
    m_members.check(now);
    for (const Membership::Gone& gone : m_members.takeGone()) {
        tellAll(storeFrame(StoreKind::Gone)
                    .number(static_cast<std::uint64_t>(gone.rank))
                    .number(gone.hasLeft ? 1 : 0)
                    .text(packedOrEnglish(gone.reason))
                    .frame());
    }
    if (now - m_lastBeat >= BeatInterval) {
        m_lastBeat = now;
        PacketWriter beating = storeFrame(StoreKind::Beating);
        for (const std::uint64_t calls : m_members.calls()) {
            beating.number(calls);
        }
        tellAll(beating.frame());
    }
}

void StoreLoop::tellWhoIsThere()
{
    const auto missing = m_members.missing();
    PacketWriter writer = storeFrame(missing.empty() ? StoreKind::Complete : StoreKind::Present);
    writer.number(missing.empty() ? static_cast<std::uint64_t>(m_size) : missing.size());
    for (const std::int32_t rank : missing) {
        writer.number(static_cast<std::uint64_t>(rank));
    }
    for (const Member& member : missing.empty() ? m_members.members() : std::vector<Member>()) {
        write(writer, member);
    }
    tellAll(writer.frame());
}

void StoreLoop::tellAll(const std::string& bytes)
{
    for (auto& [id, peer] : m_peers) {
        if (peer.connection.rank) {
            peer.connection.queue(bytes);
        }
    }
}

void StoreLoop::cutOff(int id)
{
    const auto peer = m_peers.find(id);
    if (peer == m_peers.end()) {
        return;
    }
    const auto rank = peer->second.connection.rank;
    m_peers.erase(peer);
    m_keys.forget(id);
    std::vector<std::uint64_t> awaited;
    for (const auto& [sequence, publication] : m_publications) {
        if (publication.outstanding.contains(id)) {
            awaited.push_back(sequence);
        }
    }
    for (const std::uint64_t sequence : awaited) {
        received(id, sequence);
    }
    if (rank) {
        m_members.disconnect(*rank);
        m_isDeserted
            = std::ranges::none_of(m_peers, [](const auto& each) { return each.second.connection.rank.has_value(); });
    }
}

} // namespace lockstep::rendezvous
