// How ranks come to share a device, and how they part.
#include "engine/comm/device/device_memory.h"
#include "engine/comm/device/ipc_ranks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

namespace lockstep::comm {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t Line = 256;
constexpr std::size_t MostForSlots = std::size_t{512} << 20;
/// A flag of its own for each rank, in memory that costs a page of the device in any case.
constexpr std::size_t FlagBytes = Line;
/// What is done is done within this; what a dead peer holds up never.
constexpr milliseconds TimeToCalmDown{300};
constexpr milliseconds PeerCheckEvery{50};
constexpr milliseconds TimeToSayWhose{500};
/// The others part at about the same time. Memory that one of them still has open is not freed before the process ends.
constexpr milliseconds TimeToClose{2000};

class IpcRankArray final : public SharedArray {
public:
    explicit IpcRankArray(std::shared_ptr<IpcArray> array)
        : m_array(std::move(array))
    { }
    [[nodiscard]] const std::byte* of(int rank) const override { return m_array->of(rank); }
    [[nodiscard]] std::byte* own() override { return m_array->own(); }
    [[nodiscard]] std::byte* result() override { return m_array->result(); }

private:
    std::shared_ptr<IpcArray> m_array;
};

} // namespace

IpcCommunicator::IpcCommunicator(
    ShmCommunicator& host, std::shared_ptr<Device> device, const IpcOptions& options, FamilyPlace place)
    : Communicator(host.rank(), host.size())
    , m_host(host)
    , m_device(std::move(device))
    , m_memory(deviceMemory(m_device))
    , m_options(options)
    , m_events(static_cast<std::size_t>(host.size()))
    , m_outboxes(static_cast<std::size_t>(host.size()))
    , m_inboxes(static_cast<std::size_t>(host.size()))
    , m_place(std::move(place))
{
    m_place.family->add(m_host, m_place.ranks);
}

IpcCommunicator::~IpcCommunicator()
{
    finishStarted();
    if (m_pages) {
        closeAll();
    }
    m_place.family->remove(m_host);
}

const std::shared_ptr<Memory>& IpcCommunicator::memory(Space space) const
{
    return space == Space::Device ? m_memory : hostMemory();
}

IpcPage& IpcCommunicator::page(int rank) const
{
    // What the others have there is written by them alone, but a page is one type for its owner and its readers.
    return *reinterpret_cast<IpcPage*>(const_cast<std::byte*>(m_pages->of(rank)));
}

Result<void> IpcCommunicator::agree(const Result<void>& mine)
{
    std::array<char, sizeof(IpcPage::failure)>& said = page(rank()).failure;
    said.fill('\0');
    if (!mine) {
        const std::string& text = mine.error().message;
        std::memcpy(said.data(), text.data(), std::min(text.size(), said.size() - 1));
    }
    if (auto met = m_host.meeting().meet(m_last); !met) {
        return met;
    }
    std::string failed;
    for (int r = size() - 1; r >= 0; --r) {
        if (const char* text = page(r).failure.data(); *text != '\0') {
            failed = "rank " + std::to_string(r) + ": " + text;
        }
    }
    if (auto met = m_host.meeting().meet(m_last); !met) { // until here all have read what all have said
        return met;
    }
    return failed.empty() ? Result<void>() : Error{failed};
}

Result<OpenedMemory> IpcCommunicator::shareMemory(std::size_t bytes)
{
    OpenedMemory memory;
    memory.of.resize(static_cast<std::size_t>(size()));
    const auto give = [&]() -> Result<void> {
        const auto own = m_device->allocateShared(bytes);
        if (!own) {
            return own.error();
        }
        memory.of[static_cast<std::size_t>(rank())] = *own;
        if (size() == 1) {
            return {};
        }
        const auto handle = m_device->exportMemory(*own);
        if (!handle) {
            return handle.error();
        }
        page(rank()).memory = *handle;
        return {};
    };
    const auto take = [&]() -> Result<void> {
        for (int r = 0; r < size(); ++r) {
            if (r != rank()) {
                const auto opened = m_device->openMemory(page(r).memory);
                if (!opened) {
                    return opened.error();
                }
                memory.of[static_cast<std::size_t>(r)] = *opened;
            }
        }
        return {};
    };
    auto shared = agree(give());
    if (shared) {
        shared = agree(take());
    }
    if (!shared) {
        static_cast<void>(closeMemory(memory)); // what cannot be given back goes with the process
        return shared.error();
    }
    return memory;
}

Result<void> IpcCommunicator::closeMemory(OpenedMemory& memory)
{
    for (std::size_t r = 0; r < memory.of.size(); ++r) {
        if (r != static_cast<std::size_t>(rank()) && memory.of[r] != nullptr) {
            m_device->closeMemory(memory.of[r]);
        }
    }
    if (auto all = m_host.meeting().meet(m_last); !all) {
        return all;
    }
    if (!memory.of.empty() && memory.of[static_cast<std::size_t>(rank())] != nullptr) {
        m_device->freeShared(memory.of[static_cast<std::size_t>(rank())]);
    }
    memory = {};
    return {};
}

Result<void> IpcCommunicator::open()
{
    auto pages = m_host.share(sizeof(IpcPage) + static_cast<std::size_t>(size()) * sizeof(IpcChannel));
    if (!pages) {
        return pages.error();
    }
    m_pages = std::move(*pages);
    m_slotsOfAllRanks = m_options.slotsOfAllRanks != 0 ? m_options.slotsOfAllRanks
                                                       : std::min(MostForSlots, m_device->memoryBytes() / 8);
    const auto ranks = static_cast<std::size_t>(size());
    // Two parities of what is given and of what is made, which is a rank's share of the former.
    page(rank()).limit = m_slotsOfAllRanks / ranks / 2 / ranks * std::max<std::size_t>(1, ranks - 1) / Line * Line;
    m_options.messageBytes = std::max(Line, m_options.messageBytes / Line * Line);
    const auto create = [&]() -> Result<void> {
        for (DeviceEvent*& lap : m_laps) {
            const auto event = m_device->createLocalEvent();
            if (!event) {
                return event.error();
            }
            lap = *event;
        }
        return createEvents(m_events[static_cast<std::size_t>(rank())], page(rank()).events);
    };
    const auto openTheirs = [&]() -> Result<void> {
        for (int r = 0; r < size(); ++r) {
            if (auto opened = openEvents(m_events[static_cast<std::size_t>(r)], page(r).events); !opened) {
                return opened;
            }
        }
        return {};
    };
    if (auto created = agree(create()); !created) {
        return created;
    }
    if (auto opened = agree(openTheirs()); !opened) {
        return opened;
    }
    m_slotLimit = page(0).limit;
    for (int r = 1; r < size(); ++r) {
        m_slotLimit = std::min<std::size_t>(m_slotLimit, page(r).limit);
    }
    if (m_slotLimit < Line * ranks) {
        return Error{"the device has too little memory for " + std::to_string(size()) + " ranks"};
    }
    // Also without flags: now is the time to find out that memory cannot be shared.
    auto flags = shareMemory(FlagBytes);
    if (!flags) {
        return flags.error();
    }
    m_flags = std::move(*flags);
    const auto words = [&]() -> Result<void> {
        const auto memory = m_device->allocateHost(2 * sizeof(std::uint32_t));
        if (!memory) {
            return memory.error();
        }
        m_missing = reinterpret_cast<std::uint32_t*>(*memory);
        m_stop = m_missing + 1;
        *m_missing = 0;
        *m_stop = 0;
        m_device->zero(m_flags.of[static_cast<std::size_t>(rank())], FlagBytes);
        return poll();
    };
    return agree(words());
}

Result<std::unique_ptr<SharedArray>> IpcCommunicator::share(std::size_t bytes, Space space)
{
    if (auto finished = finish(); !finished) { // what has been started speaks through the same meetings
        return finished.error();
    }
    if (space == Space::Host) {
        return m_host.share(bytes);
    }
    if (!m_options.sharesArrays) {
        return std::unique_ptr<SharedArray>();
    }
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(size()));
    const auto mine = static_cast<std::int64_t>(bytes);
    if (auto told = m_host.allGather({&mine, 1, DataType::Int64}, {wanted.data(), size(), DataType::Int64}); !told) {
        return told.error();
    }
    const auto odd = std::find_if(wanted.begin(), wanted.end(), [&](std::int64_t each) { return each != wanted[0]; });
    if (odd != wanted.end()) {
        return m_host.meeting().breakGroup("a shared array: rank 0 wants " + std::to_string(wanted[0]) + " bytes, rank "
            + std::to_string(odd - wanted.begin()) + " " + std::to_string(*odd));
    }
    const std::size_t stride = std::max(Line, (bytes + Line - 1) / Line * Line);
    auto memory = shareMemory(rank() == 0 ? (1 + SharedArray::Results) * stride : stride);
    if (!memory) {
        return m_host.meeting().breakGroup("a shared array: " + memory.error().message);
    }
    m_arrays.push_back(std::make_shared<IpcArray>(std::move(*memory), rank(), bytes, stride));
    m_device->zero(m_arrays.back()->own(), stride);
    return std::unique_ptr<SharedArray>(std::make_unique<IpcRankArray>(m_arrays.back()));
}

Result<std::unique_ptr<Communicator>> IpcCommunicator::split(int color, int key)
{
    if (auto finished = finish(); !finished) {
        return finished.error();
    }
    auto part = m_host.split(color, key);
    if (!part || *part == nullptr) {
        return part;
    }
    // As much a rank as here, so that groups of all sizes together stay small.
    IpcOptions options = m_options;
    options.slotsOfAllRanks
        = m_slotsOfAllRanks / static_cast<std::size_t>(size()) * static_cast<std::size_t>((*part)->size());
    auto place = partOfFamily(**part, rank(), m_place);
    return place ? over(*part, m_device, options, std::move(*place)) : place.error();
}

Result<void> IpcCommunicator::stateOfDevice()
{
    const std::string name(nameOf(m_last));
    if (m_device->isAborted()) {
        // In another group of this rank: there they know who.
        return m_host.meeting().breakGroup(name + ": rank " + std::to_string(rank())
            + " has given its device up, which waits for a rank that has died");
    }
    if (const auto state = m_device->state(); !state) {
        return m_host.meeting().breakGroup(name + ": rank " + std::to_string(rank()) + ": " + state.error().message);
    }
    const std::uint32_t missing = m_missing != nullptr ? std::atomic_ref(*m_missing).load() : 0;
    if (missing != 0) {
        return m_host.meeting().breakGroup(name + ": the work of rank " + std::to_string(missing - 1)
            + " has not come on the device within " + std::to_string(m_host.meeting().timeout().count() / 1000) + " s");
    }
    return {};
}

Result<void> IpcCommunicator::poll()
{
    const auto isOver = [&] { return m_device->isIdle() || m_device->isAborted() || !m_device->state(); };
    // A wait for flags keeps the limit by itself and knows whose flag it was.
    const milliseconds patience = m_options.spinsOnFlags ? TimeToSayWhose : milliseconds(0);
    if (auto done = pollDevice(m_last, isOver, patience); !done) {
        return done;
    }
    return stateOfDevice();
}

Result<void> IpcCommunicator::pollDevice(Collective what, const std::function<bool()>& isDone, milliseconds patience)
{
    std::string gone;
    auto lastLook = Clock::now();
    Clock::time_point seen{};
    const auto isOver = [&] {
        if (isDone()) {
            gone.clear();
            return true;
        }
        const auto now = Clock::now();
        if (gone.empty() && now - lastLook > PeerCheckEvery) {
            lastLook = now;
            gone = m_place.family->whoIsGone(m_host);
            seen = now;
        }
        // What it had done before counts.
        return !gone.empty() && now - seen > TimeToCalmDown;
    };
    if (auto polled = m_host.meeting().poll(what, isOver, patience); !polled) {
        return polled;
    }
    if (gone.empty()) {
        return {};
    }
    const std::string here = m_host.meeting().whoHasDied();
    return m_host.meeting().breakGroup(std::string(nameOf(what)) + ": " + (here.empty() ? gone : here));
}

Error IpcCommunicator::failed(Collective what, const Error& cause)
{
    // What a process had opened to others goes with it, a little before it can be seen that it is gone.
    const auto end = Clock::now() + TimeToCalmDown;
    while (Clock::now() < end && m_host.meeting().state()) {
        if (const std::string dead = m_host.meeting().whoHasDied(); !dead.empty()) {
            return m_host.meeting().breakGroup(std::string(nameOf(what)) + ": " + dead);
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return m_host.meeting().breakGroup(std::string(nameOf(what)) + ": " + cause.message);
}

Result<void> IpcCommunicator::synchronize()
{
    auto done = poll();
    if (!done) {
        giveUp();
    }
    return done;
}

Result<void> IpcCommunicator::checkPeers()
{
    auto alive = m_host.checkPeers();
    alive = alive ? stateOfDevice() : alive;
    if (!alive) {
        giveUp();
    }
    return alive;
}

void IpcCommunicator::abort()
{
    m_host.abort();
    if (m_stop != nullptr) {
        std::atomic_ref(*m_stop).store(1);
    }
}

void IpcCommunicator::giveUp()
{
    if (m_hasGivenUp) {
        return;
    }
    m_hasGivenUp = true;
    m_place.family->fail();
    if (m_stop != nullptr) {
        std::atomic_ref(*m_stop).store(1);
    }
    const auto end = Clock::now() + TimeToCalmDown;
    while (!m_device->isIdle() && !m_device->isAborted()) {
        if (Clock::now() > end) {
            m_device->abort();
            return;
        }
        std::this_thread::sleep_for(milliseconds(1));
    }
}

void IpcCommunicator::closeAll()
{
    if (m_place.family->hasFailed() || m_device->isAborted() || !poll()) {
        giveUp();
        return; // the process ends; what it has open goes with it
    }
    const auto own = static_cast<std::size_t>(rank());
    const auto closeTheirs = [&](const OpenedMemory& memory) {
        for (std::size_t r = 0; r < memory.of.size(); ++r) {
            if (r != own && memory.of[r] != nullptr) {
                m_device->closeMemory(memory.of[r]);
            }
        }
    };
    const auto destroy = [&](const std::array<DeviceEvent*, 2>& events) {
        for (DeviceEvent* event : events) {
            if (event != nullptr) {
                m_device->destroyEvent(event);
            }
        }
    };
    closeTheirs(m_slots);
    closeTheirs(m_flags);
    for (const auto& array : m_arrays) {
        closeTheirs(array->memory());
    }
    for (std::size_t r = 0; r < m_inboxes.size(); ++r) {
        if (m_inboxes[r].memory != nullptr) {
            m_device->closeMemory(m_inboxes[r].memory);
        }
        destroy(m_inboxes[r].filled);
        destroy(m_outboxes[r].taken);
        if (r != own) {
            destroy(m_events[r]);
        }
    }
    page(rank()).hasClosed.store(1);
    const auto end = Clock::now() + TimeToClose;
    const auto haveAllClosed = [&] {
        for (int r = 0; r < size(); ++r) {
            if (page(r).hasClosed.load() == 0) {
                return false;
            }
        }
        return true;
    };
    while (!haveAllClosed()) {
        if (Clock::now() > end || !m_host.meeting().state()) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    const auto freeOwn = [&](const OpenedMemory& memory) {
        if (own < memory.of.size() && memory.of[own] != nullptr) {
            m_device->freeShared(memory.of[own]);
        }
    };
    freeOwn(m_slots);
    freeOwn(m_flags);
    for (const auto& array : m_arrays) {
        freeOwn(array->memory());
    }
    for (std::size_t r = 0; r < m_outboxes.size(); ++r) {
        if (m_outboxes[r].memory != nullptr) {
            m_device->freeShared(m_outboxes[r].memory);
        }
        destroy(m_outboxes[r].filled);
        destroy(m_inboxes[r].taken);
    }
    destroy(m_events[own]);
    destroy(m_laps);
    if (m_missing != nullptr) {
        m_device->freeHost(reinterpret_cast<std::byte*>(m_missing));
    }
}

Result<std::unique_ptr<Communicator>> IpcCommunicator::over(
    std::unique_ptr<Communicator>& host, std::shared_ptr<Device> device, const IpcOptions& options, FamilyPlace place)
{
    auto* ranks = dynamic_cast<ShmCommunicator*>(host.get());
    if (ranks == nullptr) {
        return Error{"sharing a device needs ranks that share memory (comm.backend=shm); these are over "
            + std::string(host->backend())};
    }
    auto communicator = std::make_unique<IpcCommunicator>(*ranks, std::move(device), options, std::move(place));
    if (auto opened = communicator->open(); !opened) {
        return opened.error();
    }
    communicator->adopt(std::move(host));
    return std::unique_ptr<Communicator>(std::move(communicator));
}

Result<std::unique_ptr<Communicator>> overIpc(
    std::unique_ptr<Communicator>& host, std::shared_ptr<Device> device, const IpcOptions& options)
{
    return IpcCommunicator::over(host, std::move(device), options, firstOfFamily(host->size()));
}

} // namespace lockstep::comm
