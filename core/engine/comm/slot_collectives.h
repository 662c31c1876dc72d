// Collectives of ranks that read each other's slots, which lie in the host's memory or in a device's. In each round
// every rank writes its slot, all ranks meet, and every rank reads what it needs from the others' slots.
//
// Reductions are carried out in rank order by the rank that owns the part, so all ranks end with the same bits.
#pragma once

#include "engine/comm/communicator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace lockstep::comm {

/// Parts of a slot begin at multiples of this: a rank writes whole cache lines, a device whole memory transactions.
inline constexpr std::size_t SlotLine = 256;

constexpr std::size_t roundUpToLine(std::size_t bytes)
{
    return (bytes + SlotLine - 1) / SlotLine * SlotLine;
}

/// `Copy` has copy(to, from, bytes) and reduce(reduction, type, to, inputs, count), as in Device.
/// `Rounds` has, of the current round, given(rank) and made(rank): a rank's slots for its input and for its results.
/// meet(op) ends the round. slotBytes() is the size of given(), pieceBytes() how much all ranks reduce in a round.
template <typename Copy, typename Rounds>
class SlotCollectives {
public:
    SlotCollectives(int rank, int ranks, Copy& copy, Rounds& rounds)
        : m_rank(rank)
        , m_ranks(ranks)
        , m_own(static_cast<std::size_t>(rank))
        , m_count(static_cast<std::size_t>(ranks))
        , m_copy(copy)
        , m_rounds(rounds)
    { }

    /// Every collective except SendReceive. An all-reduce of at most `wholeBelow` bytes takes one round instead of two,
    /// because every rank then reduces the whole array.
    [[nodiscard]] Result<void> run(const Operation& op, std::size_t wholeBelow)
    {
        switch (op.what) {
        case Collective::Broadcast:
            return broadcast(op);
        case Collective::AllReduce:
            return op.in.byteCount() <= wholeBelow ? allReduceWhole(op) : reduceInParts(op);
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
        return m_rounds.meet(op);
    }

    /// A range of an array, in bytes.
    struct Piece {
        std::size_t begin = 0;
        std::size_t size = 0;
    };
    /// The part of a piece that `rank` reduces.
    [[nodiscard]] Piece shareOf(int rank, const Piece& piece) const
    {
        const std::size_t lines = roundUpToLine(piece.size) / SlotLine;
        const auto r = static_cast<std::size_t>(rank);
        const std::size_t first = std::min(piece.size, lines * r / m_count * SlotLine);
        const std::size_t last = std::min(piece.size, lines * (r + 1) / m_count * SlotLine);
        return {piece.begin + first, last - first};
    }

private:
    using Inputs = std::array<const void*, MaxRanks>;

    void copy(std::byte* to, const std::byte* from, std::size_t bytes)
    {
        if (bytes > 0 && to != from) {
            m_copy.copy(to, from, bytes);
        }
    }
    void reduce(const Operation& op, std::initializer_list<void*> to, const Inputs& inputs, std::size_t bytes)
    {
        if (bytes > 0) {
            m_copy.reduce(op.reduction, op.in.type, std::span<void* const>(to.begin(), to.size()),
                std::span<const void* const>(inputs.data(), m_count),
                static_cast<std::int64_t>(bytes / sizeOf(op.in.type)));
        }
    }
    /// The most bytes for one rank in a slot that has a part for each other rank.
    [[nodiscard]] std::size_t partBytes() const { return m_rounds.pieceBytes() / m_count / SlotLine * SlotLine; }
    /// Where `giver`'s slot has the part for rank `part`; there is none for the giver.
    [[nodiscard]] static std::size_t offsetOf(std::size_t part, std::size_t giver, std::size_t size)
    {
        return roundUpToLine(size) * (part > giver ? part - 1 : part);
    }

    [[nodiscard]] Result<void> broadcast(const Operation& op)
    {
        const std::size_t bytes = op.out.byteCount();
        const bool isRoot = m_rank == op.root;
        std::size_t begin = 0;
        do {
            const std::size_t size = std::min(m_rounds.slotBytes(), bytes - begin);
            const std::byte* from = m_rounds.given(op.root);
            if (isRoot) {
                copy(m_rounds.given(m_rank), op.in.bytes() + begin, size);
            }
            LOCKSTEP_TRY(m_rounds.meet(op));
            copy(op.out.bytes() + begin, isRoot ? op.in.bytes() + begin : from, size);
            begin += size;
        } while (begin < bytes);
        return {};
    }

    [[nodiscard]] Result<void> allReduceWhole(const Operation& op)
    {
        copy(m_rounds.given(m_rank), op.in.bytes(), op.in.byteCount());
        Inputs inputs{};
        for (int r = 0; r < m_ranks; ++r) {
            inputs[static_cast<std::size_t>(r)] = r == m_rank ? op.in.data : m_rounds.given(r);
        }
        LOCKSTEP_TRY(m_rounds.meet(op));
        reduce(op, {op.out.data}, inputs, op.in.byteCount());
        return {};
    }

    /// Reduce-scatter and all-gather (or gather) of one piece after the other. A piece is gathered in the round in
    /// which the next one is scattered, so n pieces take n + 1 rounds. A slot holds the other ranks' shares without
    /// gaps.
    [[nodiscard]] Result<void> reduceInParts(const Operation& op)
    {
        const std::size_t bytes = op.in.byteCount();
        const std::size_t atOnce = m_rounds.pieceBytes();
        const bool wantsResult = op.what == Collective::AllReduce || m_rank == op.root;
        Piece previous;
        Piece piece{0, std::min(atOnce, bytes)};
        while (true) {
            const Piece own = shareOf(m_rank, piece);
            const std::size_t before = own.begin - piece.begin;
            const std::size_t after = piece.size - before - own.size;
            std::byte* slot = m_rounds.given(m_rank);
            copy(slot, op.in.bytes() + piece.begin, before);
            copy(slot + before, op.in.bytes() + own.begin + own.size, after);
            Inputs inputs{};
            std::array<const std::byte*, MaxRanks> results{};
            for (int r = 0; r < m_ranks; ++r) {
                const auto at = static_cast<std::size_t>(r);
                const std::size_t skipped = r < m_rank ? shareOf(r, piece).size : 0;
                inputs[at] = r == m_rank ? op.in.bytes() + own.begin : m_rounds.given(r) + (before - skipped);
                results[at] = m_rounds.made(r);
            }
            LOCKSTEP_TRY(m_rounds.meet(op));
            for (int r = 0; r < m_ranks && wantsResult; ++r) {
                const Piece share = shareOf(r, previous);
                if (r != m_rank) {
                    copy(op.out.bytes() + share.begin, results[static_cast<std::size_t>(r)], share.size);
                }
            }
            if (piece.size == 0) {
                return {};
            }
            std::byte* made = m_rounds.made(m_rank);
            std::byte* out = wantsResult ? op.out.bytes() + own.begin : made;
            if (op.what == Collective::AllReduce) {
                reduce(op, {out, made}, inputs, own.size);
            } else {
                reduce(op, {out}, inputs, own.size);
            }
            previous = piece;
            piece.begin += piece.size;
            piece.size = std::min(atOnce, bytes - piece.begin);
        }
    }

    [[nodiscard]] Result<void> reduceScatter(const Operation& op)
    {
        const std::size_t bytes = op.out.byteCount();
        std::size_t begin = 0;
        do {
            const std::size_t size = std::min(partBytes(), bytes - begin);
            Inputs inputs{};
            for (std::size_t r = 0; r < m_count; ++r) {
                const std::byte* mine = op.in.bytes() + r * bytes + begin;
                if (r != m_own) {
                    copy(m_rounds.given(m_rank) + offsetOf(r, m_own, size), mine, size);
                }
                inputs[r] = r == m_own ? mine : m_rounds.given(static_cast<int>(r)) + offsetOf(m_own, r, size);
            }
            LOCKSTEP_TRY(m_rounds.meet(op));
            reduce(op, {op.out.bytes() + begin}, inputs, size);
            begin += size;
        } while (begin < bytes);
        return {};
    }

    [[nodiscard]] Result<void> gather(const Operation& op)
    {
        const std::size_t bytes = op.in.byteCount();
        const bool wantsResult = op.what == Collective::AllGather || m_rank == op.root;
        std::byte* place = wantsResult ? op.out.bytes() + m_own * bytes : nullptr;
        if (wantsResult) {
            copy(place, op.in.bytes(), bytes);
        }
        // In place the copy above may have moved what `in` pointed at.
        const std::byte* mine = wantsResult ? place : op.in.bytes();
        std::size_t begin = 0;
        do {
            const std::size_t size = std::min(m_rounds.slotBytes(), bytes - begin);
            if (op.what == Collective::AllGather || m_rank != op.root) {
                copy(m_rounds.given(m_rank), mine + begin, size);
            }
            std::array<const std::byte*, MaxRanks> slots{};
            for (int r = 0; r < m_ranks; ++r) {
                slots[static_cast<std::size_t>(r)] = m_rounds.given(r);
            }
            LOCKSTEP_TRY(m_rounds.meet(op));
            for (std::size_t r = 0; r < m_count && wantsResult; ++r) {
                if (r != m_own) {
                    copy(op.out.bytes() + r * bytes + begin, slots[r], size);
                }
            }
            begin += size;
        } while (begin < bytes);
        return {};
    }

    /// In a scatter only the root sends, in an all-to-all every rank; each part of a slot is for one other rank.
    [[nodiscard]] Result<void> scatterOrExchange(const Operation& op)
    {
        const bool isScatter = op.what == Collective::Scatter;
        const std::size_t bytes = isScatter ? op.out.byteCount() : op.out.byteCount() / m_count;
        const bool gives = !isScatter || m_rank == op.root;
        std::size_t begin = 0;
        do {
            const std::size_t size = std::min(partBytes(), bytes - begin);
            std::array<const std::byte*, MaxRanks> slots{};
            for (std::size_t r = 0; r < m_count; ++r) {
                if (gives && r != m_own) {
                    copy(m_rounds.given(m_rank) + offsetOf(r, m_own, size), op.in.bytes() + r * bytes + begin, size);
                }
                slots[r] = m_rounds.given(static_cast<int>(r)) + offsetOf(m_own, r, size);
            }
            LOCKSTEP_TRY(m_rounds.meet(op));
            for (std::size_t r = 0; r < m_count; ++r) {
                std::byte* to = op.out.bytes() + (isScatter ? 0 : r * bytes) + begin;
                if (r == m_own && gives) {
                    copy(to, op.in.bytes() + r * bytes + begin, size);
                } else if (!isScatter || static_cast<int>(r) == op.root) {
                    copy(to, slots[r], size);
                }
            }
            begin += size;
        } while (begin < bytes);
        return {};
    }

    int m_rank;
    int m_ranks;
    std::size_t m_own; ///< m_rank and m_ranks, as sizes
    std::size_t m_count;
    Copy& m_copy;
    Rounds& m_rounds;
};

} // namespace lockstep::comm
