#include "engine/comm/device/ipc_ranks.h"

#include "engine/comm/gather_through_slots.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string>

namespace lockstep::comm {

namespace {

/// Shares and parts begin at multiples of this, so that a device reads and writes whole lines.
constexpr std::size_t IpcLine = 256;
constexpr std::size_t LeastSlot = std::size_t{1} << 20;
/// What reducing everything everywhere may cost at two ranks; the extra traffic grows with the square of the ranks.
constexpr std::size_t WholeAtTwoRanks = std::size_t{8} << 20;
/// Rounds after which the host looks how far the device is; it is never more than three laps ahead, which at 8 ranks
/// are some 400 things in a queue that holds 1024.
constexpr std::uint32_t RoundsInALap = 8;

constexpr std::size_t roundUpToLine(std::size_t bytes)
{
    return (bytes + IpcLine - 1) / IpcLine * IpcLine;
}

constexpr std::size_t roundDown(std::size_t bytes)
{
    return bytes / IpcLine * IpcLine;
}

} // namespace

Result<void> IpcCommunicator::execute(const Operation& op, OperationTimes& times)
{
    if (op.what != Collective::Barrier && spaceOf(op, rank()) == Space::Host) {
        auto done = m_host.run(op);
        times = m_host.lastTimes();
        return done;
    }
    m_last = op.what;
    auto done = carryOutOnDevice(op, times);
    m_host.end();
    if (!done) {
        giveUp();
    }
    return done;
}

Result<void> IpcCommunicator::carryOutOnDevice(const Operation& op, OperationTimes& times)
{
    if (auto begun = m_host.begin(op, times, sharedArrayOf(op)); !begun) {
        return begun;
    }
    m_hasMet = false;
    auto done = op.what == Collective::SendReceive ? exchange(op) : makeRoomFor(op, times);
    if (done && op.what != Collective::SendReceive) {
        done = runOnDevice(op);
    }
    return done ? stateOfDevice() : done;
}

Result<void> IpcCommunicator::runOnDevice(const Operation& op)
{
    if (const std::int32_t array = sharedArrayOf(op); array >= 0) {
        return allReduceShared(op, *m_arrays[static_cast<std::size_t>(array)]);
    }
    if (size() == 1) {
        return alone(op);
    }
    const std::size_t whole = m_options.reduceWholeBelow != 0
        ? m_options.reduceWholeBelow
        : 4 * WholeAtTwoRanks / static_cast<std::size_t>(size() * size());
    switch (op.what) {
    case Collective::Broadcast:
        return broadcast(op);
    case Collective::AllReduce:
        return op.in.byteCount() <= std::min(whole, m_slotBytes) ? allReduceWhole(op) : reduceInParts(op);
    case Collective::Reduce:
        return reduceInParts(op);
    case Collective::Gather:
    case Collective::AllGather:
        return gather(op);
    case Collective::Scatter:
    case Collective::AllToAll:
        return scatterOrExchange(op);
    case Collective::ReduceScatter:
        return reduceScatter(op);
    case Collective::Barrier:
    case Collective::SendReceive:
        break;
    }
    return round(op);
}

Result<void> IpcCommunicator::alone(const Operation& op)
{
    if (isReducing(op.what) && op.in.count > 0) {
        const void* input = op.in.data;
        m_device->reduce(op.reduction, op.in.type, op.out.data, nullptr, {&input, 1}, op.in.count);
    } else if (op.what != Collective::Barrier) {
        copy(op.out.bytes(), op.in.bytes(), op.out.byteCount());
    }
    return {};
}

Result<void> IpcCommunicator::makeRoomFor(const Operation& op, OperationTimes& times)
{
    const auto ranks = static_cast<std::size_t>(size());
    // From what all ranks agree on alone, so that all come to the same.
    std::size_t wanted = 0;
    switch (op.what) {
    case Collective::Broadcast:
        wanted = op.out.byteCount();
        break;
    case Collective::Reduce:
    case Collective::AllReduce:
    case Collective::Gather:
    case Collective::AllGather:
    case Collective::AllToAll:
        wanted = op.in.byteCount() + ranks * IpcLine;
        break;
    case Collective::Scatter:
    case Collective::ReduceScatter:
        wanted = ranks * roundUpToLine(op.out.byteCount());
        break;
    case Collective::Barrier:
    case Collective::SendReceive:
        return {};
    }
    wanted = std::min(m_slotLimit, std::bit_ceil(std::max(wanted, LeastSlot)));
    if (size() == 1 || wanted <= m_slotBytes || sharedArrayOf(op) >= 0) {
        return {};
    }
    if (auto met = m_host.meet(op); !met) { // do they call the same at all?
        return met;
    }
    if (auto grown = growSlots(wanted); !grown) {
        return failed(op.what, grown.error());
    }
    return m_host.begin(op, times, -1);
}

Result<void> IpcCommunicator::growSlots(std::size_t bytes)
{
    // Nobody frees what a stream still reads.
    if (auto idle = poll(); !idle) {
        return idle;
    }
    if (auto all = m_host.meeting().meet(m_last); !all) {
        return all;
    }
    if (auto closed = closeMemory(m_slots); !closed) {
        return closed;
    }
    m_slotBytes = 0;
    const std::size_t madeBytes = roundUpToLine(bytes / static_cast<std::size_t>(size() - 1) + IpcLine);
    auto shared = shareMemory(2 * (bytes + madeBytes));
    if (!shared) {
        return shared.error();
    }
    m_slots = std::move(*shared);
    m_slotBytes = bytes;
    m_madeBytes = madeBytes;
    return {};
}

std::byte* IpcCommunicator::given(int rank) const
{
    return m_slots.of[static_cast<std::size_t>(rank)] + m_parity * m_slotBytes;
}

std::byte* IpcCommunicator::made(int rank) const
{
    return m_slots.of[static_cast<std::size_t>(rank)] + 2 * m_slotBytes + m_parity * m_madeBytes;
}

void IpcCommunicator::copy(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes > 0 && to != from) {
        m_device->copy(to, from, bytes);
    }
}

Result<void> IpcCommunicator::round(const Operation& op)
{
    if (size() == 1) {
        return {};
    }
    if (auto close = stayClose(op); !close) {
        return close;
    }
    if (m_options.spinsOnFlags) {
        return roundByFlags(op);
    }
    m_device->record(m_events[static_cast<std::size_t>(rank())][m_parity]);
    if (auto met = m_host.meet(op); !met) {
        return met;
    }
    for (int r = 0; r < size(); ++r) {
        if (r != rank()) {
            m_device->wait(m_events[static_cast<std::size_t>(r)][m_parity]);
        }
    }
    m_parity ^= 1;
    return {};
}

/// Flags only grow, so a wait needs nobody to have queued anything before: one meeting an operation, to compare what is
/// called, is enough.
Result<void> IpcCommunicator::roundByFlags(const Operation& op)
{
    const auto flagOf
        = [&](int r) { return reinterpret_cast<std::uint32_t*>(m_flags.of[static_cast<std::size_t>(r)]); };
    m_device->setFlag(flagOf(rank()), m_round);
    if (!m_hasMet) {
        m_hasMet = true;
        if (auto met = m_host.meet(op); !met) {
            return met;
        }
    }
    std::array<const std::uint32_t*, MaxRanks> flags{};
    for (int r = 0; r < size(); ++r) {
        flags[static_cast<std::size_t>(r)] = flagOf(r);
    }
    m_device->waitForFlags({.flags = {flags.data(), static_cast<std::size_t>(size())},
        .value = m_round,
        .limit = m_host.meeting().timeout(),
        .stop = m_stop,
        .missing = m_missing});
    m_parity ^= 1;
    return {};
}

Result<void> IpcCommunicator::stayClose(const Operation& op)
{
    if (++m_round % RoundsInALap != 0) {
        return {};
    }
    DeviceEvent* lap = m_laps[m_round / RoundsInALap % 2];
    const auto isPassed = [&] { return m_device->hasHappened(lap) || !m_device->state(); };
    if (auto passed = pollDevice(op.what, isPassed); !passed) {
        return passed;
    }
    m_device->record(lap);
    return {};
}

Result<void> IpcCommunicator::broadcast(const Operation& op)
{
    const std::size_t bytes = op.out.byteCount();
    const bool isRoot = rank() == op.root;
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(m_slotBytes, bytes - begin);
        const std::byte* from = given(op.root);
        if (isRoot) {
            copy(given(rank()), op.in.bytes() + begin, size);
        }
        if (auto met = round(op); !met) {
            return met;
        }
        copy(op.out.bytes() + begin, isRoot ? op.in.bytes() + begin : from, size);
        begin += size;
    } while (begin < bytes);
    return {};
}

Result<void> IpcCommunicator::allReduceWhole(const Operation& op)
{
    copy(given(rank()), op.in.bytes(), op.in.byteCount());
    std::array<const void*, MaxRanks> inputs{};
    for (int r = 0; r < size(); ++r) {
        inputs[static_cast<std::size_t>(r)] = r == rank() ? op.in.data : given(r);
    }
    if (auto met = round(op); !met) {
        return met;
    }
    if (op.in.count > 0) {
        m_device->reduce(op.reduction, op.in.type, op.out.data, nullptr,
            {inputs.data(), static_cast<std::size_t>(size())}, op.in.count);
    }
    return {};
}

std::int32_t IpcCommunicator::sharedArrayOf(const Operation& op) const
{
    for (std::size_t i = 0; i < m_arrays.size() && op.what == Collective::AllReduce; ++i) {
        if (op.in.data == m_arrays[i]->own() && op.in.byteCount() <= m_arrays[i]->bytes()) {
            return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

/// Each rank reduces its share straight from all ranks' arrays into the common result: nothing is copied. After the
/// second round every stream is past everyone's reading, so the arrays may be written again, and the result is whole.
Result<void> IpcCommunicator::allReduceShared(const Operation& op, IpcArray& array)
{
    if (auto met = round(op); !met) {
        return met;
    }
    array.begin();
    const Piece own = shareOf(rank(), {0, op.in.byteCount()});
    std::array<const void*, MaxRanks> inputs{};
    for (int r = 0; r < size(); ++r) {
        inputs[static_cast<std::size_t>(r)] = array.of(r) + own.begin;
    }
    if (own.size > 0) {
        m_device->reduce(op.reduction, op.in.type, array.result() + own.begin, nullptr,
            {inputs.data(), static_cast<std::size_t>(size())},
            static_cast<std::int64_t>(own.size / sizeOf(op.in.type)));
    }
    if (auto met = round(op); !met) {
        return met;
    }
    if (op.out.data != nullptr) {
        copy(op.out.bytes(), array.result(), op.in.byteCount());
    }
    return {};
}

IpcCommunicator::Piece IpcCommunicator::shareOf(int rank, const Piece& piece) const
{
    const std::size_t lines = (piece.size + IpcLine - 1) / IpcLine;
    const auto ranks = static_cast<std::size_t>(size());
    const auto r = static_cast<std::size_t>(rank);
    const std::size_t first = std::min(piece.size, lines * r / ranks * IpcLine);
    const std::size_t last = std::min(piece.size, lines * (r + 1) / ranks * IpcLine);
    return {piece.begin + first, last - first};
}

/// Reduce-scatter and all-gather (or gather) of one piece after the other, the gathering of a piece in the same round
/// as the scattering of the next. A slot holds the other ranks' shares, one behind the other, without the rank's own.
Result<void> IpcCommunicator::reduceInParts(const Operation& op)
{
    const std::size_t bytes = op.in.byteCount();
    const std::size_t element = sizeOf(op.in.type);
    const auto ranks = static_cast<std::size_t>(size());
    const std::size_t atOnce = roundDown(m_slotBytes / (ranks - 1)) * ranks;
    const bool wantsResult = op.what == Collective::AllReduce || rank() == op.root;
    Piece previous;
    Piece piece{0, std::min(atOnce, bytes)};
    while (true) {
        const Piece own = shareOf(rank(), piece);
        const std::size_t before = own.begin - piece.begin;
        const std::size_t after = piece.size - before - own.size;
        copy(given(rank()), op.in.bytes() + piece.begin, before);
        copy(given(rank()) + before, op.in.bytes() + own.begin + own.size, after);
        std::array<const void*, MaxRanks> inputs{};
        std::array<const std::byte*, MaxRanks> results{};
        for (int r = 0; r < size(); ++r) {
            const auto at = static_cast<std::size_t>(r);
            const std::size_t skipped = r < rank() ? shareOf(r, piece).size : 0;
            inputs[at] = r == rank() ? op.in.bytes() + own.begin : given(r) + (before - skipped);
            results[at] = made(r);
        }
        if (auto met = round(op); !met) {
            return met;
        }
        for (int r = 0; r < size() && wantsResult; ++r) {
            const Piece share = shareOf(r, previous);
            if (r != rank()) {
                copy(op.out.bytes() + share.begin, results[static_cast<std::size_t>(r)], share.size);
            }
        }
        if (piece.size == 0) {
            return {};
        }
        if (own.size > 0) {
            void* result = wantsResult ? op.out.bytes() + own.begin : made(rank());
            void* also = op.what == Collective::AllReduce ? made(rank()) : nullptr;
            m_device->reduce(op.reduction, op.in.type, result, also, {inputs.data(), ranks},
                static_cast<std::int64_t>(own.size / element));
        }
        previous = piece;
        piece.begin += piece.size;
        piece.size = std::min(atOnce, bytes - piece.begin);
    }
}

Result<void> IpcCommunicator::reduceScatter(const Operation& op)
{
    const std::size_t element = sizeOf(op.in.type);
    const std::size_t bytes = op.out.byteCount();
    const auto ranks = static_cast<std::size_t>(size());
    const auto own = static_cast<std::size_t>(rank());
    const std::size_t atOnce = roundDown(m_slotBytes / (ranks - 1));
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(atOnce, bytes - begin);
        const std::size_t stride = roundUpToLine(size);
        // A slot has no part for its own rank.
        const auto placeOf
            = [stride](std::size_t part, std::size_t giver) { return stride * (part > giver ? part - 1 : part); };
        std::array<const void*, MaxRanks> inputs{};
        for (std::size_t r = 0; r < ranks; ++r) {
            const std::byte* mine = op.in.bytes() + r * bytes + begin;
            if (r != own) {
                copy(given(rank()) + placeOf(r, own), mine, size);
            }
            inputs[r] = r == own ? mine : given(static_cast<int>(r)) + placeOf(own, r);
        }
        if (auto met = round(op); !met) {
            return met;
        }
        if (size > 0) {
            m_device->reduce(op.reduction, op.in.type, op.out.bytes() + begin, nullptr, {inputs.data(), ranks},
                static_cast<std::int64_t>(size / element));
        }
        begin += size;
    } while (begin < bytes);
    return {};
}

Result<void> IpcCommunicator::gather(const Operation& op)
{
    return gatherThroughSlots(
        op, rank(), size(), m_slotBytes,
        [this](std::byte* to, const std::byte* from, std::size_t bytes) { copy(to, from, bytes); },
        [this](int r) { return given(r); }, [&] { return round(op); });
}

/// Scatter gives from the root alone, all-to-all from everyone: each part of a slot is for one other rank.
Result<void> IpcCommunicator::scatterOrExchange(const Operation& op)
{
    const bool isScatter = op.what == Collective::Scatter;
    const auto ranks = static_cast<std::size_t>(size());
    const auto own = static_cast<std::size_t>(rank());
    const std::size_t bytes = isScatter ? op.out.byteCount() : op.out.byteCount() / ranks;
    const bool gives = !isScatter || rank() == op.root;
    const std::size_t atOnce = roundDown(m_slotBytes / (ranks - 1));
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(atOnce, bytes - begin);
        const std::size_t stride = roundUpToLine(size);
        const auto placeOf
            = [stride](std::size_t part, std::size_t giver) { return stride * (part > giver ? part - 1 : part); };
        std::array<const std::byte*, MaxRanks> slots{};
        for (std::size_t r = 0; r < ranks; ++r) {
            if (gives && r != own) {
                copy(given(rank()) + placeOf(r, own), op.in.bytes() + r * bytes + begin, size);
            }
            slots[r] = given(static_cast<int>(r)) + placeOf(own, r);
        }
        if (auto met = round(op); !met) {
            return met;
        }
        for (std::size_t r = 0; r < ranks; ++r) {
            std::byte* to = op.out.bytes() + (isScatter ? 0 : r * bytes) + begin;
            if (r == own && gives) {
                copy(to, op.in.bytes() + r * bytes + begin, size);
            } else if (!isScatter || static_cast<int>(r) == op.root) {
                copy(to, slots[r], size);
            }
        }
        begin += size;
    } while (begin < bytes);
    return {};
}

} // namespace lockstep::comm
