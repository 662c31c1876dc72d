#include "engine/gpu/device_stream.h"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace lockstep::engine {

struct DeviceStream::Private {
    explicit Private(torch::Device device)
        : stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index()))
        , guard(stream)
    { }

    c10::cuda::CUDAStream stream;
    c10::cuda::CUDAStreamGuard guard; ///< of the device as well
};

DeviceStream::DeviceStream(torch::Device device)
    : m_private(device.is_cuda() ? std::make_unique<Private>(device) : nullptr)
{ }

DeviceStream::~DeviceStream() = default;

void* DeviceStream::handle() const
{
    return m_private ? m_private->stream.stream() : nullptr;
}

} // namespace lockstep::engine
