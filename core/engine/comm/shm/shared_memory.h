// Arrays mapped by all ranks of a group, and who works on which part of them: one input for each rank, and two results
// in turns, so that a fast rank's next all-reduce does not overwrite what a slow one still reads.
#pragma once

#include "base/descriptor.h"
#include "engine/comm/communicator.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockstep::comm {

class SharedMemory final : public SharedArray {
public:
    /// A fresh, zeroed file for `ranks` ranks with `bytes` each.
    [[nodiscard]] static Result<Descriptor> makeFile(int ranks, std::size_t bytes);
    /// As rank `rank`.
    [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> open(
        const Descriptor& file, int rank, int ranks, std::size_t bytes);
    ~SharedMemory() override;
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    [[nodiscard]] std::byte* own() override { return at(m_rank); }
    [[nodiscard]] const std::byte* of(int rank) const override { return at(rank); }
    [[nodiscard]] std::byte* result() override { return at(m_ranks + m_turn); }
    /// A new all-reduce begins: every rank calls it, once all have met. Its result goes where the last but one was.
    void begin();
    /// The number of a part for this rank; -1 when none is left. Parts go to the ranks that ask first, so no rank waits
    /// for a rank that has no core at the moment.
    [[nodiscard]] int claimPart();
    /// The part has been done; true for the last one.
    [[nodiscard]] bool finishPart();
    [[nodiscard]] bool isDone() const;
    [[nodiscard]] int parts() const { return m_parts; }

private:
    struct Header;
    SharedMemory(std::byte* memory, int rank, int ranks, std::size_t bytes);
    [[nodiscard]] Header& header() const;
    /// The inputs of the ranks, then the results.
    [[nodiscard]] std::byte* at(int place) const;

    std::byte* m_memory;
    int m_rank;
    int m_ranks;
    std::size_t m_bytes;
    std::size_t m_stride;
    int m_parts;
    int m_turn = 0;
    std::uint32_t m_target = 0; ///< parts of all all-reduces so far, modulo 2^32
};

} // namespace lockstep::comm
