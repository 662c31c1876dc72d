// The arrays of a sweep's calls: where they are, the call on them, and whether its result is right.
#pragma once

#include "engine/comm/expected_result.h"
#include "engine/comm/link/watched_communicator.h"
#include "engine/run/sweep/sweep.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace lockstep::engine {

class SweepArrays {
public:
    /// `space`: where the arrays are. `ranks` make the calls; both must outlive this.
    SweepArrays(const Sweep& sweep, comm::WatchedCommunicator& ranks, comm::Space space);

    /// Allocates what calls of this size need. `isBackends`: a call is the backend's own operation, so that an array
    /// for training may be shared. Every rank calls it.
    [[nodiscard]] Result<void> prepare(const SweepPoint& point, bool isBackends);

    [[nodiscard]] const comm::Operation& operation() const { return m_op; }
    [[nodiscard]] std::int64_t bytes() const; ///< nccl-tests' size: of the larger of the two buffers
    [[nodiscard]] bool isInPlace() const { return m_buffers != SweepBuffers::OutOfPlace; }
    /// Whether the array lies in memory that the ranks share, and its result stays there.
    [[nodiscard]] bool isShared() const { return m_op.out.data == nullptr && m_shared != nullptr; }
    /// For what cannot be received where it is sent from; null if no call needs it.
    [[nodiscard]] std::byte* landing() const { return m_landing.data(); }
    [[nodiscard]] comm::Memory& memory() { return m_memory; }

    /// Makes a call with known inputs; gives how many elements of this rank's result are wrong.
    [[nodiscard]] Result<std::int64_t> countWrong(const std::function<Result<void>()>& call);

private:
    /// Memory that only grows.
    struct Buffer {
        std::shared_ptr<std::byte> memory;
        std::size_t bytes = 0;

        [[nodiscard]] std::byte* data() const { return memory.get(); }
    };
    [[nodiscard]] Result<void> reserve(Buffer& buffer, std::size_t bytes, bool isLanding = false);
    [[nodiscard]] Result<void> reserveAll(std::size_t larger);
    void describeCall();

    const Sweep& m_sweep;
    comm::WatchedCommunicator& m_ranks;
    comm::Space m_space;
    comm::Memory& m_memory;
    comm::ExpectedResult m_expected;
    SweepBuffers m_buffers = SweepBuffers::OutOfPlace;
    Counts m_counts;
    comm::Operation m_op;
    std::shared_ptr<comm::SharedArray> m_shared; ///< null where training would not share its array
    Buffer m_first;
    Buffer m_second;
    Buffer m_landing;
    Buffer m_onHost; ///< of a device's arrays: inputs and results
};

} // namespace lockstep::engine
