// The communicators of the fake NCCL, their coming and going, and messages.
#include "fakes/cuda/fake_nccl.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace lockstep::tests;
using namespace lockstep::tests::nccl;

namespace {

/// Those of this process that live. Never destroyed, nor are they: work that is queued may still look at them.
struct Communicators {
    std::mutex mutex;
    std::set<ncclComm_t> all;
};

Communicators& communicators()
{
    static auto* const All = new Communicators;
    return *All;
}

/// Of one thread, between ncclGroupStart and ncclGroupEnd.
struct Grouped {
    int depth = 0;
    ncclResult_t result = ncclSuccess; ///< the first that is none
    ncclComm_t comm = nullptr;
    cudaStream_t stream = nullptr;
    struct Message {
        int peer;
        void* memory;
        std::size_t bytes;
    };
    std::vector<Message> sends;
    std::vector<Message> receives;
};
thread_local Grouped TheGroup;

std::string& lastWarning()
{
    static auto* const Text = new std::string;
    return *Text;
}

} // namespace

namespace lockstep::tests::nccl {

ncclResult_t warn(ncclResult_t result, const std::string& text)
{
    const std::lock_guard lock(communicators().mutex);
    lastWarning() = text;
    return result;
}

bool isThere(ncclComm_t comm)
{
    const std::lock_guard lock(communicators().mutex);
    return communicators().all.contains(comm);
}

ncclResult_t ensureReady(ncclComm_t comm)
{
    if (!isThere(comm)) {
        return warn(ncclInvalidArgument, "comm argument is not a communicator");
    }
    const ncclResult_t state = comm->state;
    return state == ncclInProgress
        ? warn(ncclInvalidArgument, "Attempt to use communicator before the previous operation returned ncclSuccess")
        : state;
}

bool isGrouping()
{
    return TheGroup.depth > 0;
}

ncclResult_t launch(ncclComm_t comm, cudaStream_t onStream, std::function<void()> work)
{
    const int device = std::exchange(gpu::currentDevice(), comm->device); // the default stream is that of its GPU
    gpu::Stream* stream = gpu::streamOf(onStream);
    gpu::currentDevice() = device;
    if (stream == nullptr || stream->device() != comm->device) {
        return warn(ncclInvalidArgument, "a stream of another GPU");
    }
    const std::uint64_t number = comm->launched++;
    const auto put = [comm, stream, number, work = std::move(work)] {
        stream->queue([comm, number, work] {
            try {
                comm->exchange.wait([&] { return comm->finished == number && !comm->isAborted; });
                work();
            } catch (const Aborted&) {
                // what is left undone has undefined contents
            }
            ++comm->finished;
        });
    };
    if (comm->isBlocking) {
        put();
        return ncclSuccess;
    }
    comm->state = ncclInProgress;
    std::thread([comm, put, lateUs = 50 + number * 37 % 400] {
        std::this_thread::sleep_for(std::chrono::microseconds(lateUs));
        put();
        comm->state = ncclSuccess;
    }).detach();
    return ncclInProgress;
}

std::size_t sizeOf(ncclDataType_t type)
{
    switch (type) {
    case ncclFloat64:
    case ncclInt64:
    case ncclUint64:
        return 8;
    case ncclFloat32:
    case ncclInt32:
    case ncclUint32:
        return 4;
    case ncclFloat16:
    case ncclBfloat16:
        return 2;
    default:
        return 1;
    }
}

} // namespace lockstep::tests::nccl

namespace {

ncclResult_t addMessage(bool sends, void* memory, std::size_t bytes, int peer, ncclComm_t comm, cudaStream_t stream)
{
    static_cast<void>(ncclGroupStart());
    ncclResult_t state = ensureReady(comm);
    if (state == ncclSuccess
        && (peer < 0 || peer >= comm->size || (TheGroup.comm != nullptr && TheGroup.comm != comm))) {
        state = warn(ncclInvalidArgument, "a peer that is not there");
    }
    if (state == ncclSuccess) {
        TheGroup.comm = comm;
        TheGroup.stream = stream;
        (sends ? TheGroup.sends : TheGroup.receives).push_back({peer, memory, bytes});
    } else if (TheGroup.result == ncclSuccess) {
        TheGroup.result = state;
    }
    const ncclResult_t ended = ncclGroupEnd();
    return state != ncclSuccess ? state : ended;
}

/// Whether all ranks are there and have a GPU each.
ncclResult_t join(ncclComm_t comm)
{
    auto& members = comm->group.members;
    const auto ranks = static_cast<std::size_t>(comm->size);
    auto& own = members.at(static_cast<std::size_t>(comm->rank));
    own.device = comm->device;
    own.pid = getpid();
    comm->exchange.wait([&] {
        for (std::size_t r = 0; r < ranks; ++r) {
            if (members.at(r).pid == 0) {
                return false;
            }
        }
        return true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const char* shared = std::getenv("NCCL_MULTI_RANK_GPU_ENABLE");
    for (std::size_t r = 0; r < ranks; ++r) {
        const bool isSame = static_cast<int>(r) != comm->rank && members.at(r).device == comm->device;
        if (isSame && (shared == nullptr || std::string(shared) != "1")) {
            return warn(ncclInvalidUsage,
                "Duplicate GPU detected : rank " + std::to_string(comm->rank) + " and rank " + std::to_string(r)
                    + " both on CUDA device " + std::to_string(comm->device));
        }
    }
    return ncclSuccess;
}

ncclResult_t end(ncclComm_t comm)
{
    while (comm->state == ncclInProgress) { // what is being put on a stream, or the meeting
        gpu::pause();
    }
    while (comm->finished != comm->launched && gpu::failure() == cudaSuccess) {
        gpu::pause();
    }
    comm->group.owner = 0;
    comm->group.members.at(static_cast<std::size_t>(comm->rank)).pid = -1;
    return ncclSuccess;
}

} // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version)
{
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result)
{
    switch (result) {
    case ncclInvalidArgument:
        return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
        return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    default:
        return "unknown result code";
    }
}

const char* ncclGetLastError(ncclComm_t)
{
    const std::lock_guard lock(communicators().mutex);
    thread_local std::string text;
    text = lastWarning();
    return text.c_str();
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id)
{
    std::uint64_t number = 0;
    static_cast<void>(Group::claim(&number));
    std::memset(id, 0, sizeof(*id));
    std::memcpy(id, &number, sizeof(number));
    return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config)
{
    std::uint64_t number = 0;
    std::memcpy(&number, &id, sizeof(number));
    Group* group = Group::find(number);
    *made = nullptr;
    if (group == nullptr || ranks < 1 || ranks > MostRanks || rank < 0 || rank >= ranks) {
        return warn(ncclInvalidArgument, "no such group, or no such rank of it");
    }
    auto* const comm = new ncclComm(*group, rank, ranks, config->blocking != 0);
    {
        const std::lock_guard lock(communicators().mutex);
        communicators().all.insert(comm);
    }
    *made = comm;
    const auto meet = [comm] {
        try {
            comm->state = join(comm);
        } catch (const Aborted&) {
            comm->state = ncclInternalError;
        }
    };
    if (comm->isBlocking) {
        meet();
        return comm->state;
    }
    std::thread(meet).detach();
    return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* state)
{
    if (!isThere(comm)) {
        return ncclInvalidArgument;
    }
    *state = comm->state;
    return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
    if (const ncclResult_t state = ensureReady(comm); state != ncclSuccess) {
        return state;
    }
    const ncclResult_t ended = end(comm);
    const std::lock_guard lock(communicators().mutex);
    communicators().all.erase(comm);
    return ended;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
    if (!isThere(comm)) {
        return ncclInvalidArgument;
    }
    comm->isAborted = true;
    const ncclResult_t ended = end(comm);
    const std::lock_guard lock(communicators().mutex);
    communicators().all.erase(comm);
    return ended;
}

ncclResult_t ncclGroupStart()
{
    ++TheGroup.depth;
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd()
{
    if (TheGroup.depth == 0) {
        return warn(ncclInvalidUsage, "ncclGroupEnd: not in a group call.");
    }
    if (--TheGroup.depth > 0) {
        return ncclSuccess;
    }
    const Grouped group = std::exchange(TheGroup, {});
    if (group.comm == nullptr || group.result != ncclSuccess) {
        return group.result;
    }
    for (const Grouped::Message& sent : group.sends) {
        for (const Grouped::Message& received : group.receives) {
            const auto* from = static_cast<const std::byte*>(sent.memory);
            const auto* to = static_cast<const std::byte*>(received.memory);
            if (from < to + received.bytes && to < from + sent.bytes) {
                return warn(ncclInvalidArgument, "a message is received where another is sent from");
            }
        }
    }
    return launch(group.comm, group.stream, [group] {
        const auto found = [](const std::vector<Grouped::Message>& messages) {
            std::vector<Exchange::Message> real;
            for (const Grouped::Message& each : messages) {
                // An empty message has no place.
                auto* at = each.bytes > 0 ? gpu::touch(each.memory, each.bytes) : nullptr;
                if (each.bytes == 0 || at != nullptr) {
                    real.push_back({.peer = each.peer, .memory = at, .bytes = each.bytes});
                }
            }
            return real;
        };
        group.comm->exchange.exchange(found(group.sends), found(group.receives));
    });
}

ncclResult_t ncclSend(
    const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
    return addMessage(true, const_cast<void*>(from), count * sizeOf(type), peer, comm, stream);
}

ncclResult_t ncclRecv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
    return addMessage(false, to, count * sizeOf(type), peer, comm, stream);
}

} // extern "C"
