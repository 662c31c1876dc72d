#include "engine/comm/shm/shm_ranks.h"

#include "base/clock.h"
#include "engine/comm/gather_through_slots.h"
#include "engine/comm/reduce.h"
#include "engine/comm/shm/handout.h"
#include "engine/comm/shm/mailboxes.h"
#include "engine/comm/shm/meeting.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/shared_memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace lockstep::comm {

namespace {

/// Up to here every rank reduces everything by itself: one meeting instead of two is worth more than the arithmetic.
constexpr std::size_t ReduceAllBelow = 16u << 10;
constexpr std::int64_t FollowUpNs = 100'000;

std::string signatureText(const Signature& s)
{
    std::string text(nameOf(s.what));
    if (s.what != Collective::Barrier) {
        text += " of " + std::to_string(s.count) + " " + std::string(nameOf(s.type));
    }
    if (s.space == Space::Device) {
        text += " in the GPU's memory";
    }
    const bool reduces
        = s.what == Collective::Reduce || s.what == Collective::AllReduce || s.what == Collective::ReduceScatter;
    if (reduces) {
        text += " (" + std::string(nameOf(s.reduction)) + ")";
    }
    return s.root >= 0 ? text + ", root " + std::to_string(s.root) : text;
}

void copyBytes(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes > 0 && to != from) {
        std::memmove(to, from, bytes);
    }
}

} // namespace

Result<void> ShmCommunicator::begin(const Operation& op, OperationTimes& times, std::int32_t array)
{
    // Operations that follow each other at once are one algorithm's: whoever had to be waited for has come.
    const bool isFollowUp = times.enterNs - m_lastExitNs < FollowUpNs;
    m_meeting.expect(isFollowUp ? Awaited::Soon : Awaited::Whenever);
    if (auto usable = m_meeting.state(); !usable) {
        return usable;
    }
    m_times = &times;
    if (op.what == Collective::SendReceive) {
        return {};
    }
    ++m_operations;
    m_hasMet = false;
    RankBlock& mine = m_region->rank(rank());
    mine.signatures[m_operations % 2] = signatureOf(op, array);
    mine.arrivalNs[m_operations % 2].store(monotonicNs());
    return {};
}

Result<void> ShmCommunicator::execute(const Operation& op, OperationTimes& times)
{
    auto done = begin(op, times, sharedArrayOf(op));
    if (done) {
        done = executeNow(op);
    }
    end();
    return done;
}

void ShmCommunicator::end()
{
    m_lastExitNs = monotonicNs();
}

Result<void> ShmCommunicator::executeNow(const Operation& op)
{
    switch (op.what) {
    case Collective::Broadcast:
        return broadcast(op);
    case Collective::AllReduce:
        if (const std::int32_t array = sharedArrayOf(op); array >= 0) {
            return allReduceShared(op, *m_arrays[static_cast<std::size_t>(array)].lock());
        }
        return op.in.byteCount() <= ReduceAllBelow ? allReduceAtOnce(op) : reduceInParts(op);
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
    case Collective::SendReceive:
        return exchange(*m_region, m_meeting, rank(), op);
    case Collective::Barrier:
        break;
    }
    return meet(op);
}

Result<void> ShmCommunicator::broadcast(const Operation& op)
{
    const std::size_t bytes = op.out.byteCount();
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(SlotBytes, bytes - begin);
        if (rank() == op.root) {
            copyBytes(given(rank()), op.in.bytes() + begin, size);
        }
        const std::byte* from = given(op.root);
        if (auto met = meet(op); !met) {
            return met;
        }
        const bool isRoot = rank() == op.root;
        copyBytes(op.out.bytes() + begin, isRoot ? op.in.bytes() + begin : from, size);
        begin += size;
    } while (begin < bytes);
    return {};
}

Result<void> ShmCommunicator::allReduceAtOnce(const Operation& op)
{
    copyBytes(given(rank()), op.in.bytes(), op.in.byteCount());
    std::array<const void*, MaxRanks> inputs{};
    for (int r = 0; r < size(); ++r) {
        inputs[static_cast<std::size_t>(r)] = given(r);
    }
    if (auto met = meet(op); !met) {
        return met;
    }
    reduceArrays(op.reduction, op.in.type, op.out.data, {inputs.data(), static_cast<std::size_t>(size())}, op.in.count);
    return {};
}

std::int32_t ShmCommunicator::sharedArrayOf(const Operation& op) const
{
    for (std::size_t i = 0; i < m_arrays.size() && op.what == Collective::AllReduce; ++i) {
        const auto memory = m_arrays[i].lock();
        if (memory && op.in.data == memory->of(rank()) && op.in.byteCount() <= memory->bytes()) {
            return static_cast<std::int32_t>(i);
        }
    }
    return -1;
}

/// The ranks reduce part after part straight from each other's memory into the common result: nothing is copied on the
/// way. No rank's memory is written before all have come to the next meeting, so none is overwritten while it is read.
Result<void> ShmCommunicator::allReduceShared(const Operation& op, SharedMemory& memory)
{
    if (auto met = meet(op); !met) {
        return met;
    }
    memory.begin();
    const std::size_t element = sizeOf(op.in.type);
    const auto elements = static_cast<std::size_t>(op.in.count);
    const auto parts = static_cast<std::size_t>(memory.parts());
    for (int part = memory.claimPart(); part >= 0; part = memory.claimPart()) {
        const std::size_t first = elements * static_cast<std::size_t>(part) / parts;
        const std::size_t last = elements * (static_cast<std::size_t>(part) + 1) / parts;
        std::array<const void*, MaxRanks> inputs{};
        for (int r = 0; r < size(); ++r) {
            inputs[static_cast<std::size_t>(r)] = memory.of(r) + first * element;
        }
        reduceArrays(op.reduction, op.in.type, memory.result() + first * element,
            {inputs.data(), static_cast<std::size_t>(size())}, static_cast<std::int64_t>(last - first));
        if (memory.finishPart()) {
            for (int r = 0; r < size(); ++r) {
                m_meeting.ring(r);
            }
        }
    }
    if (auto done = m_meeting.await(op.what, Meeting::Anyone, [&] { return memory.isDone(); }); !done) {
        return done;
    }
    if (op.out.data != nullptr) {
        copyBytes(op.out.bytes(), memory.result(), op.in.byteCount());
    }
    return {};
}

ShmCommunicator::Piece ShmCommunicator::shareOf(int rank, const Piece& piece, std::size_t elementBytes) const
{
    const std::size_t elements = piece.size / elementBytes;
    const auto ranks = static_cast<std::size_t>(size());
    const auto r = static_cast<std::size_t>(rank);
    const std::size_t first = elements * r / ranks;
    const std::size_t last = elements * (r + 1) / ranks;
    return {piece.begin + first * elementBytes, (last - first) * elementBytes};
}

/// Reduce-scatter and all-gather (or gather) of one piece after the other. The gathering of a piece shares its meeting
/// with the scattering of the next, so a piece costs one meeting, and there is one more at the end.
Result<void> ShmCommunicator::reduceInParts(const Operation& op)
{
    const std::size_t bytes = op.in.byteCount();
    const std::size_t element = sizeOf(op.in.type);
    const bool wantsResult = op.what == Collective::AllReduce || rank() == op.root;
    Piece previous;
    Piece piece{0, std::min(SlotBytes, bytes)};
    while (true) {
        const Piece own = shareOf(rank(), piece, element);
        // The others reduce what is not one's own share.
        std::byte* slot = given(rank());
        copyBytes(slot, op.in.bytes() + piece.begin, own.begin - piece.begin);
        const std::size_t ownEnd = own.begin + own.size;
        copyBytes(slot + (ownEnd - piece.begin), op.in.bytes() + ownEnd, piece.begin + piece.size - ownEnd);
        std::array<const void*, MaxRanks> inputs{};
        std::array<const std::byte*, MaxRanks> results{};
        for (int r = 0; r < size(); ++r) {
            const auto at = static_cast<std::size_t>(r);
            inputs[at] = r == rank() ? op.in.bytes() + own.begin : given(r) + (own.begin - piece.begin);
            results[at] = made(r);
        }
        if (auto met = meet(op); !met) {
            return met;
        }
        for (int r = 0; r < size() && wantsResult; ++r) {
            const Piece share = shareOf(r, previous, element);
            if (r != rank()) {
                copyBytes(op.out.bytes() + share.begin, results[static_cast<std::size_t>(r)], share.size);
            }
        }
        if (piece.size == 0) {
            return {};
        }
        std::byte* result = wantsResult ? op.out.bytes() + own.begin : made(rank());
        reduceArrays(op.reduction, op.in.type, result, {inputs.data(), static_cast<std::size_t>(size())},
            static_cast<std::int64_t>(own.size / element));
        if (wantsResult && op.what == Collective::AllReduce) {
            copyBytes(made(rank()), result, own.size);
        }
        previous = piece;
        piece.begin += piece.size;
        piece.size = std::min(SlotBytes, bytes - piece.begin);
    }
}

Result<void> ShmCommunicator::reduceScatter(const Operation& op)
{
    const std::size_t element = sizeOf(op.in.type);
    const std::size_t bytes = op.out.byteCount();
    const auto ranks = static_cast<std::size_t>(size());
    const std::size_t atOnce = SlotBytes / ranks / element * element;
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(atOnce, bytes - begin);
        std::array<const void*, MaxRanks> inputs{};
        for (std::size_t r = 0; r < ranks; ++r) {
            const bool isOwn = r == static_cast<std::size_t>(rank());
            if (!isOwn) {
                copyBytes(given(rank()) + r * size, op.in.bytes() + r * bytes + begin, size);
            }
            inputs[r] = isOwn ? op.in.bytes() + r * bytes + begin
                              : given(static_cast<int>(r)) + static_cast<std::size_t>(rank()) * size;
        }
        if (auto met = meet(op); !met) {
            return met;
        }
        reduceArrays(op.reduction, op.in.type, op.out.bytes() + begin, {inputs.data(), ranks},
            static_cast<std::int64_t>(size / element));
        begin += size;
    } while (begin < bytes);
    return {};
}

Result<void> ShmCommunicator::gather(const Operation& op)
{
    return gatherThroughSlots(op, rank(), size(), SlotBytes,
        copyBytes, [this](int r) { return given(r); }, [&] { return meet(op); });
}

/// Scatter gives from the root alone, all-to-all from everyone: part r of a slot is for rank r.
Result<void> ShmCommunicator::scatterOrExchange(const Operation& op)
{
    const bool isScatter = op.what == Collective::Scatter;
    const auto ranks = static_cast<std::size_t>(size());
    const auto own = static_cast<std::size_t>(rank());
    const std::size_t bytes = isScatter ? op.out.byteCount() : op.out.byteCount() / ranks;
    const bool gives = !isScatter || rank() == op.root;
    const std::size_t atOnce = SlotBytes / ranks;
    std::size_t begin = 0;
    do {
        const std::size_t size = std::min(atOnce, bytes - begin);
        for (std::size_t r = 0; r < ranks && gives; ++r) {
            copyBytes(given(rank()) + r * size, op.in.bytes() + r * bytes + begin, size);
        }
        std::array<const std::byte*, MaxRanks> slots{};
        for (std::size_t r = 0; r < ranks; ++r) {
            slots[r] = given(static_cast<int>(r)) + own * size;
        }
        if (auto met = meet(op); !met) {
            return met;
        }
        for (std::size_t r = 0; r < ranks; ++r) {
            if (isScatter && static_cast<int>(r) == op.root) {
                copyBytes(op.out.bytes() + begin, slots[r], size);
            } else if (!isScatter) {
                copyBytes(op.out.bytes() + r * bytes + begin, slots[r], size);
            }
        }
        begin += size;
    } while (begin < bytes);
    return {};
}

Result<void> ShmCommunicator::meet(const Operation& op)
{
    auto met = m_meeting.meet(op.what);
    m_parity ^= 1;
    if (met && !m_hasMet) {
        m_hasMet = true;
        m_meeting.expect(Awaited::Soon);
        return compareSignatures();
    }
    return met;
}

Result<void> ShmCommunicator::compareSignatures()
{
    const auto at = m_operations % 2;
    const Signature& mine = m_region->rank(rank()).signatures[at];
    for (int r = 0; r < size(); ++r) {
        const RankBlock& other = m_region->rank(r);
        m_times->lastArrivalNs = std::max(m_times->lastArrivalNs, other.arrivalNs[at].load());
        if (!(other.signatures[at] == mine)) {
            // Told from the first rank that differs from rank 0, so that every rank says the same.
            const Signature& first = m_region->rank(0).signatures[at];
            int odd = 1;
            while (m_region->rank(odd).signatures[at] == first) {
                ++odd;
            }
            return m_meeting.breakGroup("the ranks do not call the same: rank 0 calls " + signatureText(first)
                + ", rank " + std::to_string(odd) + " calls " + signatureText(m_region->rank(odd).signatures[at]));
        }
    }
    return {};
}

Signature ShmCommunicator::signatureOf(const Operation& op, std::int32_t array) const
{
    const bool hasRoot = op.what == Collective::Broadcast || op.what == Collective::Reduce
        || op.what == Collective::Gather || op.what == Collective::Scatter;
    const bool reduces
        = op.what == Collective::Reduce || op.what == Collective::AllReduce || op.what == Collective::ReduceScatter;
    // What every rank must agree on: a rank's own part, whichever side of the call it stands on.
    const bool countsOut
        = op.what == Collective::Scatter || op.what == Collective::ReduceScatter || op.what == Collective::Broadcast;
    Signature signature;
    signature.what = op.what;
    signature.root = hasRoot ? op.root : -1;
    if (op.what != Collective::Barrier) {
        signature.type = countsOut ? op.out.type : op.in.type;
        signature.count = countsOut ? op.out.count : op.in.count;
    }
    signature.reduction = reduces ? op.reduction : Reduction::Sum;
    signature.space = spaceOf(op, rank());
    signature.array = array;
    return signature;
}

} // namespace lockstep::comm
