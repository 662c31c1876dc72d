// Messages between two ranks that share a device. The sender owns two places; it fills one on its stream, records an
// event and says in the host's memory that it has; the receiver's stream waits for that event, copies the piece out,
// records an event of its own, and says so, and then the sender may use the place again once its stream has waited for
// that. Each place has its own two events; as with rounds, a record is called before the wait for it, and not again
// before that.
//
// A rank puts and gets one piece of each in turns. It waits on the host for a put only until the receiver has queued
// the piece before the last, so in a ring of exchanges everyone gets on.
#include "engine/comm/device/ipc_ranks.h"

#include <algorithm>
#include <string>

namespace lockstep::comm {

namespace {

constexpr std::uint64_t Places = 2;

std::string textOf(std::int64_t count, DataType type)
{
    return std::to_string(count) + " " + std::string(nameOf(type));
}

} // namespace

Result<void> IpcCommunicator::exchange(const Operation& op)
{
    const std::size_t out = op.to >= 0 ? op.in.byteCount() : 0;
    const std::size_t in = op.from >= 0 ? op.out.byteCount() : 0;
    const std::size_t atOnce = m_options.messageBytes;
    // An empty message is one empty piece.
    const std::size_t puts = op.to >= 0 ? std::max<std::size_t>(1, (out + atOnce - 1) / atOnce) : 0;
    const std::size_t gets = op.from >= 0 ? std::max<std::size_t>(1, (in + atOnce - 1) / atOnce) : 0;
    for (std::size_t piece = 0; piece < std::max(puts, gets); ++piece) {
        const std::size_t begin = piece * atOnce;
        if (piece < puts) {
            if (auto done = put(op, begin, std::min(atOnce, out - begin)); !done) {
                return done;
            }
        }
        if (piece < gets) {
            if (auto done = get(op, begin, std::min(atOnce, in - begin)); !done) {
                return done;
            }
        }
    }
    return m_host.meeting().state();
}

Result<void> IpcCommunicator::put(const Operation& op, std::size_t begin, std::size_t size)
{
    Pair& pair = m_outboxes[static_cast<std::size_t>(op.to)];
    IpcChannel& mine = page(rank()).channel(op.to);
    const IpcChannel& theirs = page(op.to).channel(rank());
    if (pair.memory == nullptr) {
        if (auto opened = openOutbox(op.to); !opened) {
            return failed(op.what, {"rank " + std::to_string(rank()) + ": " + opened.error().message});
        }
    }
    const std::uint64_t number = mine.put.load();
    const std::size_t place = number % Places;
    const auto isFree = [&] { return number - theirs.took.load() < Places; };
    if (auto free = m_host.meeting().await(op.what, op.to, isFree); !free) {
        return free;
    }
    if (number >= Places) {
        if (auto idle = pair.taken[0] == nullptr ? poll() : Result<void>(); !idle) {
            return idle;
        }
        if (auto opened = openEvents(pair.taken, theirs.taken); !opened) {
            return failed(op.what, {"rank " + std::to_string(rank()) + ": " + opened.error().message});
        }
        m_device->wait(pair.taken[place]);
    }
    copy(pair.memory + place * m_options.messageBytes, op.in.bytes() + begin, size);
    m_device->record(pair.filled[place]);
    mine.letters[place] = {op.in.count, op.in.type};
    mine.put.store(number + 1);
    m_host.meeting().ring(op.to);
    return {};
}

Result<void> IpcCommunicator::get(const Operation& op, std::size_t begin, std::size_t size)
{
    Pair& pair = m_inboxes[static_cast<std::size_t>(op.from)];
    IpcChannel& mine = page(rank()).channel(op.from);
    const IpcChannel& theirs = page(op.from).channel(rank());
    const std::uint64_t number = mine.took.load();
    const std::size_t place = number % Places;
    if (auto came = m_host.meeting().await(op.what, op.from, [&] { return theirs.put.load() > number; }); !came) {
        return came;
    }
    const auto& letter = theirs.letters[place];
    if (letter.count != op.out.count || letter.type != op.out.type) {
        return m_host.meeting().breakGroup("send_recv: rank " + std::to_string(op.from) + " has sent "
            + textOf(letter.count, letter.type) + ", rank " + std::to_string(rank()) + " expected "
            + textOf(op.out.count, op.out.type));
    }
    if (pair.memory == nullptr) {
        if (auto opened = openInbox(op.from); !opened) {
            return failed(op.what, {"rank " + std::to_string(rank()) + ": " + opened.error().message});
        }
    }
    m_device->wait(pair.filled[place]);
    copy(op.out.bytes() + begin, pair.memory + place * m_options.messageBytes, size);
    m_device->record(pair.taken[place]);
    mine.took.store(number + 1);
    m_host.meeting().ring(op.from);
    return {};
}

Result<void> IpcCommunicator::createEvents(std::array<DeviceEvent*, 2>& events, std::array<DeviceHandle, 2>& handles)
{
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto event = m_device->createEvent();
        if (!event) {
            return event.error();
        }
        events[i] = *event;
        const auto handle = m_device->exportEvent(*event);
        if (!handle) {
            return handle.error();
        }
        handles[i] = *handle;
    }
    return {};
}

Result<void> IpcCommunicator::openEvents(
    std::array<DeviceEvent*, 2>& events, const std::array<DeviceHandle, 2>& handles)
{
    for (std::size_t i = 0; i < events.size() && events[i] == nullptr; ++i) {
        const auto event = m_device->openEvent(handles[i]);
        if (!event) {
            return event.error();
        }
        events[i] = *event;
    }
    return {};
}

Result<void> IpcCommunicator::openOutbox(int peer)
{
    Pair& pair = m_outboxes[static_cast<std::size_t>(peer)];
    IpcChannel& mine = page(rank()).channel(peer);
    // What follows may wait inside the device's library; here a death is noticed.
    if (auto idle = poll(); !idle) {
        return idle;
    }
    const auto memory = m_device->allocateShared(Places * m_options.messageBytes);
    if (!memory) {
        return memory.error();
    }
    pair.memory = *memory;
    const auto handle = m_device->exportMemory(*memory);
    if (!handle) {
        return handle.error();
    }
    mine.memory = *handle;
    return createEvents(pair.filled, mine.filled);
}

Result<void> IpcCommunicator::openInbox(int peer)
{
    Pair& pair = m_inboxes[static_cast<std::size_t>(peer)];
    const IpcChannel& theirs = page(peer).channel(rank());
    if (auto idle = poll(); !idle) {
        return idle;
    }
    const auto memory = m_device->openMemory(theirs.memory);
    if (!memory) {
        return memory.error();
    }
    pair.memory = *memory;
    if (auto opened = openEvents(pair.filled, theirs.filled); !opened) {
        return opened;
    }
    return createEvents(pair.taken, page(rank()).channel(peer).taken);
}

} // namespace lockstep::comm
