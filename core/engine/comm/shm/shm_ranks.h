// The communicator over shared memory as a class: shm_communicator.cpp has its collectives, shm_groups.cpp how groups and
// shared arrays come about. Private to this folder; users call shm_communicator.h.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/shm/meeting.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/shared_memory.h"
#include "engine/comm/shm/shm_communicator.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::comm {

class ShmCommunicator final : public Communicator {
public:
    ShmCommunicator(std::unique_ptr<Region> region, int rank, const ShmOptions& options)
        : Communicator(rank, region->size())
        , m_region(std::move(region))
        , m_meeting(*m_region, rank, options.timeout)
        , m_options(options)
    { }
    ~ShmCommunicator() override
    {
        finishStarted();
        m_region->rank(rank()).presence.store(Presence::Left);
    }

    [[nodiscard]] Result<void> join() { return m_meeting.join(); }
    [[nodiscard]] std::string_view backend() const override { return "shm"; }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override;
    [[nodiscard]] Result<std::unique_ptr<SharedArray>> share(std::size_t bytes, Space space = Space::Host) override;
    void setTimeout(std::chrono::milliseconds timeout) override { m_meeting.setTimeout(timeout); }
    [[nodiscard]] Result<void> checkPeers() override { return m_meeting.look(); }
    void abort() override
    {
        const Error told = m_meeting.breakGroup("rank " + std::to_string(rank()) + " has left the group");
        static_cast<void>(told);
    }

    // For a communicator that moves a device's memory itself and leaves it to this one to keep the ranks together.
    /// An operation begins: its first meeting compares what the ranks call. `array`: which array it is about that the
    /// ranks share, -1 for none. `times` gets the last arrival.
    [[nodiscard]] Result<void> begin(const Operation& op, OperationTimes& times, std::int32_t array);
    /// The meeting that ends this round's writing; the first one of an operation compares signatures.
    [[nodiscard]] Result<void> meet(const Operation& op);
    /// It has ended: the next one may follow at once.
    void end();
    [[nodiscard]] Meeting& meeting() { return m_meeting; }

protected:
    Result<void> execute(const Operation& operation, OperationTimes& times) override;

private:
    /// A stretch of an array, in bytes.
    struct Piece {
        std::size_t begin = 0;
        std::size_t size = 0;
    };

    Result<void> broadcast(const Operation& op);
    Result<void> reduceInParts(const Operation& op);
    Result<void> allReduceAtOnce(const Operation& op);
    Result<void> allReduceShared(const Operation& op, SharedMemory& memory);
    /// Which of the shared arrays an all-reduce is about; -1 for none.
    [[nodiscard]] std::int32_t sharedArrayOf(const Operation& op) const;
    Result<void> reduceScatter(const Operation& op);
    Result<void> gather(const Operation& op);
    Result<void> scatterOrExchange(const Operation& op);

    [[nodiscard]] Result<void> executeNow(const Operation& op);
    [[nodiscard]] Result<void> compareSignatures();
    [[nodiscard]] Signature signatureOf(const Operation& op, std::int32_t array) const;
    [[nodiscard]] std::byte* given(int rank) const { return m_region->given(rank, m_parity); }
    [[nodiscard]] std::byte* made(int rank) const { return m_region->made(rank, m_parity); }
    /// Of a piece, what rank `rank` reduces: equal parts on element boundaries.
    [[nodiscard]] Piece shareOf(int rank, const Piece& piece, std::size_t elementBytes) const;

    std::unique_ptr<Region> m_region;
    Meeting m_meeting;
    ShmOptions m_options;
    std::uint64_t m_operations = 0;
    unsigned m_parity = 0; ///< of the round that is being written
    bool m_hasMet = false; ///< in this operation
    OperationTimes* m_times = nullptr;
    std::int64_t m_lastExitNs = 0;
    std::vector<std::weak_ptr<SharedMemory>> m_arrays; ///< in the order in which they were made, on every rank
};

} // namespace lockstep::comm
