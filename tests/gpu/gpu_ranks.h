// Ranks as processes on one GPU. The parent never touches the GPU: a process that has must not fork.
#pragma once

#include "core/engine/comm/processes.h"
#include "engine/comm/device/ipc_communicator.h"
#include "engine/comm/shm/shm_communicator.h"
#include "engine/cuda/cuda_device.h"

#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

namespace lockstep::tests {

struct GpuRank {
    comm::Communicator& group;
    comm::Device& gpu;
};

/// Memory of the GPU and of the host beside it, for one array.
class GpuArray {
public:
    GpuArray(comm::Device& gpu, std::size_t bytes)
        : m_gpu(gpu)
        , m_bytes(bytes)
        , m_device(gpu.allocate(bytes))
        , m_host(gpu.allocateHost(bytes))
    { }
    ~GpuArray()
    {
        if (m_device) {
            m_gpu.free(*m_device);
        }
        if (m_host) {
            m_gpu.freeHost(*m_host);
        }
    }
    GpuArray(const GpuArray&) = delete;
    GpuArray& operator=(const GpuArray&) = delete;

    [[nodiscard]] bool isThere() const { return m_device && m_host; }
    [[nodiscard]] std::byte* host() const { return *m_host; }
    [[nodiscard]] std::byte* device() const { return *m_device; }
    void upload() { m_gpu.copy(*m_device, *m_host, m_bytes); }
    void download() { m_gpu.copy(*m_host, *m_device, m_bytes); }

private:
    comm::Device& m_gpu;
    std::size_t m_bytes;
    Result<std::byte*> m_device;
    Result<std::byte*> m_host;
};

/// Runs `body` in `ranks` processes on GPU 0; how each ended, by rank.
inline std::vector<Ending> asGpuRanks(
    int ranks, const comm::IpcOptions& options, const std::function<Result<void>(const GpuRank&)>& body)
{
    return asProcesses(ranks, [&, name = uniqueName()](int rank) -> Result<void> {
        auto host = comm::joinByName(name, rank, ranks, {});
        if (!host) {
            return host.error();
        }
        auto gpu = cuda::openGpu(0);
        if (!gpu) {
            return gpu.error();
        }
        auto group = comm::overIpc(*host, *gpu, options);
        if (!group) {
            return group.error();
        }
        auto done = body({**group, **gpu});
        if (!done) {
            (*group)->abort(); // so that the others do not wait for this one
        }
        return done;
    });
}

/// What those say that are not fine, with their ranks; empty if all are. One's complaint may be but the echo of
/// another's.
inline std::string complaints(const std::vector<Ending>& endings)
{
    std::string all;
    for (std::size_t rank = 0; rank < endings.size(); ++rank) {
        if (endings[rank].text != "fine") {
            all += (all.empty() ? "rank " : "; rank ") + std::to_string(rank) + ": "
                + (endings[rank].text.empty() ? "it died" : endings[rank].text);
        }
    }
    return all;
}

} // namespace lockstep::tests
