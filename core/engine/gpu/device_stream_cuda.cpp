#include "engine/gpu/device_stream.h"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <optional>

namespace lockstep::engine {

struct DeviceStream::Private {
    explicit Private(torch::Device device)
        : stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index()))
        , guard(stream)
    { }

    c10::cuda::CUDAStream stream;
    c10::cuda::CUDAStreamGuard guard; ///< of the device as well
    std::optional<c10::cuda::CUDAStream> beside{}; ///< LibTorch's pool keeps it
};

DeviceStream::DeviceStream(torch::Device device)
    : m_private(device.is_cuda() ? std::make_unique<Private>(device) : nullptr)
{ }

DeviceStream::~DeviceStream() = default;

void* DeviceStream::beside()
{
    if (!m_private) {
        return nullptr;
    }
    if (!m_private->beside) {
        const auto index = m_private->stream.device_index();
        m_private->beside = c10::cuda::getStreamFromPool(/*isHighPriority=*/true, index);
    }
    return m_private->beside->stream();
}

struct DeviceStream::Shared::Guard {
    c10::cuda::CUDAStreamGuard guard;
};

DeviceStream::Shared::Shared(const DeviceStream* stream)
    : m_guard(stream != nullptr && stream->m_private
            ? std::unique_ptr<Guard>(new Guard{c10::cuda::CUDAStreamGuard(stream->m_private->stream)})
            : nullptr)
{ }

DeviceStream::Shared::~Shared() = default;

} // namespace lockstep::engine
