// Ranks as threads of the test, each with a separate fake device that opens the others' memory.
#pragma once

#include "core/engine/comm/conformance.h"
#include "core/engine/comm/fake_device.h"
#include "core/engine/comm/group.h"
#include "engine/comm/device/ipc_communicator.h"

#include <memory>

namespace lockstep::tests {

struct DeviceRank {
    comm::Communicator& group;
    FakeDevice& device;
};

/// Makes a communicator of device arrays out of one of host arrays.
using OverDevice = std::function<Result<std::unique_ptr<comm::Communicator>>(
    std::unique_ptr<comm::Communicator>& host, std::shared_ptr<comm::Device> device)>;

/// Slots of a few thousand bytes, so that arrays of a test take several.
inline comm::IpcOptions smallSlots()
{
    return {.slotsOfAllRanks = std::size_t{256} << 10, .messageBytes = 4096};
}

inline OverDevice overIpcWith(const comm::IpcOptions& options)
{
    return [options](std::unique_ptr<comm::Communicator>& host, std::shared_ptr<comm::Device> device) {
        return comm::overIpc(host, std::move(device), options);
    };
}

/// Runs `body` as every rank at once; an error also if a device has something left that was not given back. `tuned` may
/// change a rank's device before it is made.
inline std::vector<Result<void>> asDeviceRanks(int ranks, const OverDevice& over,
    const std::function<Result<void>(const DeviceRank&)>& body,
    const std::function<void(int rank, FakeDeviceOptions&)>& tuned = {})
{
    std::vector<Result<void>> results(static_cast<std::size_t>(ranks));
    const auto region = comm::Region::makeFile(ranks);
    if (!region) {
        return {region.error()};
    }
    const auto runAs = [&](int rank) -> Result<void> {
        auto host = comm::joinRegion(*region, rank, {});
        if (!host) {
            return host.error();
        }
        FakeDeviceOptions options{.seed = static_cast<unsigned>(rank * 7919 + ranks)};
        if (tuned) {
            tuned(rank, options);
        }
        const auto device = std::make_shared<FakeDevice>(options);
        auto done = [&]() -> Result<void> {
            auto group = over(*host, device);
            if (!group) {
                return group.error();
            }
            auto result = body({**group, *device});
            if (!result) { // so that no other rank waits for this one
                (*group)->abort();
            }
            return result;
        }();
        while (done && !device->isIdle()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return done && device->held() != 0 ? Error{"rank " + std::to_string(rank) + " still holds "
                   + std::to_string(device->held()) + " things of its device"}
                                           : done;
    };
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] { results[static_cast<std::size_t>(rank)] = runAs(rank); });
    }
    threads.clear();
    return results;
}

/// Arrays in a fake device's memory.
class DevicePlace final : public Place {
public:
    explicit DevicePlace(FakeDevice& device)
        : m_device(device)
    { }
    ~DevicePlace() override { DevicePlace::clear(); }
    DevicePlace(const DevicePlace&) = delete;
    DevicePlace& operator=(const DevicePlace&) = delete;

    [[nodiscard]] comm::Space space() const override { return comm::Space::Device; }
    [[nodiscard]] Result<std::byte*> hold(Bytes bytes) override
    {
        auto memory = m_device.allocate(bytes.size());
        if (memory) {
            m_held.push_back(*memory);
            m_host.push_back(std::move(bytes));
            m_device.copy(*memory, m_host.back().data(), m_host.back().size());
        }
        return memory;
    }
    [[nodiscard]] Result<bool> isThere(comm::Communicator& group, const std::byte* at, const Bytes& expected) override
    {
        const auto found = read(group, at, expected.size());
        return found ? Result<bool>(*found == expected) : found.error();
    }
    Result<Bytes> read(comm::Communicator& group, const std::byte* from, std::size_t bytes)
    {
        m_host.emplace_back(bytes);
        m_device.copy(m_host.back().data(), from, bytes);
        auto done = group.finish();
        return done ? Result<Bytes>(m_host.back()) : done.error();
    }
    /// Once all that was queued is done.
    void clear() override
    {
        for (std::byte* each : m_held) {
            m_device.free(each);
        }
        m_held.clear();
        m_host.clear();
    }

private:
    FakeDevice& m_device;
    std::vector<std::byte*> m_held;
    std::deque<Bytes> m_host;
};

/// The array as numbers of the host.
template <typename T>
Result<std::vector<T>> numbersOf(const DeviceRank& rank, DevicePlace& place, const std::byte* at, std::size_t count)
{
    const auto bytes = place.read(rank.group, at, count * sizeof(T));
    if (!bytes) {
        return bytes.error();
    }
    std::vector<T> numbers(count);
    if (count > 0) {
        std::memcpy(numbers.data(), bytes->data(), bytes->size());
    }
    return numbers;
}

template <typename T>
Result<std::byte*> holdNumbers(DevicePlace& place, const std::vector<T>& numbers)
{
    const auto* bytes = reinterpret_cast<const std::byte*>(numbers.data());
    return place.hold(Bytes(bytes, bytes + numbers.size() * sizeof(T)));
}

} // namespace lockstep::tests
