// The stream that a rank trains on: not the device's default one, on which nothing can be recorded as a graph.
#pragma once

#include <torch/types.h>

#include <memory>

namespace lockstep::engine {

/// While it lives, this thread works on `device` and queues on a stream of its own there. Nothing on the CPU.
class DeviceStream {
public:
    explicit DeviceStream(torch::Device device);
    ~DeviceStream();
    DeviceStream(const DeviceStream&) = delete;
    DeviceStream& operator=(const DeviceStream&) = delete;

    /// Another thread that queues on the same stream, while it lives: what both queue is carried out in that order.
    class Shared {
    public:
        /// Null: nothing.
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
