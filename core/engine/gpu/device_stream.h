// The stream that a rank trains on: not the device's default one, which cannot be captured in a graph.
#pragma once

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

/// While it lives, this thread works on `device` and queues on a separate stream there. No-op on the CPU.
class DeviceStream {
public:
    explicit DeviceStream(torch::Device device);
    ~DeviceStream();
    DeviceStream(const DeviceStream&) = delete;
    DeviceStream& operator=(const DeviceStream&) = delete;

    /// Another stream there, as a handle of the device's library, whose work goes first where both have some: for
    /// collectives, which the other ranks wait for. Null on the CPU.
    [[nodiscard]] void* beside();

    /// While it lives, another thread queues on the same stream: the work of both runs in the order queued.
    class Shared {
    public:
        /// Null: no-op.
        explicit Shared(const DeviceStream* stream);
        ~Shared();
        Shared(const Shared&) = delete;
        Shared& operator=(const Shared&) = delete;

    private:
        struct Guard;
        std::unique_ptr<Guard> m_guard;
    };

private:
    struct Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::engine
