// What differs between the versions of LibTorch that the engine builds with: 1.13 (Debian) to 2.15 (PyPI). Everything
// else is the same source for both.
#pragma once

#include <c10/core/Allocator.h>
#include <torch/types.h>
#include <torch/version.h>

#include <cstddef>
#include <cstring>
#include <optional>

namespace lockstep::engine {

/// While it lives, this thread's computation on that kind of device uses autocast: matrix products and convolutions in
/// `type`, what needs the digits in float32. Nothing without a type.
class Autocast {
public:
    Autocast(torch::DeviceType device, std::optional<at::ScalarType> type);
    ~Autocast();
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    torch::DeviceType m_device;
    bool m_isOn;
    bool m_wasOn = false;
    at::ScalarType m_typeBefore = at::kFloat;
};

/// The type that this thread's autocast has for that kind of device; none where it is off.
[[nodiscard]] std::optional<at::ScalarType> autocastType(torch::DeviceType device);

/// Whether matrix products of this type work on the CPU.
[[nodiscard]] constexpr bool computesOnCpu(at::ScalarType type)
{
    return type != at::kHalf || TORCH_VERSION_MAJOR >= 2;
}

/// Base of an allocator of host memory: allocate() was const once and copy_data() came later.
class HostAllocator : public c10::Allocator {
public:
    [[nodiscard]] virtual c10::DataPtr give(std::size_t bytes) = 0;

#if TORCH_VERSION_MAJOR >= 2
    c10::DataPtr allocate(std::size_t bytes) final
    {
        return give(bytes);
    }
    void copy_data(void* to, const void* from, std::size_t bytes) const final
    {
        std::memcpy(to, from, bytes);
    }
#else
    c10::DataPtr allocate(std::size_t bytes) const final
    {
        return const_cast<HostAllocator*>(this)->give(bytes);
    }
#endif
};

/// Newer c10d notes every call of Gloo's for a later look, in one table for the process that threads do not
/// share well: a run with several groups can end in it. TORCH_FR_BUFFER_SIZE in the environment wins. Before there are
/// threads.
void stopFlightRecorder();

} // namespace lockstep::engine
