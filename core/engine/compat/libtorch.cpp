#include "engine/compat/libtorch.h"

#include <ATen/autocast_mode.h>

#include <cstdlib>

namespace lockstep::engine {

namespace {

#if TORCH_VERSION_MAJOR >= 2

bool isOn(torch::DeviceType device)
{
    return at::autocast::is_autocast_enabled(device);
}

at::ScalarType typeOf(torch::DeviceType device)
{
    return at::autocast::get_autocast_dtype(device);
}

void set(torch::DeviceType device, bool on, at::ScalarType type)
{
    at::autocast::set_autocast_dtype(device, type);
    at::autocast::set_autocast_enabled(device, on);
}

#else

bool isOn(torch::DeviceType device)
{
    return device == torch::kCUDA ? at::autocast::is_enabled() : at::autocast::is_cpu_enabled();
}

at::ScalarType typeOf(torch::DeviceType device)
{
    return device == torch::kCUDA ? at::autocast::get_autocast_gpu_dtype() : at::autocast::get_autocast_cpu_dtype();
}

void set(torch::DeviceType device, bool on, at::ScalarType type)
{
    if (device == torch::kCUDA) {
        at::autocast::set_autocast_gpu_dtype(type);
        at::autocast::set_enabled(on);
    } else {
        at::autocast::set_autocast_cpu_dtype(type);
        at::autocast::set_cpu_enabled(on);
    }
}

#endif

} // namespace

Autocast::Autocast(torch::DeviceType device, std::optional<at::ScalarType> type)
    : m_device(device)
    , m_isOn(type.has_value())
{
    if (m_isOn) {
        m_wasOn = isOn(device);
        m_typeBefore = typeOf(device);
        set(device, true, *type);
        at::autocast::increment_nesting();
    }
}

Autocast::~Autocast()
{
    if (m_isOn) {
        // Casts of weights are kept until the outermost one ends: after that the weights change.
        if (at::autocast::decrement_nesting() == 0) {
            at::autocast::clear_cache();
        }
        set(m_device, m_wasOn, m_typeBefore);
    }
}

std::optional<at::ScalarType> autocastType(torch::DeviceType device)
{
    return isOn(device) ? std::optional(typeOf(device)) : std::nullopt;
}

void stopFlightRecorder()
{
    setenv("TORCH_FR_BUFFER_SIZE", "0", 0);
}

} // namespace lockstep::engine
