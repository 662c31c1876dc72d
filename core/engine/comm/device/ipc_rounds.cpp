#include "engine/comm/device/ipc_rounds.h"

#include "engine/comm/slot_collectives.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace lockstep::comm {

namespace {

constexpr std::size_t LeastSlot = std::size_t{1} << 20;
constexpr std::size_t MostForSlots = std::size_t{512} << 20;
/// One flag for each rank, in memory that costs a page of the device in any case.
constexpr std::size_t FlagBytes = SlotLine;
/// Rounds after which the host checks how far the device is. It is at most three laps ahead, which at 8 ranks are some
/// 400 entries in a queue that holds 1024.
constexpr std::uint32_t RoundsInALap = 8;

constexpr std::size_t roundDownToLine(std::size_t bytes)
{
    return bytes / SlotLine * SlotLine;
}

} // namespace

IpcRounds::IpcRounds(IpcPeers& peers, ShmRounds& host, const IpcOptions& options)
    : m_peers(peers)
    , m_host(host)
    , m_spinsOnFlags(options.spinsOnFlags)
    , m_events(static_cast<std::size_t>(peers.size()))
    , m_slotsOfAllRanks(options.slotsOfAllRanks != 0 ? options.slotsOfAllRanks
                                                     : std::min(MostForSlots, peers.device().memoryBytes() / 8))
{ }

Result<void> IpcRounds::open()
{
    const auto ranks = static_cast<std::size_t>(m_peers.size());
    // Two parities of inputs, and two of results, each of which is a rank's share of an input.
    m_peers.page(m_peers.rank()).limit
        = roundDownToLine(m_slotsOfAllRanks / ranks / 2 / ranks * std::max<std::size_t>(1, ranks - 1));
    LOCKSTEP_TRY(openEvents());
    m_slotLimit = m_peers.page(0).limit;
    for (int r = 1; r < m_peers.size(); ++r) {
        m_slotLimit = std::min<std::size_t>(m_slotLimit, m_peers.page(r).limit);
    }
    if (m_slotLimit < SlotLine * ranks) {
        return failure(LS_TR("Messages", "the device has too little memory for %1 ranks"), {m_peers.size()});
    }
    return openFlags();
}

Result<void> IpcRounds::openEvents()
{
    const auto create = [&]() -> Result<void> {
        for (DeviceEvent*& lap : m_laps) {
            LOCKSTEP_TRY_ASSIGN(lap, m_peers.device().createEvent(EventScope::ThisProcess));
        }
        const int own = m_peers.rank();
        return m_peers.createEvents(m_events[static_cast<std::size_t>(own)], m_peers.page(own).events);
    };
    const auto openTheirs = [&]() -> Result<void> {
        for (int r = 0; r < m_peers.size(); ++r) {
            LOCKSTEP_TRY(m_peers.openEvents(m_events[static_cast<std::size_t>(r)], m_peers.page(r).events));
        }
        return {};
    };
    LOCKSTEP_TRY(m_peers.agree(create()));
    return m_peers.agree(openTheirs());
}

/// Also where events are used: sharing memory must fail here and not in the first collective.
Result<void> IpcRounds::openFlags()
{
    LOCKSTEP_TRY_ASSIGN(m_flags, m_peers.shareMemory(FlagBytes));
    m_peers.device().zero(m_flags[static_cast<std::size_t>(m_peers.rank())], FlagBytes);
    return m_peers.agree(m_peers.synchronize());
}

std::size_t IpcRounds::wantedSlot(const Operation& op) const
{
    // Only what all ranks agree on counts, so that all get the same size.
    const auto ranks = static_cast<std::size_t>(m_peers.size());
    switch (op.what) {
    case Collective::Broadcast:
        return op.out.byteCount();
    case Collective::Reduce:
    case Collective::AllReduce:
    case Collective::Gather:
    case Collective::AllGather:
    case Collective::AllToAll:
        return op.in.byteCount() + ranks * SlotLine;
    case Collective::Scatter:
    case Collective::ReduceScatter:
        return ranks * roundUpToLine(op.out.byteCount());
    case Collective::Barrier:
    case Collective::SendReceive:
        break;
    }
    return 0;
}

Result<void> IpcRounds::begin(const Operation& op, OperationTimes& times, bool needsSlots)
{
    m_hasMet = false;
    const bool moves = op.what != Collective::Barrier && op.what != Collective::SendReceive;
    const std::size_t wanted = std::min(m_slotLimit, std::bit_ceil(std::max(wantedSlot(op), LeastSlot)));
    if (!moves || !needsSlots || m_peers.size() == 1 || wanted <= m_slotBytes) {
        return {};
    }
    LOCKSTEP_TRY(m_host.meet(op)); // compares the calls before anything is allocated for them
    if (auto grown = growSlots(op.what, wanted); !grown) {
        return m_peers.failed(op.what, grown.error());
    }
    return m_host.begin(op, times);
}

Result<void> IpcRounds::growSlots(Collective what, std::size_t bytes)
{
    LOCKSTEP_TRY(m_peers.synchronize()); // a stream may still read the old slots
    LOCKSTEP_TRY(m_peers.meeting().meet(what));
    LOCKSTEP_TRY(m_peers.closeMemory(m_slots));
    m_slotBytes = 0;
    const std::size_t madeBytes = roundUpToLine(bytes / static_cast<std::size_t>(m_peers.size() - 1) + SlotLine);
    LOCKSTEP_TRY_ASSIGN(m_slots, m_peers.shareMemory(2 * (bytes + madeBytes)));
    m_slotBytes = bytes;
    m_madeBytes = madeBytes;
    return {};
}

std::byte* IpcRounds::given(int rank) const
{
    return m_slots[static_cast<std::size_t>(rank)] + m_parity * m_slotBytes;
}

std::byte* IpcRounds::made(int rank) const
{
    return m_slots[static_cast<std::size_t>(rank)] + 2 * m_slotBytes + m_parity * m_madeBytes;
}

std::size_t IpcRounds::pieceBytes() const
{
    const auto ranks = static_cast<std::size_t>(m_peers.size());
    return roundDownToLine(m_slotBytes / (ranks - 1)) * ranks;
}

Result<void> IpcRounds::meet(const Operation& op)
{
    if (m_peers.size() == 1) {
        return {};
    }
    LOCKSTEP_TRY(stayClose(op));
    if (m_spinsOnFlags) {
        LOCKSTEP_TRY(meetByFlags(op));
    } else {
        const int own = m_peers.rank();
        m_peers.device().record(m_events[static_cast<std::size_t>(own)][m_parity]);
        LOCKSTEP_TRY(m_host.meet(op));
        for (int r = 0; r < m_peers.size(); ++r) {
            if (r != own) {
                m_peers.device().wait(m_events[static_cast<std::size_t>(r)][m_parity]);
            }
        }
    }
    m_parity ^= 1;
    return {};
}

/// Flags only grow, so a wait may be queued before the flag's setting is. One meeting in each operation, which compares
/// the calls, is enough.
Result<void> IpcRounds::meetByFlags(const Operation& op)
{
    std::array<const std::uint32_t*, MaxRanks> flags{};
    for (std::size_t r = 0; r < m_flags.size(); ++r) {
        flags[r] = reinterpret_cast<std::uint32_t*>(m_flags[r]);
    }
    std::byte* own = m_flags[static_cast<std::size_t>(m_peers.rank())];
    m_peers.device().setFlag(reinterpret_cast<std::uint32_t*>(own), m_round);
    if (!m_hasMet) {
        m_hasMet = true;
        LOCKSTEP_TRY(m_host.meet(op));
    }
    m_peers.device().waitForFlags({.flags = {flags.data(), m_flags.size()},
        .value = m_round,
        .limit = m_peers.meeting().timeout(),
        .stop = &m_peers.flagWords().stop,
        .missing = &m_peers.flagWords().missing});
    return {};
}

Result<void> IpcRounds::stayClose(const Operation& op)
{
    if (++m_round % RoundsInALap != 0) {
        return {};
    }
    DeviceEvent* lap = m_laps[m_round / RoundsInALap % 2];
    LOCKSTEP_TRY(
        m_peers.await(op.what, [&] { return m_peers.device().hasHappened(lap) || !m_peers.device().state(); }));
    m_peers.device().record(lap);
    return {};
}

void IpcRounds::closeOpened()
{
    m_peers.closeOpened(m_slots);
    m_peers.closeOpened(m_flags);
    for (std::size_t r = 0; r < m_events.size(); ++r) {
        if (r != static_cast<std::size_t>(m_peers.rank())) {
            m_peers.destroyEvents(m_events[r]);
        }
    }
}

void IpcRounds::free()
{
    m_peers.freeOwn(m_slots);
    m_peers.freeOwn(m_flags);
    m_peers.destroyEvents(m_events[static_cast<std::size_t>(m_peers.rank())]);
    m_peers.destroyEvents(m_laps);
}

} // namespace lockstep::comm
