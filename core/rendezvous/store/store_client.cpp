#include "rendezvous/store/store_client.h"

#include "base/clock.h"
#include "wire/handshake.h"
#include "wire/messages.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

namespace lockstep::rendezvous {

namespace {

using namespace std::chrono_literals;

constexpr auto TellWaitingEvery = 5s;
constexpr auto Tick = 100ms;
constexpr auto WriteLimit = 10s;

/// Both prove that they have the secret, the store first.
Result<void> proveBoth(
    const Socket& socket, const wire::Secret& secret, const std::string& there, SocketClock::time_point deadline)
{
    wire::Nonces nonces;
    LOCKSTEP_TRY_ASSIGN(nonces.rank, wire::makeNonce());
    LOCKSTEP_TRY(sendAll(socket, wire::toBytes(wire::Opening{wire::ProtocolVersion, nonces.rank}), deadline));
    std::array<std::byte, wire::ChallengeBytes> bytes{};
    LOCKSTEP_TRY(receiveAll(socket, bytes, deadline));
    const auto challenge = wire::readChallenge(bytes);
    if (!challenge) {
        return failure(LS_TR("Messages", "what answers at %1 is not the store of a run"), {verbatim(there)});
    }
    if (challenge->protocol != wire::ProtocolVersion) {
        return failure(
            LS_TR("Messages",
                "the store at %1 speaks protocol version %2, this rank %3: use the same lockstep-rank on all hosts"),
            {verbatim(there), challenge->protocol, wire::ProtocolVersion});
    }
    if (!wire::isProofOf(wire::Side::Workbench, challenge->proof, secret, {nonces.rank, challenge->nonce})) {
        return failure(LS_TR("Messages",
                           "the store at %1 does not have this job's secret: another job meets there, or "
                           "LOCKSTEP_SECRET_FILE differs between hosts"),
            {verbatim(there)});
    }
    nonces.workbench = challenge->nonce;
    LOCKSTEP_TRY_ASSIGN(const wire::Proof proof, wire::proofOf(wire::Side::Rank, secret, nonces));
    return sendAll(socket, proof, deadline);
}

} // namespace

Result<std::unique_ptr<StoreClient>> StoreClient::connect(
    const std::string& host, std::uint16_t port, const wire::Secret& secret, Clock::time_point deadline)
{
    const std::string there = fmt::format("{} port {}", host, port);
    LOCKSTEP_TRY_ASSIGN(Socket socket, connectTo(host, port, deadline));
    useForMessages(socket);
    const auto limit = std::min(deadline, Clock::now() + ProofLimit);
    LOCKSTEP_TRY(proveBoth(socket, storeSecretOf(secret), there, limit));
    return std::unique_ptr<StoreClient>(new StoreClient(std::move(socket), host));
}

StoreClient::StoreClient(Socket socket, std::string host)
    : m_socket(std::move(socket))
    , m_host(std::move(host))
    , m_address(ownAddress(m_socket))
    , m_lastHeard(Clock::now())
{ }

StoreClient::~StoreClient()
{
    m_isEnding = true;
    if (m_isJoined) {
        static_cast<void>(write(storeFrame(StoreKind::Leave).frame()));
    }
    shutdown(m_socket.number(), SHUT_WR);
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

Result<std::vector<Member>> StoreClient::join(
    const Member& self, Clock::time_point deadline, const OnWaiting& onWaiting, OnPublished onPublished)
{
    m_onPublished = std::move(onPublished);
    m_size = self.size;
    m_others = OtherRanks(self.rank, self.size);
    PacketWriter hello = storeFrame(StoreKind::Join);
    rendezvous::write(hello, self);
    if (!write(hello.frame())) {
        return failure(LS_TR("Messages", "the store on %1 closed the connection"), {verbatim(m_host)});
    }
    m_isJoined = true;
    m_thread = std::thread([this] { serve(); });
    const auto begin = Clock::now();
    auto tellAt = begin + TellWaitingEvery;
    std::unique_lock lock(m_mutex);
    while (!m_members) {
        if (!m_refusal.empty() || !m_failure.empty()) {
            return failureOf(m_refusal.empty() ? m_failure : m_refusal);
        }
        const auto waited = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin).count();
        if (Clock::now() >= deadline) {
            return failure(LS_TR("Messages", "ranks %1 have not arrived within %2 s"),
                {verbatim(missingText(m_missing, m_size)), waited});
        }
        if (Clock::now() >= tellAt && !m_missing.empty()) {
            tellAt += TellWaitingEvery;
            const std::string text = fmt::format("waiting for ranks {} ({} s)", missingText(m_missing, m_size), waited);
            lock.unlock();
            onWaiting(text);
            lock.lock();
        }
        m_changed.wait_for(lock, Tick);
    }
    return *m_members;
}

void StoreClient::serve()
{
    std::array<char, 64 << 10> bytes{};
    while (true) {
        pollfd entry{m_socket.number(), POLLIN, 0};
        const int ready = poll(&entry, 1, static_cast<int>(Tick.count()));
        if (m_isEnding) {
            return;
        }
        if (ready > 0) {
            const ssize_t n = recv(m_socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
            m_receivedNs = monotonicNs();
            if (n == 0 || (n < 0 && !isTemporary(errno))) {
                return lose({LS_TR("Messages", "the store on %1 has ended"), {verbatim(m_host)}});
            }
            m_in.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
            m_lastHeard = Clock::now();
            std::string frame;
            bool isTooLong = false;
            while (takeFrame(m_in, frame, isTooLong)) {
                handle(frame);
            }
            if (isTooLong) {
                return lose({LS_TR("Messages", "the store on %1 sent a frame that is too long"), {verbatim(m_host)}});
            }
        }
        if (Clock::now() - m_lastHeard > BeatLimit) {
            return lose(
                {LS_TR("Messages", "the store on %1 has not been heard for %2 s"), {verbatim(m_host), BeatLimit / 1s}});
        }
        beatIfDue();
    }
}

void StoreClient::handle(const std::string& frame)
{
    PacketReader reader(frame);
    const auto kind = static_cast<StoreKind>(reader.number());
    const std::uint64_t request = reader.number();
    if (kind == StoreKind::Published) {
        const std::uint64_t sequence = reader.number();
        m_onPublished(reader.text());
        static_cast<void>(write(storeFrame(StoreKind::Received).number(sequence).frame()));
        return;
    }
    if ((kind == StoreKind::Reply || kind == StoreKind::TimedOut) && reader.isValid()) {
        constexpr std::size_t HeadBytes = 2 * sizeof(std::uint64_t);
        m_open.complete(request,
            {.isDone = true,
                .hasTimedOut = kind == StoreKind::TimedOut,
                .body = frame.substr(HeadBytes),
                .receivedNs = m_receivedNs});
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        handleMembers(kind, reader);
    }
    m_changed.notify_all();
    if (m_hasLost) {
        m_losses.tell();
    }
}

void StoreClient::handleMembers(StoreKind kind, PacketReader& reader)
{
    if (kind == StoreKind::Refused) {
        m_refusal = unpackedOrEnglish(reader.text());
    } else if (kind == StoreKind::Present) {
        m_missing.clear();
        for (std::uint64_t left = reader.number(); left > 0 && reader.isValid(); --left) {
            m_missing.push_back(static_cast<std::int32_t>(reader.number()));
        }
    } else if (kind == StoreKind::Complete) {
        std::vector<Member> members;
        for (std::uint64_t left = reader.number(); left > 0 && reader.isValid(); --left) {
            members.push_back(readMember(reader));
        }
        m_members = std::move(members);
    } else if (kind == StoreKind::Gone) {
        const auto rank = static_cast<std::int32_t>(reader.number());
        const bool hasLeft = reader.number() != 0;
        m_others.lose(rank, hasLeft, unpackedOrEnglish(reader.text()));
        m_hasLost = m_hasLost || !hasLeft;
    } else if (kind == StoreKind::Beating) {
        for (std::uint64_t& calls : m_others.calls()) {
            calls = reader.number();
        }
    }
}

void StoreClient::beatIfDue()
{
    if (Clock::now() - m_lastSent >= BeatInterval) {
        m_lastSent = Clock::now();
        static_cast<void>(write(storeFrame(StoreKind::Beat).number(m_calls).frame()));
    }
}

void StoreClient::lose(const Text& reason)
{
    {
        const std::lock_guard lock(m_mutex);
        m_failure = reason;
    }
    m_hasLost = true;
    m_open.fail();
    m_changed.notify_all();
    m_losses.tell();
}

bool StoreClient::write(const std::string& bytes)
{
    const std::lock_guard lock(m_writing);
    return sendAll(m_socket, std::as_bytes(std::span(bytes)), Clock::now() + WriteLimit).isOk();
}

Requests::Reply StoreClient::exchange(StoreKind kind, const Body& body, std::chrono::milliseconds limit)
{
    const std::uint64_t request = m_open.begin();
    PacketWriter writer = storeFrame(kind, request);
    body(writer);
    const std::string frame = writer.frame();
    const std::int64_t sentNs = monotonicNs();
    const bool isSent = write(frame);
    Requests::Reply reply = m_open.await(request, isSent ? limit : 0ms);
    reply.isSent = isSent;
    reply.sentNs = sentNs;
    return reply;
}

Error StoreClient::whyNone(const Requests::Reply& reply, std::chrono::milliseconds limit) const
{
    const std::lock_guard lock(m_mutex);
    if (!m_failure.empty()) {
        return failureOf(m_failure);
    }
    return reply.isSent
        ? failure(LS_TR("Messages", "the store on %1: timed out after %2 s"), {verbatim(m_host), limit / 1s})
        : failure(LS_TR("Messages", "the store on %1 is gone"), {verbatim(m_host)});
}

Result<std::string> StoreClient::ask(StoreKind kind, const Body& body, std::chrono::milliseconds limit)
{
    Requests::Reply reply = exchange(kind, body, limit + 5s);
    if (reply.isDone && !reply.hasTimedOut) {
        return std::move(reply.body);
    }
    return whyNone(reply, limit);
}

Result<StoreClient::ClockTrip> StoreClient::readClock()
{
    constexpr auto Limit = 1s; // a longer trip shows nothing
    const Requests::Reply reply = exchange(
        StoreKind::ReadClock, [](PacketWriter&) {}, Limit);
    if (!reply.isDone) {
        return whyNone(reply, Limit);
    }
    PacketReader reader(reply.body);
    const auto remoteNs = static_cast<std::int64_t>(reader.number());
    return ClockTrip{{reply.sentNs, remoteNs, reply.receivedNs}, reader.text()};
}

Result<void> StoreClient::set(const std::string& key, const std::string& value)
{
    const auto done = ask(StoreKind::Set, [&](PacketWriter& writer) { writer.text(key).text(value); });
    return done ? Result<void>() : done.error();
}

Result<std::string> StoreClient::get(const std::string& key, std::chrono::milliseconds limit)
{
    LOCKSTEP_TRY_ASSIGN(const std::string body,
        ask(
            StoreKind::Wait,
            [&](PacketWriter& writer) {
                writer.number(static_cast<std::uint64_t>(limit.count())).number(1).number(1).text(key);
            },
            limit));
    return PacketReader(body).text();
}

Result<std::int64_t> StoreClient::add(const std::string& key, std::int64_t amount)
{
    LOCKSTEP_TRY_ASSIGN(const std::string body, ask(StoreKind::Add, [&](PacketWriter& writer) {
        writer.text(key).number(static_cast<std::uint64_t>(amount));
    }));
    return static_cast<std::int64_t>(PacketReader(body).number());
}

Result<std::string> StoreClient::compareSet(
    const std::string& key, const std::string& expected, const std::string& desired)
{
    LOCKSTEP_TRY_ASSIGN(const std::string body,
        ask(StoreKind::CompareSet, [&](PacketWriter& writer) { writer.text(key).text(expected).text(desired); }));
    return PacketReader(body).text();
}

Result<bool> StoreClient::erase(const std::string& key)
{
    LOCKSTEP_TRY_ASSIGN(const std::string body, ask(StoreKind::Erase, [&](PacketWriter& writer) { writer.text(key); }));
    return PacketReader(body).number() != 0;
}

Result<bool> StoreClient::hasAll(const std::vector<std::string>& keys)
{
    LOCKSTEP_TRY_ASSIGN(const std::string body, ask(StoreKind::Check, [&](PacketWriter& writer) {
        writer.number(keys.size());
        for (const std::string& key : keys) {
            writer.text(key);
        }
    }));
    return PacketReader(body).number() != 0;
}

Result<std::int64_t> StoreClient::count()
{
    LOCKSTEP_TRY_ASSIGN(const std::string body, ask(StoreKind::Count, [](PacketWriter&) {}));
    return static_cast<std::int64_t>(PacketReader(body).number());
}

Result<void> StoreClient::wait(const std::vector<std::string>& keys, std::chrono::milliseconds limit)
{
    const auto done = ask(
        StoreKind::Wait,
        [&](PacketWriter& writer) {
            writer.number(static_cast<std::uint64_t>(limit.count())).number(0).number(keys.size());
            for (const std::string& key : keys) {
                writer.text(key);
            }
        },
        limit);
    return done ? Result<void>() : done.error();
}

Result<void> StoreClient::publish(const std::string& bytes)
{
    const auto done = ask(StoreKind::Publish, [&](PacketWriter& writer) { writer.text(bytes); });
    return done ? Result<void>() : done.error();
}

Text StoreClient::deadPeers(std::int32_t partner) const
{
    const std::lock_guard lock(m_mutex);
    return m_others.hasLost() || m_failure.empty() ? m_others.deadPeers(partner) : m_failure;
}

bool StoreClient::hasLeftForMissing() const
{
    const std::lock_guard lock(m_mutex);
    return m_others.hasLeftForMissing(m_calls);
}

Text StoreClient::whoIsMissing() const
{
    const std::lock_guard lock(m_mutex);
    return m_others.whoIsMissing(m_calls);
}

} // namespace lockstep::rendezvous
