// Collectives beside a rank's other work on its device, on a stream of their own (as PyTorch's ProcessGroupNCCL has one
// for DDP's buckets): each waits only for its input, and the other work for none of them until join().
//
// Their arrays must stay allocated until join(), and hold what they do from inputIsQueued() on; only the collective
// writes them. Memory that communicators allocate for themselves is in order: changes of the stream are (setStream()).
#pragma once

#include "base/result.h"
#include "engine/comm/device/device.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace lockstep::comm {

class SideStream {
public:
    /// For `inputs` collectives between fork() and join(). `stream`: another than the device's current one, which must
    /// outlive this.
    [[nodiscard]] static Result<std::unique_ptr<SideStream>> open(
        std::shared_ptr<Device> device, void* stream, std::size_t inputs);
    /// Call it with no collective in progress.
    ~SideStream();
    SideStream(const SideStream&) = delete;
    SideStream& operator=(const SideStream&) = delete;

    /// From now on collectives are queued on the own stream, after all that is queued now. Call it with none in
    /// progress.
    void fork();
    /// The other work has computed, or queued, the input of this collective; on any thread, before it is started.
    void inputIsQueued(std::size_t input);
    /// What is queued on the own stream from now on waits for that; on the thread that queues the collective.
    void awaitInput(std::size_t input);
    /// Work queued from now on waits for all collectives, and is on the stream that was current at fork(). The host
    /// does not wait. Call it with none in progress.
    void join();

private:
    SideStream(std::shared_ptr<Device> device, void* stream);

    std::shared_ptr<Device> m_device;
    void* m_stream;
    void* m_other = nullptr; ///< at fork()
    bool m_isForked = false;
    std::vector<DeviceEvent*> m_inputs;
};

} // namespace lockstep::comm
