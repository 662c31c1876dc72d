// What gradient buckets do on a device, step by step: a rank computes one part of an array after the other, and the
// parts that are there are summed on a stream beside it. On fakes and on a GPU; a wait that is missing gives other
// sums.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/device/side_stream.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace lockstep::tests {

/// Where the sums are: in memory that the ranks share, or in each rank's own.
enum class Summed { Shared, Own };
/// A fault that a test puts in.
enum class Forgotten { Nothing, Input };

class OverlappedSums {
public:
    /// A copy on the stream that is current before fork(): the rank's other work.
    using Compute = std::function<void(void* to, const void* from, std::size_t bytes)>;

    /// `stream`: another stream of the device.
    OverlappedSums(comm::Communicator& group, std::shared_ptr<comm::Device> device, void* stream, Compute compute)
        : m_group(group)
        , m_device(std::move(device))
        , m_stream(stream)
        , m_compute(std::move(compute))
    { }

    /// An error also if a sum is wrong.
    [[nodiscard]] Result<void> run(Summed which, Forgotten forgotten = Forgotten::Nothing)
    {
        auto shared = which == Summed::Shared ? m_group.share(ArrayBytes, comm::Space::Device)
                                              : Result<std::shared_ptr<comm::SharedArray>>(nullptr);
        LOCKSTEP_TRY_ASSIGN(const auto array, shared);
        const auto memory = m_group.memory(comm::Space::Device);
        LOCKSTEP_TRY_ASSIGN(const auto own, memory->allocate(ArrayBytes));
        LOCKSTEP_TRY_ASSIGN(const auto results, memory->allocate(ArrayBytes * Steps));
        LOCKSTEP_TRY_ASSIGN(const auto slow, memory->allocate(4 * SlowBytes));
        LOCKSTEP_TRY_ASSIGN(const auto given, memory->allocateLanding(ArrayBytes * Steps));
        LOCKSTEP_TRY_ASSIGN(const auto read, memory->allocateLanding(ArrayBytes * Steps));
        for (int each = 0; each < Steps * Parts; ++each) {
            std::fill_n(numbers(given) + each * Count, Count, valueOf(m_group.rank(), each));
        }
        LOCKSTEP_TRY_ASSIGN(const auto side, comm::SideStream::open(m_device, m_stream, Parts));
        for (std::size_t step = 0; step < Steps; ++step) {
            const Places at{array ? array->own() : own.get(), given.get() + step * ArrayBytes, slow.get()};
            LOCKSTEP_TRY(oneStep(*side, at, forgotten));
            m_compute(results.get() + step * ArrayBytes, at.array, ArrayBytes);
        }
        m_compute(read.get(), results.get(), ArrayBytes * Steps);
        LOCKSTEP_TRY(m_group.finish());
        for (int each = 0; each < Steps * Parts; ++each) {
            float expected = 0;
            for (int rank = 0; rank < m_group.size(); ++rank) {
                expected += valueOf(rank, each);
            }
            const float* sums = numbers(read) + each * Count;
            if (!std::all_of(sums, sums + Count, [&](float sum) { return sum == expected; })) {
                return Error{"sum " + std::to_string(each) + " is wrong"};
            }
        }
        return m_group.barrier();
    }

private:
    static constexpr int Parts = 3;
    static constexpr int Steps = 4;
    static constexpr std::int64_t Count = 5'000; ///< of a part
    static constexpr std::size_t PartBytes = Count * sizeof(float);
    static constexpr std::size_t ArrayBytes = Parts * PartBytes;
    static constexpr std::size_t SlowBytes = std::size_t{4} << 20; ///< their copy keeps a stream behind the other

    struct Places {
        std::byte* array;
        const std::byte* given;
        std::byte* slow;
    };

    static float* numbers(const std::shared_ptr<std::byte>& memory) { return reinterpret_cast<float*>(memory.get()); }
    /// Small whole numbers, so that sums are exact.
    static float valueOf(int rank, int each) { return static_cast<float>((rank + 1) * (each + 1)); }

    [[nodiscard]] Result<void> oneStep(comm::SideStream& side, const Places& at, Forgotten forgotten)
    {
        std::array<std::unique_ptr<comm::Work>, Parts> works;
        side.fork();
        for (std::size_t part = 0; part < Parts; ++part) {
            std::byte* const own = at.array + part * PartBytes;
            m_compute(at.slow, at.slow + SlowBytes, SlowBytes);
            m_compute(own, at.given + part * PartBytes, PartBytes);
            side.inputIsQueued(part);
            const comm::View view{own, Count, comm::DataType::Float32, comm::Space::Device};
            works[part] = m_group.start(
                {.what = comm::Collective::AllReduce, .in = view, .out = view, .reduction = comm::Reduction::Sum},
                {.before = [&side, part, forgotten]() -> Result<void> {
                     if (forgotten != Forgotten::Input) {
                         side.awaitInput(part);
                     }
                     return {};
                 },
                    .after = [this, &at]() -> Result<void> {
                        m_device->copy(at.slow + 2 * SlowBytes, at.slow + 3 * SlowBytes, SlowBytes);
                        return {};
                    }});
        }
        for (const auto& work : works) {
            LOCKSTEP_TRY(work->wait());
        }
        side.join();
        return {};
    }

    comm::Communicator& m_group;
    std::shared_ptr<comm::Device> m_device;
    void* m_stream;
    Compute m_compute;
};

} // namespace lockstep::tests
