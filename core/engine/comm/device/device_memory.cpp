#include "engine/comm/device/device_memory.h"

#include <utility>

namespace lockstep::comm {

namespace {

class DeviceMemory final : public Memory {
public:
    explicit DeviceMemory(std::shared_ptr<Device> device)
        : m_device(std::move(device))
    { }

    [[nodiscard]] Result<std::shared_ptr<std::byte>> allocate(std::size_t bytes) override
    {
        LOCKSTEP_TRY_ASSIGN(const auto memory, m_device->allocate(bytes));
        return std::shared_ptr<std::byte>(memory, [device = m_device](std::byte* each) { device->free(each); });
    }
    [[nodiscard]] Result<std::shared_ptr<std::byte>> allocateLanding(std::size_t bytes) override
    {
        LOCKSTEP_TRY_ASSIGN(const auto memory, m_device->allocateHost(bytes));
        return std::shared_ptr<std::byte>(memory, [device = m_device](std::byte* each) { device->freeHost(each); });
    }
    void copy(void* to, const void* from, std::size_t bytes) override
    {
        if (bytes > 0 && to != from) {
            m_device->copy(to, from, bytes);
        }
    }
    void zero(void* to, std::size_t bytes) override
    {
        if (bytes > 0) {
            m_device->zero(to, bytes);
        }
    }
    void reduce(
        Reduction reduction, DataType type, void* to, std::span<const void* const> inputs, std::int64_t count) override
    {
        if (count > 0) {
            m_device->reduce(reduction, type, {&to, 1}, inputs, count);
        }
    }

private:
    std::shared_ptr<Device> m_device;
};

} // namespace

std::shared_ptr<Memory> deviceMemory(std::shared_ptr<Device> device)
{
    return std::make_shared<DeviceMemory>(std::move(device));
}

} // namespace lockstep::comm
