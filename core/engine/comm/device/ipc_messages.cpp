#include "engine/comm/device/ipc_messages.h"

#include "engine/comm/failures.h"

#include <algorithm>

namespace lockstep::comm {

namespace {

constexpr std::uint64_t Places = 2;

} // namespace

IpcMessages::IpcMessages(IpcPeers& peers, std::size_t placeBytes)
    : m_peers(peers)
    , m_placeBytes(placeBytes)
    , m_outboxes(static_cast<std::size_t>(peers.size()))
    , m_inboxes(static_cast<std::size_t>(peers.size()))
{ }

Result<void> IpcMessages::exchange(const Operation& op)
{
    const std::size_t out = op.to >= 0 ? op.in.byteCount() : 0;
    const std::size_t in = op.from >= 0 ? op.out.byteCount() : 0;
    // An empty message is one empty piece.
    const auto piecesOf
        = [&](std::size_t bytes) { return std::max<std::size_t>(1, (bytes + m_placeBytes - 1) / m_placeBytes); };
    const std::size_t puts = op.to >= 0 ? piecesOf(out) : 0;
    const std::size_t gets = op.from >= 0 ? piecesOf(in) : 0;
    for (std::size_t piece = 0; piece < std::max(puts, gets); ++piece) {
        const std::size_t begin = piece * m_placeBytes;
        if (piece < puts) {
            LOCKSTEP_TRY(put(op, begin, std::min(m_placeBytes, out - begin)));
        }
        if (piece < gets) {
            LOCKSTEP_TRY(get(op, begin, std::min(m_placeBytes, in - begin)));
        }
    }
    return m_peers.meeting().state();
}

Result<void> IpcMessages::put(const Operation& op, std::size_t begin, std::size_t size)
{
    Box& box = m_outboxes[static_cast<std::size_t>(op.to)];
    IpcChannel& mine = m_peers.page(m_peers.rank()).channel(op.to);
    const IpcChannel& theirs = m_peers.page(op.to).channel(m_peers.rank());
    if (box.memory == nullptr) {
        LOCKSTEP_TRY(orFail(openOutbox(op.to)));
    }
    const std::uint64_t number = mine.put.load();
    const std::size_t place = number % Places;
    LOCKSTEP_TRY(m_peers.meeting().await(op.what, op.to, [&] { return number - theirs.took.load() < Places; }));
    if (number >= Places) {
        if (box.taken[0] == nullptr) {
            LOCKSTEP_TRY(m_peers.synchronize());
        }
        LOCKSTEP_TRY(orFail(m_peers.openEvents(box.taken, theirs.taken)));
        m_peers.device().wait(box.taken[place]);
    }
    copy(box.memory + place * m_placeBytes, op.in.bytes() + begin, size);
    m_peers.device().record(box.filled[place]);
    mine.headers[place] = headerOf(op.in);
    mine.put.store(number + 1);
    m_peers.meeting().ring(op.to);
    return {};
}

Result<void> IpcMessages::get(const Operation& op, std::size_t begin, std::size_t size)
{
    Box& box = m_inboxes[static_cast<std::size_t>(op.from)];
    IpcChannel& mine = m_peers.page(m_peers.rank()).channel(op.from);
    const IpcChannel& theirs = m_peers.page(op.from).channel(m_peers.rank());
    const std::uint64_t number = mine.took.load();
    const std::size_t place = number % Places;
    LOCKSTEP_TRY(m_peers.meeting().await(op.what, op.from, [&] { return theirs.put.load() > number; }));
    if (auto fits = requireFit(theirs.headers[place], op.out, op.from, m_peers.rank()); !fits) {
        return m_peers.meeting().breakGroup(fits.error());
    }
    if (box.memory == nullptr) {
        LOCKSTEP_TRY(orFail(openInbox(op.from)));
    }
    m_peers.device().wait(box.filled[place]);
    copy(op.out.bytes() + begin, box.memory + place * m_placeBytes, size);
    m_peers.device().record(box.taken[place]);
    mine.took.store(number + 1);
    m_peers.meeting().ring(op.from);
    return {};
}

void IpcMessages::copy(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes > 0) {
        m_peers.device().copy(to, from, bytes);
    }
}

Result<void> IpcMessages::orFail(const Result<void>& opened)
{
    if (opened) {
        return opened;
    }
    return m_peers.failed(Collective::SendReceive, saidBy(m_peers.rank(), opened.error()));
}

Result<void> IpcMessages::openOutbox(int peer)
{
    Box& box = m_outboxes[static_cast<std::size_t>(peer)];
    IpcChannel& mine = m_peers.page(m_peers.rank()).channel(peer);
    // The calls below may wait inside the device's library, where nothing notices a death; this wait does.
    LOCKSTEP_TRY(m_peers.synchronize());
    LOCKSTEP_TRY_ASSIGN(box.memory, m_peers.device().allocateShared(Places * m_placeBytes));
    LOCKSTEP_TRY_ASSIGN(mine.memory, m_peers.device().exportMemory(box.memory));
    return m_peers.createEvents(box.filled, mine.filled);
}

Result<void> IpcMessages::openInbox(int peer)
{
    Box& box = m_inboxes[static_cast<std::size_t>(peer)];
    const IpcChannel& theirs = m_peers.page(peer).channel(m_peers.rank());
    LOCKSTEP_TRY(m_peers.synchronize());
    LOCKSTEP_TRY_ASSIGN(box.memory, m_peers.device().openMemory(theirs.memory));
    LOCKSTEP_TRY(m_peers.openEvents(box.filled, theirs.filled));
    return m_peers.createEvents(box.taken, m_peers.page(m_peers.rank()).channel(peer).taken);
}

void IpcMessages::closeOpened()
{
    for (std::size_t r = 0; r < m_inboxes.size(); ++r) {
        if (m_inboxes[r].memory != nullptr) {
            m_peers.device().closeMemory(m_inboxes[r].memory);
        }
        m_peers.destroyEvents(m_inboxes[r].filled);
        m_peers.destroyEvents(m_outboxes[r].taken);
    }
}

void IpcMessages::free()
{
    for (std::size_t r = 0; r < m_outboxes.size(); ++r) {
        if (m_outboxes[r].memory != nullptr) {
            m_peers.device().freeShared(m_outboxes[r].memory);
        }
        m_peers.destroyEvents(m_outboxes[r].filled);
        m_peers.destroyEvents(m_inboxes[r].taken);
    }
}

} // namespace lockstep::comm
