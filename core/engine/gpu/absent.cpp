// Replaces this folder if LibTorch has no CUDA: no device works asynchronously.
#include "engine/gpu/device_marks.h"
#include "engine/gpu/device_memory_use.h"
#include "engine/gpu/device_ranks.h"
#include "engine/gpu/device_stream.h"

namespace lockstep::engine {

std::unique_ptr<DeviceMarks> marksOf(torch::Device, void*)
{
    return nullptr;
}

struct DeviceStream::Private { };

DeviceStream::DeviceStream(torch::Device) { }
DeviceStream::~DeviceStream() = default;

void* DeviceStream::beside()
{
    return nullptr;
}

struct DeviceStream::Shared::Guard { };

DeviceStream::Shared::Shared(const DeviceStream*) { }
DeviceStream::Shared::~Shared() = default;

Result<DeviceRanks> ontoDevice(
    std::unique_ptr<comm::Communicator> host, const plan::Placement&, int, std::chrono::milliseconds)
{
    return DeviceRanks{std::move(host)};
}

DeviceMemoryUse memoryUseOf(torch::Device)
{
    return {};
}

void restartMost(torch::Device) { }

void boundMemory(torch::Device, std::int64_t) { }

bool fitsOnDevice(torch::Device, std::int64_t, std::int64_t)
{
    return true;
}

} // namespace lockstep::engine
