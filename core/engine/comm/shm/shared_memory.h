// Arrays that all ranks of a group have mapped: one of each rank's own to give, and two for results, by turns, so that a
// fast rank's next all-reduce does not overwrite what a slow one still reads.
#pragma once

#include "engine/comm/communicator.h"

#include <cstddef>
#include <memory>

namespace lockstep::comm {

class SharedMemory {
public:
    /// A fresh, zeroed file for `ranks` ranks with `bytes` each; gives its descriptor.
    [[nodiscard]] static Result<int> createFile(int ranks, std::size_t bytes);
    /// Takes the descriptor over.
    [[nodiscard]] static Result<std::shared_ptr<SharedMemory>> open(int descriptor, int ranks, std::size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    [[nodiscard]] std::byte* of(int rank) const { return m_memory + static_cast<std::size_t>(rank) * m_stride; }
    [[nodiscard]] std::byte* result() const { return of(m_ranks + m_turn); }
    /// From now on results go into the other one.
    void takeTurns() { m_turn ^= 1; }

private:
    SharedMemory(std::byte* memory, int ranks, std::size_t bytes);

    std::byte* m_memory;
    int m_ranks;
    std::size_t m_bytes;
    std::size_t m_stride;
    int m_turn = 0;
};

/// The caller's end.
[[nodiscard]] std::unique_ptr<SharedArray> arrayOf(std::shared_ptr<SharedMemory> memory, int rank);

} // namespace lockstep::comm
