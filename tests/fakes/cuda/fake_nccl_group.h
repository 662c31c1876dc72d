// How the ranks of a fake NCCL communicator meet and exchange: places in a page that the program maps before it forks.
// A wait here ends only with its peers or an abort, as in NCCL's kernels.
#pragma once

#include "fakes/cuda/fake_gpu.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lockstep::tests::nccl {

inline constexpr int MostRanks = 8;
inline constexpr std::size_t Chunk = std::size_t{64} << 10;

/// Bytes from one rank to another, in order.
struct Pipe {
    std::atomic<std::uint64_t> written;
    std::atomic<std::uint64_t> read;
    std::array<std::byte, Chunk> bytes;
};

/// What all ranks of a collective must have in common.
struct Signature {
    int what;
    int type;
    int operation;
    int root;
    std::uint64_t count;

    bool operator==(const Signature&) const = default;
};

struct Group {
    struct Member {
        std::atomic<int> pid;
        int device;
        std::array<Signature, 2> signatures;
    };
    std::atomic<int> owner; ///< the process that has asked for the id; 0: free
    std::atomic<std::uint64_t> number; ///< of its id
    std::atomic<std::uint32_t> arrived;
    std::atomic<std::uint32_t> generation;
    std::array<Member, MostRanks> members;
    std::array<std::array<std::array<std::byte, Chunk>, 2>, MostRanks> slots;
    std::array<std::array<Pipe, MostRanks>, MostRanks> pipes; ///< from, to

    /// A free one; only processes that get its number can find it.
    [[nodiscard]] static Group& claim(std::uint64_t* number);
    /// Null where that is over.
    [[nodiscard]] static Group* find(std::uint64_t number);
};

/// Thrown where an exchange is aborted.
struct Aborted { };

/// One rank's end of the group; one operation at a time.
class Exchange {
public:
    Exchange(Group& group, int rank, int size, const std::atomic<bool>& isAborted)
        : m_group(group)
        , m_rank(rank)
        , m_size(size)
        , m_isAborted(isAborted)
    { }

    /// Waits for all ranks, without end if they do not begin the same.
    void begin(const Signature& mine);
    /// Every rank gives `bytes` from what give() returns, and take() is shown each rank's, a chunk at a time: where the
    /// chunk begins and how long it is.
    void gather(std::size_t bytes, const std::byte* mine,
        const std::function<void(std::size_t begin, std::size_t size, const std::array<const void*, MostRanks>&)>&
            take);

    struct Message {
        int peer;
        std::byte* memory;
        std::size_t bytes;
        std::size_t done = 0;
        bool isAnnounced = false;
    };
    /// All at once; those between the same two ranks in order. A message is over when the other side has taken it.
    void exchange(std::vector<Message> sends, std::vector<Message> receives);

    /// Until it is so.
    void wait(const std::function<bool()>& isSo) const;

private:
    void meet();
    bool send(Message& message);
    bool receive(Message& message);

    Group& m_group;
    int m_rank;
    int m_size;
    const std::atomic<bool>& m_isAborted;
    unsigned m_parity = 0;
};

} // namespace lockstep::tests::nccl
