#include "engine/cuda/nccl_communicator.h"

#include "engine/comm/call_signature.h"
#include "engine/comm/device/device_memory.h"
#include "engine/comm/failures.h"
#include "engine/comm/group_family.h"
#include "engine/comm/message_header.h"
#include "engine/cuda/nccl_handle.h"
#include "engine/cuda/nccl_operations.h"

#include <nccl.h>

#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep::cuda {

namespace {

using namespace std::chrono_literals;
using comm::Collective;
using comm::DataType;
using comm::Operation;
using comm::Reduction;
using comm::Space;

class NcclCommunicator final : public comm::Communicator {
public:
    /// `relative`: the group it was split from, or null.
    NcclCommunicator(std::unique_ptr<comm::Communicator> host, std::shared_ptr<comm::Device> device,
        const NcclOptions& options, comm::FamilyPlace place, const NcclHandle* relative)
        : Communicator(host->rank(), host->size())
        , m_host(std::move(host))
        , m_device(std::move(device))
        , m_memory(comm::deviceMemory(m_device))
        , m_options(options)
        , m_place(std::move(place))
        , m_nccl(relative)
        , m_operations(rank(), size(), m_memory,
              [this](Collective what, const NcclOperations::Call& call) { return issue(what, call); })
    {
        m_place.family->add(*m_host, m_place.ranks);
    }

    ~NcclCommunicator() override
    {
        finishStarted();
        // Destroying NCCL's communicator waits for queued work, which never completes if a rank has died.
        if (!m_nccl.hasEnded() && !synchronize()) {
            m_nccl.end();
        }
        m_place.family->remove(*m_host);
    }

    [[nodiscard]] Result<void> open()
    {
        ncclUniqueId id{};
        const ncclResult_t made = rank() == 0 ? ncclGetUniqueId(&id) : ncclSuccess;
        std::int64_t isMade = made == ncclSuccess ? 1 : 0;
        LOCKSTEP_TRY(m_host->broadcast({&isMade, 1, DataType::Int64}, 0));
        if (isMade == 0) {
            return failure(LS_TR("Messages", "nccl: %1 cannot begin a group: %2"),
                {rankName(0), verbatim(ncclGetLastError(nullptr))});
        }
        LOCKSTEP_TRY(m_host->broadcast({&id, static_cast<std::int64_t>(sizeof(id)), DataType::UInt8}, 0));
        auto met = awaitCall(m_nccl.meet(id, rank(), size()), LS_TR("Messages", "meeting the other ranks"));
        // Every rank must know whether all have joined: one that continued alone would wait without end.
        std::int64_t failures = met ? 0 : 1;
        auto told = m_host->allReduce({&failures, 1, DataType::Int64}, {&failures, 1, DataType::Int64}, Reduction::Sum);
        if (met && !told) {
            return failed(told.error());
        }
        if (met && failures > 0) {
            return failed(failure(LS_TR("Messages", "nccl: another rank could not join the group")));
        }
        return met;
    }

    [[nodiscard]] std::string_view backend() const override { return "nccl"; }

    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int color, int key) override
    {
        auto host = m_host->split(color, key);
        if (!host || *host == nullptr) {
            return host;
        }
        LOCKSTEP_TRY_ASSIGN(auto place, comm::partOfFamily(**host, rank(), m_place));
        auto part
            = std::make_unique<NcclCommunicator>(std::move(*host), m_device, m_options, std::move(place), &m_nccl);
        LOCKSTEP_TRY(part->open());
        return std::unique_ptr<Communicator>(std::move(part));
    }

    [[nodiscard]] Result<std::shared_ptr<comm::SharedArray>> share(std::size_t bytes, Space space) override
    {
        return space == Space::Host ? m_host->share(bytes, space) : Result(std::shared_ptr<comm::SharedArray>());
    }

    [[nodiscard]] const std::shared_ptr<comm::Memory>& memory(Space space) const override
    {
        return space == Space::Device ? m_memory : m_host->memory(space);
    }

    [[nodiscard]] std::shared_ptr<comm::Device> queueingDevice() const override { return m_device; }
    void setTimeout(std::chrono::milliseconds timeout) override
    {
        m_options.timeout = timeout;
        m_host->setTimeout(timeout);
    }

    void abort() override { m_host->abort(); }
    [[nodiscard]] Text deadPeer() override { return m_host->deadPeer(); }

    [[nodiscard]] Result<void> checkPeers() override
    {
        if (auto alive = m_host->checkPeers(); !alive) {
            return failed(named(alive.error()));
        }
        if (m_nccl.hasEnded()) {
            auto known = lookAtOthers();
            return known ? failure(LS_TR("Messages", "nccl: this group has failed before")) : known;
        }
        if (const ncclResult_t state = m_nccl.state(); state != ncclSuccess && state != ncclInProgress) {
            return failed(errorOf(state, LS_TR("Messages", "on the device")));
        }
        return m_device->state();
    }

protected:
    Result<void> execute(const Operation& op, comm::OperationTimes& times) override
    {
        if (m_nccl.hasEnded()) {
            return checkPeers();
        }
        if (op.what == Collective::Barrier || spaceOf(op, rank()) == Space::Host) {
            auto done = m_host->run(op);
            times = m_host->lastTimes();
            return done;
        }
        m_last = op.what;
        LOCKSTEP_TRY(checkPeers());
        if (auto same = compareSignatures(op); !same) {
            return failed(named(same.error()));
        }
        auto queued = m_operations.queue(op, static_cast<cudaStream_t>(m_device->stream()));
        return queued ? queued : failed(queued.error());
    }

    /// Polls: the host's communicator finds a dead rank, and then NCCL's kernels, which would wait for it without end,
    /// are aborted.
    Result<void> synchronize() override
    {
        const auto since = std::chrono::steady_clock::now();
        auto looked = since;
        while (!m_device->isIdle()) {
            const auto now = std::chrono::steady_clock::now();
            if (now - looked > 50ms) {
                looked = now;
                auto alive = checkPeers();
                alive = alive ? lookAtOthers() : alive;
                if (!alive) {
                    return alive;
                }
                if (now - since > m_options.timeout) {
                    return failed(
                        failure(LS_TR("Messages", "nccl: not done within %1 s: do all ranks call the same operation?"),
                            {m_options.timeout.count() / 1000}));
                }
            }
            std::this_thread::sleep_for(20us);
        }
        return checkPeers();
    }

private:
    /// The hosts meet first, as in the other backends: a rank queues its work only after all ranks have arrived, on
    /// which commands for a step rely. Calls that differ are refused here; in NCCL they would wait without end.
    [[nodiscard]] Result<void> compareSignatures(const Operation& op)
    {
        if (op.what == Collective::SendReceive) {
            const comm::MessageHeader sent = comm::headerOf(op.in);
            comm::MessageHeader received;
            LOCKSTEP_TRY(m_host->run({.what = Collective::SendReceive,
                .in = {&sent, op.to >= 0 ? 2 : 0, DataType::Int64},
                .out = {&received, op.from >= 0 ? 2 : 0, DataType::Int64},
                .to = op.to,
                .from = op.from}));
            return op.from >= 0 ? comm::requireFit(received, op.out, op.from, rank()) : Result<void>();
        }
        constexpr std::int64_t Bytes = sizeof(comm::CallSignature);
        const comm::CallSignature mine = comm::signatureOf(op);
        std::vector<comm::CallSignature> all(static_cast<std::size_t>(size()));
        LOCKSTEP_TRY(m_host->allGather({&mine, Bytes, DataType::UInt8}, {all.data(), Bytes * size(), DataType::UInt8}));
        return comm::requireSame(all);
    }

    [[nodiscard]] Error errorOf(ncclResult_t result, const Text& during) const
    {
        std::string text = ncclGetErrorString(result);
        if (const char* more = ncclGetLastError(nullptr); more != nullptr && *more != '\0') {
            text += " (" + std::string(more) + ")";
        }
        return failure(LS_TR("Messages", "nccl: %1: %2"), {during, verbatim(text.substr(0, text.find('\n')))});
    }

    [[nodiscard]] Result<void> failed(const Error& error)
    {
        m_nccl.end();
        return error;
    }

    /// The other groups of this rank, whose work is queued on the same stream.
    [[nodiscard]] Result<void> lookAtOthers()
    {
        const Text gone = m_place.family->deadPeers(*m_host);
        return gone.empty() ? Result<void>() : failed(failureOf(comm::ofOperation(m_last, gone)));
    }

    /// The host communicator's error, with the operation that it was for.
    [[nodiscard]] Error named(const Error& error) const
    {
        const Text text(error);
        Text bare = text;
        for (const Collective each : {Collective::AllGather, Collective::SendReceive}) { // by which calls are compared
            bare = bare == text ? comm::withoutOperation(text, each) : bare;
        }
        const bool isOfLast = bare != text || comm::beginsWithRank(text);
        return isOfLast ? failureOf(comm::ofOperation(m_last, bare)) : error;
    }

    /// A call of a non-blocking communicator may still be in progress when it returns.
    [[nodiscard]] Result<void> awaitCall(ncclResult_t result, const Text& during)
    {
        const auto since = std::chrono::steady_clock::now();
        auto looked = since;
        while (result == ncclInProgress) {
            const auto now = std::chrono::steady_clock::now();
            if (now - looked > 50ms) {
                looked = now;
                if (auto alive = m_host->checkPeers(); !alive) {
                    return failed(named(alive.error()));
                }
                LOCKSTEP_TRY(lookAtOthers());
                if (now - since > m_options.timeout) {
                    return failed(failure(LS_TR("Messages", "nccl: %1: not done within %2 s"),
                        {during, m_options.timeout.count() / 1000}));
                }
            }
            if (now - since > 100us) {
                std::this_thread::sleep_for(50us);
            }
            result = m_nccl.state();
        }
        if (result != ncclSuccess && m_nccl.hasEnded()) { // by another thread, or with a relative
            return checkPeers();
        }
        return result == ncclSuccess ? Result<void>() : failed(errorOf(result, during));
    }

    [[nodiscard]] Result<void> issue(Collective what, const NcclOperations::Call& call)
    {
        return awaitCall(m_nccl.call(call), verbatim(nameOf(what)));
    }

    std::unique_ptr<comm::Communicator> m_host;
    std::shared_ptr<comm::Device> m_device;
    std::shared_ptr<comm::Memory> m_memory;
    NcclOptions m_options;
    comm::FamilyPlace m_place;
    NcclHandle m_nccl;
    Collective m_last = Collective::Barrier; ///< on the device: a later error is attributed to it
    NcclOperations m_operations;
};

} // namespace

Result<std::unique_ptr<comm::Communicator>> overNccl(
    std::unique_ptr<comm::Communicator> host, std::shared_ptr<comm::Device> device, const NcclOptions& options)
{
    if (options.takesSharedGpu) {
        setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 0);
    }
    auto place = comm::firstOfFamily(host->size());
    auto communicator
        = std::make_unique<NcclCommunicator>(std::move(host), std::move(device), options, std::move(place), nullptr);
    LOCKSTEP_TRY(communicator->open());
    return std::unique_ptr<comm::Communicator>(std::move(communicator));
}

int ncclVersion()
{
    int version = 0;
    return ncclGetVersion(&version) == ncclSuccess ? version : 0;
}

} // namespace lockstep::cuda
