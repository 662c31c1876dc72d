#include "gpu/gpu_checks.h"

#include "base/clock.h"
#include "core/engine/comm/overlapped_sums.h"
#include "engine/comm/expected_result.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace lockstep::tests {

using namespace comm;

namespace {

enum class Place { Apart, Same };

/// Whether the result of each rank is as large as what all give.
bool givesWhole(Collective what)
{
    return what == Collective::Gather || what == Collective::AllGather || what == Collective::AllToAll;
}

bool takesWhole(Collective what)
{
    return what == Collective::Scatter || what == Collective::ReduceScatter || what == Collective::AllToAll;
}

/// One call with known inputs; `count` elements of a rank's part. In place: the input is where the
/// result goes, or the smaller of the two is at the rank's place in the larger.
Result<void> callAndCheck(const GpuRank& rank, Collective what, DataType type, Reduction reduction, std::int64_t count,
    Place place = Place::Apart)
{
    const std::int64_t whole = count * rank.group.size();
    const std::int64_t inCount = takesWhole(what) ? whole : count;
    const std::int64_t outCount = givesWhole(what) ? whole : count;
    const auto bytesOf = [type](std::int64_t elements) { return static_cast<std::size_t>(elements) * sizeOf(type); };
    GpuArray given(rank.gpu, bytesOf(inCount));
    GpuArray room(rank.gpu, bytesOf(std::max(inCount, outCount)));
    if (!given.isThere() || !room.isThere()) {
        return Error{"no memory for " + std::to_string(inCount) + " and " + std::to_string(outCount) + " elements"};
    }
    const ExpectedResult answer(type, reduction, rank.group.size());
    answer.fill({given.host(), inCount, type}, rank.group.rank());
    std::memset(room.host(), 0xa5, bytesOf(std::max(inCount, outCount)));
    given.upload();
    room.upload();
    std::byte* in = given.device();
    const std::size_t own = inCount == outCount ? 0 : bytesOf(count) * static_cast<std::size_t>(rank.group.rank());
    const bool isSame = what == Collective::Broadcast || place == Place::Same;
    if (isSame) {
        in = room.device() + (inCount < outCount ? own : 0);
        rank.gpu.copy(in, given.device(), bytesOf(inCount));
    }
    const std::size_t result = isSame && inCount > outCount ? own : 0;
    Operation op{.what = what,
        .in = {in, inCount, type, Space::Device},
        .out = {room.device() + result, outCount, type, Space::Device},
        .reduction = reduction,
        .root = static_cast<int>(count % rank.group.size())};
    if (what == Collective::SendReceive) {
        op.to = (rank.group.rank() + 1) % rank.group.size();
        op.from = (rank.group.rank() + rank.group.size() - 1) % rank.group.size();
    }
    if (auto done = rank.group.run(op); !done) {
        return done;
    }
    room.download();
    if (auto done = rank.group.finish(); !done) {
        return done;
    }
    op.out.data = room.host() + result;
    const std::int64_t wrong = answer.countWrong(op, rank.group.rank());
    return wrong == 0 ? Result<void>()
                      : Error{std::string(nameOf(what)) + " " + std::string(nameOf(type)) + " "
                          + std::string(nameOf(reduction)) + " of " + std::to_string(count)
                          + (place == Place::Same ? " in place: " : ": ") + std::to_string(wrong) + " are wrong"};
}

constexpr std::int64_t Megabyte = 1'000'000;

constexpr Collective Moving[]
    = {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather, Collective::AllGather,
        Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll, Collective::SendReceive};

} // namespace

Result<void> everyTypeAndReduction(const GpuRank& rank)
{
    for (const Collective what : Moving) {
        if (what == Collective::SendReceive && rank.group.size() == 1) {
            continue; // no rank sends to itself
        }
        for (const DataType type : DataTypes) {
            for (const Reduction reduction : Reductions) {
                if (!isDefined(reduction, type) || (!isReducing(what) && reduction != Reduction::Sum)) {
                    continue;
                }
                for (const std::int64_t count : {0, 1, 7, 1000, 25'003}) {
                    if (auto right = callAndCheck(rank, what, type, reduction, count); !right) {
                        return right;
                    }
                }
                if (auto right = callAndCheck(rank, what, type, reduction, 1001, Place::Same); !right) {
                    return right;
                }
            }
        }
    }
    return rank.group.barrier();
}

Result<void> largeArrays(const GpuRank& rank, std::int64_t largestMegabytes)
{
    for (const Collective what : Moving) {
        for (const std::int64_t megabytes : {4, 16, 64, 256}) {
            // What comes out is counted on the host, which is the slow part.
            if (megabytes > largestMegabytes || (megabytes == 16 && rank.group.size() > 2)) {
                continue;
            }
            // The whole of an array that is gathered or scattered has that size.
            const bool isPart = givesWhole(what) || takesWhole(what);
            const std::int64_t count = megabytes * Megabyte / 4 / (isPart ? rank.group.size() : 1);
            if (auto right = callAndCheck(rank, what, DataType::Float32, Reduction::Sum, count); !right) {
                return right;
            }
        }
    }
    return rank.group.barrier();
}

Result<void> streamsInTurns(const GpuRank& rank)
{
    std::array<cudaStream_t, 2> streams{};
    for (cudaStream_t& stream : streams) {
        if (const auto error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); error != cudaSuccess) {
            return Error{"cudaStreamCreateWithFlags: " + std::to_string(error)};
        }
    }
    constexpr std::int64_t Count = 250'000;
    constexpr int Turns = 24;
    GpuArray sum(rank.gpu, Count * sizeof(float));
    if (!sum.isThere()) {
        return Error{"no memory"};
    }
    std::fill_n(reinterpret_cast<float*>(sum.host()), Count, 1.0F);
    sum.upload();
    const View view{sum.device(), Count, DataType::Float32, Space::Device};
    double expected = 1;
    for (int turn = 0; turn < Turns; ++turn) {
        rank.gpu.setStream(streams[static_cast<std::size_t>(turn % 2)]);
        // What the last one gave, on the other stream, is what this one begins with.
        const bool adds = turn % 4 == 0;
        expected *= adds ? rank.group.size() : 1;
        if (auto done = rank.group.allReduce(view, view, adds ? Reduction::Sum : Reduction::Max); !done) {
            return done;
        }
    }
    sum.download();
    if (auto done = rank.group.finish(); !done) {
        return done;
    }
    const auto* numbers = reinterpret_cast<const float*>(sum.host());
    const bool isRight
        = std::all_of(numbers, numbers + Count, [&](float each) { return each == static_cast<float>(expected); });
    rank.gpu.setStream(nullptr);
    for (cudaStream_t stream : streams) {
        cudaStreamDestroy(stream);
    }
    return isRight ? Result<void>() : Error{"the sum of turns on two streams is wrong"};
}

Result<void> sumsBesideOtherWork(const GpuRank& rank)
{
    void* const before = rank.gpu.stream();
    std::array<cudaStream_t, 2> streams{};
    for (cudaStream_t& stream : streams) {
        if (const auto error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); error != cudaSuccess) {
            return Error{"cudaStreamCreateWithFlags: " + std::to_string(error)};
        }
    }
    rank.gpu.setStream(streams[0]);
    OverlappedSums sums(rank.group, rank.group.queueingDevice(), streams[1],
        [own = streams[0]](void* to, const void* from, std::size_t bytes) {
            static_cast<void>(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, own));
        });
    auto done = sums.run(Summed::Shared);
    done = done ? sums.run(Summed::Own) : done;
    done = done ? rank.group.finish() : done;
    rank.gpu.setStream(before);
    for (cudaStream_t stream : streams) {
        cudaStreamDestroy(stream);
    }
    return done;
}

Result<void> sharedArrays(const GpuRank& rank)
{
    constexpr std::int64_t Count = 300'000;
    constexpr std::size_t Bytes = Count * sizeof(float);
    constexpr std::array Kinds{Reduction::Sum, Reduction::Max};
    const auto array = rank.group.share(Bytes, Space::Device);
    if (!array) {
        return array.error();
    }
    std::vector<std::unique_ptr<GpuArray>> given;
    std::vector<std::unique_ptr<GpuArray>> results;
    for (const Reduction kind : Kinds) {
        given.push_back(std::make_unique<GpuArray>(rank.gpu, Bytes));
        ExpectedResult(DataType::Float32, kind, rank.group.size())
            .fill({given.back()->host(), Count, DataType::Float32}, rank.group.rank());
        given.back()->upload();
    }
    const View own{(*array)->own(), Count, DataType::Float32, Space::Device};
    for (std::size_t turn = 0; turn < 16; ++turn) {
        results.push_back(std::make_unique<GpuArray>(rank.gpu, Bytes));
        rank.gpu.copy(own.data, given[turn % 2]->device(), Bytes);
        if (auto done = rank.group.allReduce(own, {nullptr, Count, DataType::Float32}, Kinds[turn % 2]); !done) {
            return done;
        }
        rank.gpu.copy(results.back()->device(), (*array)->result(), Bytes);
        results.back()->download();
    }
    if (auto done = rank.group.finish(); !done) {
        return done;
    }
    for (std::size_t turn = 0; turn < results.size(); ++turn) {
        const Operation op{.what = Collective::AllReduce,
            .in = {results[turn]->host(), Count, DataType::Float32},
            .out = {results[turn]->host(), Count, DataType::Float32}};
        const ExpectedResult answer(DataType::Float32, Kinds[turn % 2], rank.group.size());
        if (const std::int64_t wrong = answer.countWrong(op, rank.group.rank()); wrong > 0) {
            return Error{"turn " + std::to_string(turn) + ": " + std::to_string(wrong) + " are wrong"};
        }
    }
    return rank.group.barrier();
}

Result<void> partsInPlace(const GpuRank& rank)
{
    constexpr std::size_t Bytes = 400'000;
    const auto array = rank.group.share(Bytes, Space::Device);
    if (!array) {
        return array.error();
    }
    GpuArray numbers(rank.gpu, Bytes);
    for (const DataType type : DataTypes) {
        const auto half = static_cast<std::int64_t>(Bytes / 2 / sizeOf(type));
        // The second part does not begin where vectors do.
        const std::array<View, 2> parts{View{(*array)->own(), half - 100, type, Space::Device},
            View{(*array)->own() + Bytes / 2 + sizeOf(type), half - 1, type, Space::Device}};
        for (const Reduction reduction : Reductions) {
            if (!isDefined(reduction, type)) {
                continue;
            }
            const ExpectedResult answer(type, reduction, rank.group.size());
            const auto onHost = [&](const View& part) {
                return View{numbers.host() + (part.bytes() - (*array)->own()), part.count, type};
            };
            for (const View& part : parts) {
                answer.fill(onHost(part), rank.group.rank());
            }
            numbers.upload();
            rank.gpu.copy((*array)->own(), numbers.device(), Bytes);
            for (const View& part : parts) {
                if (auto done = rank.group.allReduce(part, part, reduction); !done) {
                    return done;
                }
            }
            rank.gpu.copy(numbers.device(), (*array)->own(), Bytes);
            numbers.download();
            if (auto done = rank.group.finish(); !done) {
                return done;
            }
            for (const View& part : parts) {
                const View host = onHost(part);
                const Operation op{.what = Collective::AllReduce, .in = host, .out = host};
                if (const std::int64_t wrong = answer.countWrong(op, rank.group.rank()); wrong > 0) {
                    return Error{std::string(nameOf(reduction)) + " of " + std::string(nameOf(type)) + ": "
                        + std::to_string(wrong) + " are wrong"};
                }
            }
        }
    }
    return rank.group.barrier();
}

Result<void> growingArrays(const GpuRank& rank)
{
    const ExpectedResult answer(DataType::Float32, Reduction::Sum, rank.group.size());
    std::vector<std::unique_ptr<GpuArray>> arrays;
    const auto viewOf = [](std::byte* data, std::int64_t count) { return View{data, count, DataType::Float32}; };
    constexpr std::array<std::int64_t, 4> Counts{1000, 300'000, 600'000, 1'200'000};
    for (const std::int64_t count : Counts) {
        arrays.push_back(std::make_unique<GpuArray>(rank.gpu, static_cast<std::size_t>(count) * sizeof(float)));
        if (!arrays.back()->isThere()) {
            return Error{"no memory"};
        }
        answer.fill(viewOf(arrays.back()->host(), count), rank.group.rank());
        arrays.back()->upload();
    }
    for (std::size_t i = 0; i < Counts.size(); ++i) {
        const View view{arrays[i]->device(), Counts[i], DataType::Float32, Space::Device};
        if (auto done = rank.group.allReduce(view, view, Reduction::Sum); !done) {
            return done;
        }
    }
    for (const auto& array : arrays) {
        array->download();
    }
    if (auto done = rank.group.finish(); !done) {
        return done;
    }
    for (std::size_t i = 0; i < Counts.size(); ++i) {
        const View result = viewOf(arrays[i]->host(), Counts[i]);
        const Operation op{.what = Collective::AllReduce, .in = result, .out = result};
        if (const std::int64_t wrong = answer.countWrong(op, rank.group.rank()); wrong > 0) {
            return Error{"of " + std::to_string(Counts[i]) + ": " + std::to_string(wrong) + " are wrong"};
        }
    }
    return rank.group.barrier();
}

std::string aKilledRank(int ranks, const AsRanks& asRanks)
{
    constexpr int Victim = 1;
    const std::int64_t start = monotonicNs();
    const auto endings = asRanks(ranks, [](const GpuRank& rank) -> Result<void> {
        const auto data = rank.gpu.allocate(16 * Megabyte);
        const View view{data ? *data : nullptr, 4 * Megabyte, DataType::Float32, Space::Device};
        Result<void> done;
        std::int64_t last = monotonicNs();
        for (int step = 0; done && step < 1'000'000; ++step) {
            last = monotonicNs();
            done = rank.group.allReduce(view, view, Reduction::Max);
            if (rank.group.rank() == Victim && step == 50) {
                ::kill(getpid(), SIGKILL); // with work queued
            }
            done = done && step % 4 == 3 ? rank.group.finish() : done;
        }
        const double seconds = static_cast<double>(monotonicNs() - last) / 1e9;
        return Error{done ? "no rank died" : done.error().message + (seconds < 3.0 ? "" : " (late)")};
    });
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string& said = endings[static_cast<std::size_t>(rank)].text;
        const bool isRight = rank == Victim
            ? said.empty()
            : said.starts_with("all_reduce: rank 1 (process ") && said.ends_with("has died");
        if (!isRight) {
            return "rank " + std::to_string(rank) + " said: " + said;
        }
    }
    const double seconds = static_cast<double>(monotonicNs() - start) / 1e9;
    std::printf("     from the start of the ranks to the end of all: %.1f s\n", seconds);
    return {};
}

void Report::add(const std::string& name, const std::string& complaint)
{
    std::printf("%s %s%s%s\n", complaint.empty() ? "ok  " : "FAIL", name.c_str(), complaint.empty() ? "" : ": ",
        complaint.c_str());
    std::fflush(stdout);
    m_failures += complaint.empty() ? 0 : 1;
}

} // namespace lockstep::tests
