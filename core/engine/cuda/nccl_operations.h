// Collectives as NCCL's calls. NCCL has no gather, scatter, all_to_all or bitwise reductions: the first three are
// grouped messages, the last an all_gather and our own kernel.
#pragma once

#include "engine/comm/communicator.h"

#include <nccl.h>

#include <cstddef>
#include <functional>
#include <memory>

namespace lockstep::cuda {

class NcclOperations {
public:
    using Call = std::function<ncclResult_t(ncclComm_t)>;
    /// Makes the call on the group's communicator, and waits until NCCL has accepted it.
    using Issue = std::function<Result<void>(comm::Collective, const Call&)>;

    NcclOperations(int rank, int ranks, std::shared_ptr<comm::Memory> memory, Issue issue);

    /// Every collective on arrays of the device, and SendReceive.
    [[nodiscard]] Result<void> queue(const comm::Operation& op, cudaStream_t stream);

private:
    using Send = std::function<void(const std::byte* from, std::size_t bytes, int to)>;
    using Receive = std::function<void(std::byte* to, std::size_t bytes, int from)>;

    /// `in`, or a copy of it where it overlaps with `out`: NCCL allows that only for some arrangements.
    [[nodiscard]] Result<comm::ConstView> apart(const comm::Operation& op);
    [[nodiscard]] Result<void> byMessages(const comm::Operation& op, cudaStream_t stream);
    void sendAndReceive(
        const comm::Operation& op, const comm::ConstView& in, const Send& send, const Receive& receive) const;
    [[nodiscard]] Result<void> reduceByBits(const comm::Operation& op, cudaStream_t stream);

    int m_rank;
    std::size_t m_ranks;
    std::shared_ptr<comm::Memory> m_memory;
    Issue m_issue;
    std::shared_ptr<std::byte> m_scratch; ///< of the last operation; freed in the order of the stream
};

} // namespace lockstep::cuda
