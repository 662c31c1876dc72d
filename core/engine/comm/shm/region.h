// The memory that the ranks of a group share: an anonymous file (memfd_create), so that no name can be left behind; it
// disappears with the last process that has it open. This file defines only its layout.
#pragma once

#include "base/descriptor.h"
#include "base/result.h"
#include "engine/comm/call_signature.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockstep::comm {

/// What one rank offers or takes at a time; both parities of all ranks fit into a processor's L2 cache.
inline constexpr std::size_t SlotBytes = 256u << 10;
/// Bytes under way between two ranks; a power of two.
inline constexpr std::size_t MailboxBytes = 64u << 10;

enum class Presence : std::uint32_t { Absent, Present, Left };

struct alignas(64) RankBlock {
    std::atomic<Presence> presence;
    std::atomic<std::int32_t> pid;
    std::atomic<std::uint64_t> meetings; ///< how often it has arrived
    /// By parity of the operation: the next one may begin while a slow rank still reads this one's.
    std::array<CallSignature, 2> signatures;
    /// Rung by a rank that has sent to this one or received from it.
    alignas(64) std::atomic<std::uint32_t> bell;
    std::atomic<std::uint32_t> isListening;
};

struct RegionHeader {
    std::int32_t size;
    /// The meeting point: the last rank to arrive starts the next generation, which is what the others wait for.
    alignas(64) std::atomic<std::uint32_t> generation;
    alignas(64) std::atomic<std::uint32_t> arrived;
    alignas(64) std::atomic<std::uint32_t> sleepers;
    /// The group is unusable; the reason is written once, before `isBroken`.
    alignas(64) std::atomic<std::uint32_t> isBreaking;
    std::atomic<std::uint32_t> isBroken;
    std::array<char, 1024> reason; ///< packInto()
};

/// A pipe from one rank to another: counters of bytes that only grow, and a ring of bytes.
struct alignas(64) Mailbox {
    std::atomic<std::uint32_t> written;
    alignas(64) std::atomic<std::uint32_t> read;
    alignas(64) std::array<std::byte, MailboxBytes> bytes;
};

class Region {
public:
    /// Of a fresh one, zeroed. Pages cost memory only once they are used.
    [[nodiscard]] static Result<Descriptor> makeFile(int ranks);
    /// Over a file that makeFile() made, here or in another process.
    [[nodiscard]] static Result<std::unique_ptr<Region>> open(const Descriptor& file);
    ~Region();
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    [[nodiscard]] int size() const { return header().size; }
    [[nodiscard]] RegionHeader& header() const { return *reinterpret_cast<RegionHeader*>(m_memory); }
    [[nodiscard]] RankBlock& rank(int rank) const;
    /// Two slots a rank and parity: what it gives, and what it has made of what all gave.
    [[nodiscard]] std::byte* given(int rank, unsigned parity) const { return slot(rank, parity * 2); }
    [[nodiscard]] std::byte* made(int rank, unsigned parity) const { return slot(rank, parity * 2 + 1); }
    [[nodiscard]] Mailbox& mailbox(int from, int to) const;

private:
    Region(std::byte* memory, std::size_t bytes);
    [[nodiscard]] std::byte* slot(int rank, unsigned number) const;

    std::byte* m_memory;
    std::size_t m_bytes;
};

} // namespace lockstep::comm
