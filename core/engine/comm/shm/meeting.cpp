#include "engine/comm/shm/meeting.h"

#include "engine/comm/failures.h"
#include "engine/comm/shm/waiting.h"

#include <thread>
#include <unistd.h>

namespace lockstep::comm {

namespace {

using std::chrono::milliseconds;

/// Between two checks of the peers.
constexpr milliseconds LookEvery{50};
/// A device completes its work soon, or takes as long as training does.
constexpr std::chrono::microseconds PollWithoutSleep{50};
constexpr std::chrono::microseconds Nap{30};
/// The work that a rank queued before it died may still complete on the device.
constexpr milliseconds AfterDeath{300};

} // namespace

Meeting::Meeting(Region& region, int rank, milliseconds timeout)
    : m_region(region)
    , m_rank(rank)
    , m_timeout(timeout)
{ }

Result<void> Meeting::join()
{
    RankBlock& mine = m_region.rank(m_rank);
    mine.pid.store(getpid());
    mine.presence.store(Presence::Present);
    const auto since = Clock::now();
    for (int rank = 0; rank < m_region.size(); ++rank) {
        while (m_region.rank(rank).presence.load() == Presence::Absent) {
            if (Clock::now() - since > m_timeout) {
                return breakGroup(
                    {LS_TR("Messages", "%1 has not arrived within %2 s"), {rankName(rank), m_timeout.count() / 1000}});
            }
            usleep(500);
        }
    }
    m_peers = std::make_unique<Peers>(m_region);
    return state();
}

Result<void> Meeting::meet(Collective what)
{
    RegionHeader& header = m_region.header();
    const std::uint32_t generation = header.generation.load();
    m_region.rank(m_rank).meetings.fetch_add(1);
    if (header.arrived.fetch_add(1) + 1 == static_cast<std::uint32_t>(m_region.size())) {
        header.arrived.store(0);
        header.generation.fetch_add(1);
        if (header.sleepers.load() > 0) {
            wakeAll(header.generation);
        }
        return state();
    }
    const auto since = Clock::now();
    Spin spin(m_region.size(), m_awaited);
    while (header.generation.load() == generation) {
        if (spin.turn()) {
            continue;
        }
        header.sleepers.fetch_add(1);
        if (header.generation.load() == generation) {
            sleepWhile(header.generation, generation, LookEvery);
        }
        header.sleepers.fetch_sub(1);
        if (header.generation.load() == generation) {
            if (auto looked = checkPeers(what, since, -1, [&] { return header.generation.load() != generation; });
                !looked) {
                return looked;
            }
        }
    }
    return state();
}

Result<void> Meeting::await(Collective what, int partner, const std::function<bool()>& isReady)
{
    RankBlock& mine = m_region.rank(m_rank);
    const auto since = Clock::now();
    Spin spin(m_region.size(), m_awaited);
    while (!isReady()) {
        if (spin.turn()) {
            continue;
        }
        const std::uint32_t bell = mine.bell.load();
        mine.isListening.store(1);
        if (!isReady()) {
            sleepWhile(mine.bell, bell, LookEvery);
        }
        mine.isListening.store(0);
        if (!isReady()) {
            LOCKSTEP_TRY(checkPeers(what, since, partner, isReady));
        }
    }
    return state();
}

Result<void> Meeting::poll(Collective what, const std::function<bool()>& isReady, milliseconds patience)
{
    const auto since = Clock::now();
    auto lastLook = since;
    Clock::time_point seenDead{};
    Text dead;
    while (!isReady()) {
        const auto now = Clock::now();
        if (now - since > PollWithoutSleep) {
            std::this_thread::sleep_for(Nap);
        }
        if (now - lastLook < LookEvery) {
            continue;
        }
        lastLook = now;
        LOCKSTEP_TRY(state());
        if (dead.empty()) {
            dead = whoHasDied();
            seenDead = now;
        } else if (now - seenDead > AfterDeath) {
            return breakGroup(ofOperation(what, dead));
        }
        if (now - since > m_timeout + patience) {
            return breakGroup(ofOperation(what, notCompleted(m_timeout)));
        }
    }
    return {};
}

Result<void> Meeting::look()
{
    LOCKSTEP_TRY(state());
    const Text dead = whoHasDied();
    return dead.empty() ? Result<void>() : breakGroup(dead);
}

Text Meeting::whoHasDied() const
{
    for (int rank = 0; rank < m_region.size(); ++rank) {
        Text reason = rank == m_rank ? Text() : m_peers->goneBecause(rank);
        // Read last: the rank may leave in good order at this moment.
        if (!reason.empty() && m_region.rank(rank).presence.load() != Presence::Left) {
            return reason;
        }
    }
    return {};
}

void Meeting::ring(int rank)
{
    RankBlock& other = m_region.rank(rank);
    other.bell.fetch_add(1);
    if (other.isListening.load() != 0) {
        wakeAll(other.bell);
    }
}

Result<void> Meeting::state() const
{
    const RegionHeader& header = m_region.header();
    return header.isBroken.load() != 0 ? Result<void>(failureOf(unpackedOrEnglish(header.reason.data())))
                                       : Result<void>();
}

Error Meeting::breakGroup(const Text& reason)
{
    RegionHeader& header = m_region.header();
    std::uint32_t unbroken = 0;
    if (header.isBreaking.compare_exchange_strong(unbroken, 1)) {
        packInto(header.reason, reason);
        header.isBroken.store(1);
        header.generation.fetch_add(1);
        wakeAll(header.generation);
        for (int rank = 0; rank < m_region.size(); ++rank) {
            m_region.rank(rank).bell.fetch_add(1);
            wakeAll(m_region.rank(rank).bell);
        }
        return failureOf(reason);
    }
    // Another rank is writing its reason, which takes a few instructions unless it dies.
    for (int tries = 0; header.isBroken.load() == 0 && tries < 1000; ++tries) {
        usleep(100);
    }
    const auto known = state();
    return known ? failureOf(reason) : known.error();
}

Result<void> Meeting::checkPeers(
    Collective what, Clock::time_point since, int partner, const std::function<bool()>& isReady)
{
    LOCKSTEP_TRY(state());
    for (int rank = 0; rank < m_region.size(); ++rank) {
        // In a meeting also those who seem to have come: one may have died between two of its counters.
        const bool isAwaited = partner < 0 || rank == partner;
        if (!isAwaited || rank == m_rank) {
            continue;
        }
        if (const Text reason = m_peers->goneBecause(rank); !reason.empty()) {
            if (isReady()) { // it did its part just before it ended
                return {};
            }
            const Text dead = whoHasDied(); // a rank that leaves may do so because another one has died
            return breakGroup(ofOperation(what, dead.empty() ? reason : dead));
        }
    }
    if (Clock::now() - since > m_timeout) {
        const auto isHere
            = [this](int rank) { return m_region.rank(rank).meetings.load() >= m_region.rank(m_rank).meetings.load(); };
        return breakGroup(ofOperation(what,
            partner == Anyone  ? notCompleted(m_timeout)
                : partner >= 0 ? Text(LS_TR("Messages", "%1 has waited %2 s for %3"),
                      {rankName(m_rank), m_timeout.count() / 1000, rankName(partner)})
                               : notAllArrived(m_timeout, whoIsMissing(m_region.size(), isHere))));
    }
    return {};
}

} // namespace lockstep::comm
