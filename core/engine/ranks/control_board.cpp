#include "engine/ranks/control_board.h"

#include "engine/comm/shared_file.h"
#include "engine/comm/shm/region.h"
#include "engine/comm/shm/share_descriptor.h"
#include "engine/comm/shm/waiting.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <sys/mman.h>

namespace lockstep::engine {

namespace {

constexpr std::uint32_t Entries = 1024;

struct Entry {
    wire::Control control;
    std::int64_t step = 0;
};

struct alignas(64) RankPlace {
    std::atomic<std::int64_t> step;
    std::atomic<std::uint32_t> taken;
    std::atomic<std::uint32_t> bell;
};

/// The kernel takes no endless limit.
constexpr std::chrono::hours OneSleep{1};

void ringBell(RankPlace& place)
{
    place.bell.fetch_add(1, std::memory_order_release);
    comm::wakeAll(place.bell);
}

/// Lives in zeroed shared memory, which is its valid first state.
struct Shared {
    alignas(64) std::atomic<std::uint32_t> published;
    std::atomic<std::int64_t> sampledStep;
    std::atomic<bool> isPaused;
    std::array<RankPlace, comm::MaxRanks> ranks;
    std::array<Entry, Entries> entries;
};

class SharedBoard final : public ControlBoard {
public:
    SharedBoard(Shared* shared, int rank, int ranks);
    ~SharedBoard() override;
    [[nodiscard]] static Result<std::unique_ptr<ControlBoard>> over(const Descriptor& file, int rank, int ranks);

    [[nodiscard]] bool publish(const wire::Control& control, std::int64_t step) override;
    [[nodiscard]] std::optional<wire::Control> take(std::int64_t step) override;
    void announce(std::int64_t step) override;
    [[nodiscard]] std::int64_t furthestStep() const override;
    [[nodiscard]] std::uint32_t bell() const override;
    void sleepUntilRung(std::uint32_t since) const override;
    void ring() override;
    void setPaused(bool isPaused) override;
    [[nodiscard]] bool isPaused() const override;
    void sampleTraffic(std::int64_t step) override;
    [[nodiscard]] bool isTrafficSampled(std::int64_t step) const override;

private:
    Shared* m_shared;
    int m_rank;
    int m_ranks;
};

SharedBoard::SharedBoard(Shared* shared, int rank, int ranks)
    : m_shared(shared)
    , m_rank(rank)
    , m_ranks(ranks)
{ }

SharedBoard::~SharedBoard()
{
    munmap(m_shared, sizeof(Shared));
}

Result<std::unique_ptr<ControlBoard>> SharedBoard::over(const Descriptor& file, int rank, int ranks)
{
    LOCKSTEP_TRY_ASSIGN(void* const memory, comm::mapSharedFile(file, sizeof(Shared)));
    return std::unique_ptr<ControlBoard>(std::make_unique<SharedBoard>(static_cast<Shared*>(memory), rank, ranks));
}

bool SharedBoard::publish(const wire::Control& control, std::int64_t step)
{
    const std::uint32_t published = m_shared->published.load(std::memory_order_relaxed);
    for (int rank = 0; rank < m_ranks; ++rank) {
        if (published - m_shared->ranks[static_cast<std::size_t>(rank)].taken.load() >= Entries) {
            return false;
        }
    }
    m_shared->entries[published % Entries] = {control, step};
    m_shared->published.store(published + 1, std::memory_order_release);
    for (int rank = 0; rank < m_ranks; ++rank) {
        ringBell(m_shared->ranks[static_cast<std::size_t>(rank)]);
    }
    return true;
}

std::optional<wire::Control> SharedBoard::take(std::int64_t step)
{
    auto& taken = m_shared->ranks[static_cast<std::size_t>(m_rank)].taken;
    const std::uint32_t next = taken.load(std::memory_order_relaxed);
    if (m_shared->published.load(std::memory_order_acquire) == next) {
        return std::nullopt;
    }
    const Entry entry = m_shared->entries[next % Entries];
    if (entry.step > step) {
        return std::nullopt;
    }
    taken.store(next + 1, std::memory_order_release);
    return entry.control;
}

void SharedBoard::announce(std::int64_t step)
{
    m_shared->ranks[static_cast<std::size_t>(m_rank)].step.store(step, std::memory_order_release);
}

std::int64_t SharedBoard::furthestStep() const
{
    std::int64_t furthest = 0;
    for (int rank = 0; rank < m_ranks; ++rank) {
        furthest = std::max(furthest, m_shared->ranks[static_cast<std::size_t>(rank)].step.load());
    }
    return furthest;
}

std::uint32_t SharedBoard::bell() const
{
    return m_shared->ranks[static_cast<std::size_t>(m_rank)].bell.load(std::memory_order_acquire);
}

void SharedBoard::sleepUntilRung(std::uint32_t since) const
{
    const auto& own = m_shared->ranks[static_cast<std::size_t>(m_rank)].bell;
    while (own.load(std::memory_order_acquire) == since) {
        comm::sleepWhile(own, since, OneSleep);
    }
}

void SharedBoard::ring()
{
    ringBell(m_shared->ranks[static_cast<std::size_t>(m_rank)]);
}

void SharedBoard::setPaused(bool isPaused)
{
    m_shared->isPaused.store(isPaused);
}

bool SharedBoard::isPaused() const
{
    return m_shared->isPaused.load();
}

void SharedBoard::sampleTraffic(std::int64_t step)
{
    m_shared->sampledStep.store(step, std::memory_order_release);
}

bool SharedBoard::isTrafficSampled(std::int64_t step) const
{
    return m_shared->sampledStep.load(std::memory_order_acquire) == step;
}

} // namespace

Result<std::unique_ptr<ControlBoard>> ControlBoard::alone()
{
    LOCKSTEP_TRY_ASSIGN(const auto file, comm::makeSharedFile("lockstep-control", sizeof(Shared)));
    return SharedBoard::over(file, 0, 1);
}

Result<std::unique_ptr<ControlBoard>> ControlBoard::join(const comm::Rendezvous& rendezvous)
{
    LOCKSTEP_TRY_ASSIGN(const auto file,
        comm::shareDescriptor(rendezvous, [] { return comm::makeSharedFile("lockstep-control", sizeof(Shared)); }));
    return SharedBoard::over(file, rendezvous.rank, rendezvous.size);
}

} // namespace lockstep::engine
