#include "engine/comm/device/staged_communicator.h"

#include "engine/comm/device/device_memory.h"
#include "engine/comm/slot_collectives.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace lockstep::comm {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A copy of a piece takes less than this; training work queued before it may take longer.
constexpr auto StagingSpin = 100us;
constexpr auto StagingNap = 50us;

/// Whether something is new for this rank after it.
bool gets(const Operation& op, int rank)
{
    switch (op.what) {
    case Collective::Broadcast:
        return rank != op.root || op.in.data != op.out.data;
    case Collective::Reduce:
    case Collective::Gather:
        return rank == op.root;
    case Collective::SendReceive:
        return op.from >= 0;
    case Collective::Barrier:
        return false;
    case Collective::AllReduce:
    case Collective::AllGather:
    case Collective::Scatter:
    case Collective::ReduceScatter:
    case Collective::AllToAll:
        break;
    }
    return true;
}

} // namespace

StagedCommunicator::StagedCommunicator(
    std::unique_ptr<Communicator> host, std::shared_ptr<Device> device, const StagedOptions& options)
    : Communicator(host->rank(), host->size())
    , m_host(std::move(host))
    , m_device(std::move(device))
    , m_memory(deviceMemory(m_device))
    , m_options(options)
{
    m_options.pieceBytes = std::max(SlotLine, m_options.pieceBytes / SlotLine * SlotLine);
}

StagedCommunicator::~StagedCommunicator()
{
    finishStarted();
    if (!synchronize()) {
        return; // the device has failed: its memory is freed with the process
    }
    for (DeviceEvent* each : m_events) {
        if (each != nullptr) {
            m_device->destroyEvent(each);
        }
    }
    if (m_room != nullptr) {
        m_device->freeHost(m_room);
    }
}

const std::shared_ptr<Memory>& StagedCommunicator::memory(Space space) const
{
    return space == Space::Device ? m_memory : m_host->memory(space);
}

Result<std::shared_ptr<SharedArray>> StagedCommunicator::share(std::size_t bytes, Space space)
{
    return space == Space::Host ? m_host->share(bytes) : std::shared_ptr<SharedArray>();
}

Result<std::unique_ptr<Communicator>> StagedCommunicator::split(int color, int key)
{
    auto part = m_host->split(color, key);
    if (!part || *part == nullptr) {
        return part;
    }
    return std::unique_ptr<Communicator>(std::make_unique<StagedCommunicator>(std::move(*part), m_device, m_options));
}

Result<void> StagedCommunicator::synchronize()
{
    return await([this] { return m_device->isIdle(); });
}

template <typename IsOver>
Result<void> StagedCommunicator::await(const IsOver& isOver)
{
    const auto start = Clock::now();
    while (!isOver() && m_device->state()) {
        if (Clock::now() - start > StagingSpin) {
            std::this_thread::sleep_for(StagingNap);
        }
    }
    return m_device->state();
}

Result<std::byte*> StagedCommunicator::room(std::size_t bytes)
{
    if (m_roomBytes >= bytes && m_room != nullptr) {
        return m_room;
    }
    if (auto idle = synchronize(); !idle) { // the device may still be reading the old one
        return idle.error();
    }
    if (m_room != nullptr) {
        m_device->freeHost(std::exchange(m_room, nullptr));
    }
    LOCKSTEP_TRY_ASSIGN(m_room, m_device->allocateHost(bytes));
    m_roomBytes = bytes;
    return m_room;
}

Result<DeviceEvent*> StagedCommunicator::event(std::size_t number)
{
    if (m_events[number] == nullptr) {
        LOCKSTEP_TRY_ASSIGN(m_events[number], m_device->createEvent(EventScope::ThisProcess));
    }
    return m_events[number];
}

Result<void> StagedCommunicator::execute(const Operation& op, OperationTimes&)
{
    if (op.what == Collective::Barrier || spaceOf(op, rank()) == Space::Host) {
        return m_host->run(op);
    }
    const bool canBeCut
        = op.what == Collective::Broadcast || op.what == Collective::Reduce || op.what == Collective::AllReduce;
    auto done = canBeCut ? inPieces(op) : whole(op);
    return done ? m_device->state() : done;
}

/// Two halves take turns. A copy from the device into one is queued behind the earlier copy from it to the device, so
/// once it is done only the host uses that half.
Result<void> StagedCommunicator::inPieces(const Operation& op)
{
    const bool isGiver = givesArray(op, rank());
    const bool isTaker = gets(op, rank());
    const std::size_t bytes = op.what == Collective::Broadcast ? op.out.byteCount() : op.in.byteCount();
    const DataType type = op.what == Collective::Broadcast ? op.out.type : op.in.type;
    const std::size_t atOnce = m_options.pieceBytes;
    const auto places = room(2 * atOnce);
    const auto first = event(0);
    const auto second = event(1);
    if (!places || !first || !second) {
        return !places ? places.error() : !first ? first.error() : second.error();
    }
    const std::array<DeviceEvent*, 2> hasCome{*first, *second};
    const auto bring = [&](std::size_t begin, std::size_t place) {
        const std::size_t size = std::min(atOnce, bytes - begin);
        if (isGiver && size > 0) {
            m_device->copy(*places + place * atOnce, op.in.bytes() + begin, size);
        }
        m_device->record(hasCome[place]);
    };
    bring(0, 0);
    std::size_t begin = 0;
    std::size_t place = 0;
    do {
        const std::size_t size = std::min(atOnce, bytes - begin);
        if (begin + size < bytes) {
            bring(begin + size, 1 - place);
        }
        LOCKSTEP_TRY(await([&] { return m_device->hasHappened(hasCome[place]); }));
        const View staged{*places + place * atOnce, static_cast<std::int64_t>(size / sizeOf(type)), type};
        if (auto done
            = m_host->run({.what = op.what, .in = staged, .out = staged, .reduction = op.reduction, .root = op.root});
            !done) {
            return done;
        }
        if (isTaker && size > 0) {
            m_device->copy(op.out.bytes() + begin, staged.data, size);
        }
        begin += size;
        place = 1 - place;
    } while (begin < bytes);
    return {};
}

Result<void> StagedCommunicator::whole(const Operation& op)
{
    const std::size_t in = givesArray(op, rank()) ? op.in.byteCount() : 0;
    const std::size_t out = gets(op, rank()) ? op.out.byteCount() : 0;
    const auto memory = room(std::max(2 * m_options.pieceBytes, roundUpToLine(in) + out));
    const auto hasCome = event(0);
    if (!memory || !hasCome) {
        return !memory ? memory.error() : hasCome.error();
    }
    if (in > 0) {
        m_device->copy(*memory, op.in.data, in);
    }
    m_device->record(*hasCome);
    LOCKSTEP_TRY(await([&] { return m_device->hasHappened(*hasCome); }));
    Operation staged = op;
    staged.in = {*memory, op.in.count, op.in.type};
    staged.out = {*memory + roundUpToLine(in), op.out.count, op.out.type};
    auto done = m_host->run(staged);
    if (done && out > 0) {
        m_device->copy(op.out.data, staged.out.data, out);
    }
    return done;
}

} // namespace lockstep::comm
