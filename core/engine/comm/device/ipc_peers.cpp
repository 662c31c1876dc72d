#include "engine/comm/device/ipc_peers.h"

#include "engine/comm/failures.h"

#include <new>
#include <thread>

namespace lockstep::comm {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// A live device finishes its work within this; work that waits for a dead peer never ends.
constexpr milliseconds TimeToCalmDown{300};
constexpr milliseconds CheckPeersEvery{50};
constexpr milliseconds TimeToSayWhose{500};
/// The other ranks leave at about the same time. Memory that a peer still has open is freed when the process ends.
constexpr milliseconds TimeToClose{2000};

} // namespace

IpcPeers::IpcPeers(
    Communicator& host, ShmRounds& rounds, std::shared_ptr<Device> device, bool spinsOnFlags, FamilyPlace place)
    : m_host(host)
    , m_rounds(rounds)
    , m_device(std::move(device))
    , m_spinsOnFlags(spinsOnFlags)
    , m_place(std::move(place))
{
    m_place.family->add(m_host, m_place.ranks);
}

IpcPeers::~IpcPeers()
{
    m_place.family->remove(m_host);
}

Result<void> IpcPeers::open()
{
    LOCKSTEP_TRY_ASSIGN(m_pages, m_host.share(sizeof(IpcPage) + static_cast<std::size_t>(size()) * sizeof(IpcChannel)));
    const auto words = m_device->allocateHost(sizeof(FlagWords));
    if (words) {
        m_words = new (*words) FlagWords;
    }
    return agree(words ? Result<void>() : words.error());
}

IpcPage& IpcPeers::page(int rank) const
{
    // Only its owner writes a page, but a page is one type for its owner and its readers.
    return *reinterpret_cast<IpcPage*>(const_cast<std::byte*>(m_pages->of(rank)));
}

Result<void> IpcPeers::agree(const Result<void>& mine)
{
    packInto(page(rank()).failure, mine ? Text() : Text(mine.error()));
    LOCKSTEP_TRY(meeting().meet(m_last));
    Text failed;
    for (int r = size() - 1; r >= 0; --r) {
        if (const Text text = unpackedOrEnglish(page(r).failure.data()); !text.empty()) {
            failed = saidBy(r, text);
        }
    }
    LOCKSTEP_TRY(meeting().meet(m_last)); // a rank changes its text only after all have read it
    return failed.empty() ? Result<void>() : failureOf(failed);
}

Result<PeerMemory> IpcPeers::shareMemory(std::size_t bytes)
{
    PeerMemory memory(static_cast<std::size_t>(size()));
    const auto allocate = [&]() -> Result<void> {
        LOCKSTEP_TRY_ASSIGN(std::byte* const own, m_device->allocateShared(bytes));
        memory[static_cast<std::size_t>(rank())] = own;
        if (size() > 1) {
            LOCKSTEP_TRY_ASSIGN(page(rank()).memory, m_device->exportMemory(own));
        }
        return {};
    };
    const auto openTheirs = [&]() -> Result<void> {
        for (int r = 0; r < size(); ++r) {
            if (r != rank()) {
                LOCKSTEP_TRY_ASSIGN(memory[static_cast<std::size_t>(r)], m_device->openMemory(page(r).memory));
            }
        }
        return {};
    };
    auto shared = agree(allocate());
    if (shared) {
        shared = agree(openTheirs());
    }
    if (!shared) {
        static_cast<void>(closeMemory(memory)); // what this cannot free is freed when the process ends
        return shared.error();
    }
    return memory;
}

Result<void> IpcPeers::closeMemory(PeerMemory& memory)
{
    closeOpened(memory);
    LOCKSTEP_TRY(meeting().meet(m_last));
    freeOwn(memory);
    memory.clear();
    return {};
}

void IpcPeers::closeOpened(const PeerMemory& memory)
{
    for (std::size_t r = 0; r < memory.size(); ++r) {
        if (r != static_cast<std::size_t>(rank()) && memory[r] != nullptr) {
            m_device->closeMemory(memory[r]);
        }
    }
}

void IpcPeers::freeOwn(const PeerMemory& memory)
{
    if (!memory.empty() && memory[static_cast<std::size_t>(rank())] != nullptr) {
        m_device->freeShared(memory[static_cast<std::size_t>(rank())]);
    }
}

Result<void> IpcPeers::createEvents(EventPair& events, std::array<DeviceHandle, 2>& handles)
{
    for (std::size_t i = 0; i < events.size(); ++i) {
        LOCKSTEP_TRY_ASSIGN(events[i], m_device->createEvent(EventScope::AllProcesses));
        LOCKSTEP_TRY_ASSIGN(handles[i], m_device->exportEvent(events[i]));
    }
    return {};
}

Result<void> IpcPeers::openEvents(EventPair& events, const std::array<DeviceHandle, 2>& handles)
{
    for (std::size_t i = 0; i < events.size() && events[i] == nullptr; ++i) {
        LOCKSTEP_TRY_ASSIGN(events[i], m_device->openEvent(handles[i]));
    }
    return {};
}

void IpcPeers::destroyEvents(const EventPair& events)
{
    for (DeviceEvent* event : events) {
        if (event != nullptr) {
            m_device->destroyEvent(event);
        }
    }
}

void IpcPeers::free()
{
    if (m_words != nullptr) {
        m_device->freeHost(reinterpret_cast<std::byte*>(m_words));
    }
}

Result<void> IpcPeers::state()
{
    if (m_device->isAborted()) {
        // Aborted by another group of this rank, which names the dead rank.
        return meeting().breakGroup(ofOperation(m_last,
            {LS_TR("Messages", "%1 has given its device up, which waits for a rank that has died"),
                {rankName(rank())}}));
    }
    if (const auto state = m_device->state(); !state) {
        return meeting().breakGroup(ofOperation(m_last, saidBy(rank(), state.error())));
    }
    const std::uint32_t missing = m_words != nullptr ? std::atomic_ref(m_words->missing).load() : 0;
    if (missing != 0) {
        return meeting().breakGroup(ofOperation(m_last,
            {LS_TR("Messages", "the work of %1 has not come on the device within %2 s"),
                {rankName(missing - 1), meeting().timeout().count() / 1000}}));
    }
    return {};
}

Result<void> IpcPeers::synchronize()
{
    const auto isOver = [&] { return m_device->isIdle() || m_device->isAborted() || !m_device->state(); };
    // A wait for flags has its own time limit and reports the rank whose flag is missing.
    LOCKSTEP_TRY(await(m_last, isOver, m_spinsOnFlags ? TimeToSayWhose : milliseconds(0)));
    return state();
}

Result<void> IpcPeers::await(Collective what, const std::function<bool()>& isDone, milliseconds patience)
{
    Text gone;
    auto lastLook = Clock::now();
    Clock::time_point seen{};
    const auto isOver = [&] {
        if (isDone()) {
            gone = {};
            return true;
        }
        const auto now = Clock::now();
        if (gone.empty() && now - lastLook > CheckPeersEvery) {
            lastLook = now;
            gone = m_place.family->deadPeers(m_host);
            seen = now;
        }
        // What the rank had queued before it died may still arrive.
        return !gone.empty() && now - seen > TimeToCalmDown;
    };
    LOCKSTEP_TRY(meeting().poll(what, isOver, patience));
    if (gone.empty()) {
        return {};
    }
    const Text here = meeting().whoHasDied();
    return meeting().breakGroup(ofOperation(what, here.empty() ? gone : here));
}

Error IpcPeers::failed(Collective what, const Text& cause)
{
    // What a process had opened to others vanishes a little before the kernel reports its death.
    const auto end = Clock::now() + TimeToCalmDown;
    while (Clock::now() < end && meeting().state()) {
        if (const Text dead = meeting().whoHasDied(); !dead.empty()) {
            return meeting().breakGroup(ofOperation(what, dead));
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return meeting().breakGroup(ofOperation(what, cause));
}

void IpcPeers::stopFlags()
{
    if (m_words != nullptr) {
        std::atomic_ref(m_words->stop).store(1);
    }
}

void IpcPeers::giveUp()
{
    if (m_hasGivenUp) {
        return;
    }
    m_hasGivenUp = true;
    m_place.family->fail();
    stopFlags();
    const auto end = Clock::now() + TimeToCalmDown;
    while (!m_device->isIdle() && !m_device->isAborted()) {
        if (Clock::now() > end) {
            m_device->abort();
            return;
        }
        std::this_thread::sleep_for(milliseconds(1));
    }
}

bool IpcPeers::haveAllClosed()
{
    page(rank()).hasClosed.store(1);
    const auto end = Clock::now() + TimeToClose;
    for (int r = 0; r < size(); ++r) {
        while (page(r).hasClosed.load() == 0) {
            if (Clock::now() > end || !meeting().state()) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    }
    return true;
}

} // namespace lockstep::comm
