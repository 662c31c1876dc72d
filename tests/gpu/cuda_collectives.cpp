// Collectives of ranks that share one GPU, on the GPU: right to the bit, how fast, and what a death leaves behind.
//
//     cuda_collectives [--quick]
//
// Prints a line a check, and ends with 0, with 1 if one has failed, with 77 where there is no GPU.
#include "gpu/gpu_ranks.h"

#include "base/clock.h"
#include "engine/comm/known_answer.h"
#include "engine/comm/reduce.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;
using namespace lockstep::tests;

namespace {

constexpr int NoGpu = 77;
constexpr std::int64_t Megabyte = 1'000'000;

/// One call with known inputs; `count` elements of a rank's part.
Result<void> callAndCheck(const GpuRank& rank, Collective what, DataType type, Reduction reduction, std::int64_t count)
{
    const std::int64_t whole = count * rank.group.size();
    const bool takesWhole
        = what == Collective::Scatter || what == Collective::ReduceScatter || what == Collective::AllToAll;
    const bool givesWhole = what == Collective::Gather || what == Collective::AllGather || what == Collective::AllToAll;
    const std::int64_t inCount = takesWhole ? whole : count;
    const std::int64_t outCount = givesWhole ? whole : count;
    GpuArray in(rank.gpu, static_cast<std::size_t>(inCount) * sizeOf(type));
    GpuArray out(rank.gpu, static_cast<std::size_t>(outCount) * sizeOf(type));
    if (!in.isThere() || !out.isThere()) {
        return Error{"no memory for " + std::to_string(inCount) + " and " + std::to_string(outCount) + " elements"};
    }
    const KnownAnswer answer(type, reduction, rank.group.size());
    answer.fill({in.host(), inCount, type}, rank.group.rank());
    std::memset(out.host(), 0xa5, static_cast<std::size_t>(outCount) * sizeOf(type));
    in.upload();
    out.upload();
    Operation op{.what = what,
        .in = {in.device(), inCount, type, Space::Device},
        .out = {out.device(), outCount, type, Space::Device},
        .reduction = reduction,
        .root = static_cast<int>(count % rank.group.size())};
    if (what == Collective::Broadcast) {
        op.in = ConstView(View{out.device(), outCount, type, Space::Device});
        rank.gpu.copy(out.device(), in.device(), static_cast<std::size_t>(outCount) * sizeOf(type));
    }
    if (what == Collective::SendReceive) {
        op.to = (rank.group.rank() + 1) % rank.group.size();
        op.from = (rank.group.rank() + rank.group.size() - 1) % rank.group.size();
    }
    if (auto done = rank.group.run(op); !done) {
        return done;
    }
    out.download();
    if (auto done = rank.group.finish(); !done) {
        return done;
    }
    op.out.data = out.host();
    const std::int64_t wrong = answer.countWrong(op, rank.group.rank());
    return wrong == 0
        ? Result<void>()
        : Error{std::string(nameOf(what)) + " " + std::string(nameOf(type)) + " " + std::string(nameOf(reduction))
            + " of " + std::to_string(count) + ": " + std::to_string(wrong) + " are wrong"};
}

constexpr Collective Moving[]
    = {Collective::Broadcast, Collective::Reduce, Collective::AllReduce, Collective::Gather, Collective::AllGather,
        Collective::Scatter, Collective::ReduceScatter, Collective::AllToAll, Collective::SendReceive};

Result<void> everyTypeAndReduction(const GpuRank& rank)
{
    for (const Collective what : Moving) {
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
            }
        }
    }
    return rank.group.barrier();
}

Result<void> largeArrays(const GpuRank& rank, std::int64_t largestMegabytes)
{
    for (const Collective what : Moving) {
        for (std::int64_t megabytes = 4; megabytes <= largestMegabytes; megabytes *= 4) {
            // The whole of an array that is gathered or scattered has that size.
            const bool isWhole = what == Collective::Broadcast || what == Collective::Reduce
                || what == Collective::AllReduce || what == Collective::SendReceive;
            const std::int64_t count = megabytes * Megabyte / 4 / (isWhole ? 1 : rank.group.size());
            if (auto right = callAndCheck(rank, what, DataType::Float32, Reduction::Sum, count); !right) {
                return right;
            }
        }
    }
    return rank.group.barrier();
}

bool isNan(DataType type, const std::byte* at)
{
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, sizeOf(type));
    switch (type) {
    case DataType::Float32:
        return (bits & 0x7fffffff) > 0x7f800000;
    case DataType::Float64:
        return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    case DataType::Float16:
        return (bits & 0x7fff) > 0x7c00;
    case DataType::BFloat16:
        return (bits & 0x7fff) > 0x7f80;
    case DataType::Int32:
    case DataType::Int64:
    case DataType::UInt8:
        break;
    }
    return false;
}

/// Random bits, so with every kind of number there is, against the reduction on the host. Where several inputs are not
/// numbers, whose payload is left is not laid down.
Result<void> randomBits(const GpuRank& rank)
{
    constexpr std::size_t Inputs = 8;
    constexpr std::size_t Count = 100'003;
    std::mt19937_64 random(20'240'611);
    for (const DataType type : DataTypes) {
        const std::size_t bytes = Count * sizeOf(type);
        std::vector<std::unique_ptr<GpuArray>> arrays;
        std::vector<const void*> onHost;
        std::vector<const void*> onGpu;
        for (std::size_t i = 0; i < Inputs; ++i) {
            arrays.push_back(std::make_unique<GpuArray>(rank.gpu, bytes + 8));
            for (std::size_t at = 0; at < bytes; at += 8) {
                const std::uint64_t bits = random();
                std::memcpy(arrays.back()->host() + at, &bits, sizeof(bits));
            }
            arrays.back()->upload();
            onHost.push_back(arrays.back()->host());
            onGpu.push_back(arrays.back()->device());
        }
        GpuArray result(rank.gpu, bytes);
        std::vector<std::byte> expected(bytes);
        for (const Reduction reduction : Reductions) {
            for (std::size_t inputs = 1; isDefined(reduction, type) && inputs <= Inputs; inputs += inputs < 3 ? 1 : 5) {
                reduceArrays(reduction, type, expected.data(), {onHost.data(), inputs}, Count);
                rank.gpu.reduce(reduction, type, result.device(), nullptr, {onGpu.data(), inputs}, Count);
                result.download();
                if (auto done = rank.group.finish(); !done) {
                    return done;
                }
                for (std::size_t at = 0; at < bytes; at += sizeOf(type)) {
                    const bool isSame = std::memcmp(expected.data() + at, result.host() + at, sizeOf(type)) == 0;
                    if (!isSame && !(isNan(type, expected.data() + at) && isNan(type, result.host() + at))) {
                        return Error{std::string(nameOf(reduction)) + " of " + std::to_string(inputs) + " "
                            + std::string(nameOf(type)) + " differs from the host's at " + std::to_string(at)};
                    }
                }
            }
        }
    }
    return {};
}

/// Seconds a turn, after one that does not count.
Result<double> timed(const GpuRank& rank, int turns, const std::function<Result<void>()>& turn)
{
    std::int64_t start = 0;
    for (int i = 0; i <= turns; ++i) {
        if (i == 1) {
            if (auto ready = rank.group.finish(); !ready) {
                return ready.error();
            }
            if (auto ready = rank.group.barrier(); !ready) {
                return ready.error();
            }
            start = monotonicNs();
        }
        if (auto done = turn(); !done) {
            return done.error();
        }
    }
    if (auto done = rank.group.finish(); !done) {
        return done.error();
    }
    return static_cast<double>(monotonicNs() - start) / 1e9 / turns;
}

/// What each turn takes; rank 0 tells.
Result<void> allReduceOf64Megabytes(const GpuRank& rank)
{
    constexpr std::int64_t Count = 64 * Megabyte / 4;
    constexpr std::size_t Bytes = Count * 4;
    constexpr int Turns = 20;
    auto array = rank.group.share(Bytes, Space::Device);
    const auto in = rank.gpu.allocate(Bytes);
    const auto out = rank.gpu.allocate(Bytes);
    if (!array || !in || !out) {
        return Error{"no memory"};
    }
    const View data{*in, Count, DataType::Float32, Space::Device};
    rank.gpu.zero(*in, Bytes);
    const auto plain = timed(rank, Turns, [&] { return rank.group.allReduce(data, data, Reduction::Sum); });
    const View own{(*array)->own(), Count, DataType::Float32, Space::Device};
    const auto shared = timed(rank, Turns, [&] {
        return rank.group.allReduce(own, {nullptr, Count, DataType::Float32}, Reduction::Sum);
    });
    const View few{*in, 1, DataType::Float32, Space::Device};
    const auto small = timed(rank, Turns, [&] { return rank.group.allReduce(few, few, Reduction::Sum); });
    // The copy has the GPU to itself: the others wait on the host meanwhile.
    const auto copy = timed(rank, Turns, [&]() -> Result<void> {
        if (rank.group.rank() == 0) {
            rank.gpu.copy(*out, *in, Bytes);
        }
        return {};
    });
    if (!plain || !shared || !small || !copy) {
        return !plain ? plain.error() : !shared ? shared.error() : !small ? small.error() : copy.error();
    }
    if (rank.group.rank() == 0) {
        const auto say = [&](const char* what, double seconds) {
            std::printf("     64 MB %-28s %8.3f ms  %7.1f GB/s  %5.1f %% of a copy's\n", what, seconds * 1e3,
                64e-3 / seconds, 100.0 * *copy / seconds);
        };
        say("all_reduce, own arrays", *plain);
        say("all_reduce, shared array", *shared);
        say("device-to-device copy", *copy);
        std::printf("     4 B   all_reduce                   %8.3f ms\n", *small * 1e3);
        std::fflush(stdout);
    }
    rank.gpu.free(*in);
    rank.gpu.free(*out);
    return rank.group.barrier();
}

/// Free memory of the GPU, asked in a process of its own.
std::int64_t freeBytes()
{
    const auto asked = asProcesses(1, [](int) -> Result<void> {
        std::size_t free = 0;
        std::size_t all = 0;
        return Error{cudaMemGetInfo(&free, &all) == cudaSuccess ? std::to_string(free) : "-1"};
    });
    return std::stoll(asked.at(0).text);
}

/// Whether the memory comes back within a moment: the driver clears up after a process that is gone.
bool isBack(std::int64_t before)
{
    constexpr std::int64_t Tolerance = 64 * Megabyte;
    for (int tries = 0; tries < 30; ++tries) {
        if (freeBytes() >= before - Tolerance) {
            return true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
}

std::string aKilledRank(const IpcOptions& options)
{
    constexpr int Ranks = 3;
    constexpr int Victim = 1;
    // When it died, in a place that all see.
    const std::int64_t start = monotonicNs();
    const auto endings = asGpuRanks(Ranks, options, [&](const GpuRank& rank) -> Result<void> {
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
        return Error{done ? "nobody died" : done.error().message + (seconds < 3.0 ? "" : " (late)")};
    });
    for (int rank = 0; rank < Ranks; ++rank) {
        const std::string& said = endings[static_cast<std::size_t>(rank)].text;
        const bool isRight = rank == Victim
            ? said.empty()
            : said.starts_with("all_reduce: rank 1 (process ") && said.ends_with("has died");
        if (!isRight) {
            return "rank " + std::to_string(rank) + " said: " + said;
        }
    }
    const double seconds = static_cast<double>(monotonicNs() - start) / 1e9;
    std::printf("     from the start of three ranks to the end of all: %.1f s\n", seconds);
    return {};
}

class Report {
public:
    void add(const std::string& name, const std::string& complaint)
    {
        std::printf("%s %s%s%s\n", complaint.empty() ? "ok  " : "FAIL", name.c_str(), complaint.empty() ? "" : ": ",
            complaint.c_str());
        std::fflush(stdout);
        m_failures += complaint.empty() ? 0 : 1;
    }
    [[nodiscard]] int failures() const { return m_failures; }

private:
    int m_failures = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const bool isQuick = argc > 1 && std::string(argv[1]) == "--quick";
    const auto asked = asProcesses(1, [](int) -> Result<void> {
        const auto gpu = cuda::openGpu(0);
        return gpu ? Error{cuda::runsUnderMps(0) ? "MPS" : "GPU"} : gpu.error();
    });
    const std::string& found = asked.at(0).text;
    if (found != "MPS" && found != "GPU") {
        std::printf("no GPU: %s\n", found.c_str());
        return NoGpu;
    }
    const std::int64_t before = freeBytes();
    Report report;
    const std::int64_t largest = isQuick ? 16 : 256;
    std::vector<IpcOptions> ways{IpcOptions{}};
    if (found == "MPS") {
        ways.push_back({.spinsOnFlags = true});
    }
    for (const IpcOptions& way : ways) {
        const std::string how = way.spinsOnFlags ? "flags" : "events";
        report.add("reductions of random bits, " + how, firstComplaint(asGpuRanks(1, way, randomBits)));
        for (const int ranks : {2, 4, 8}) {
            const std::string among = ", " + std::to_string(ranks) + " ranks, " + how;
            report.add("every collective, type and reduction" + among,
                firstComplaint(asGpuRanks(ranks, way, everyTypeAndReduction)));
            report.add("up to " + std::to_string(largest) + " MB" + among,
                firstComplaint(
                    asGpuRanks(ranks, way, [&](const GpuRank& rank) { return largeArrays(rank, largest); })));
        }
        for (const int ranks : {2, 4}) {
            report.add("64 MB timed, " + std::to_string(ranks) + " ranks, " + how,
                firstComplaint(asGpuRanks(ranks, way, allReduceOf64Megabytes)));
        }
        // One meeting fewer for more memory traffic: which of the two is faster is the GPU's to say.
        IpcOptions wholly = way;
        wholly.reduceWholeBelow = 64 * Megabyte;
        report.add("64 MB timed, 2 ranks that each reduce it whole, " + how,
            firstComplaint(asGpuRanks(2, wholly, allReduceOf64Megabytes)));
        report.add("a killed rank, " + how, aKilledRank(way));
        report.add("memory is back, " + how, isBack(before) ? "" : "it is not, 3 s after");
    }
    return report.failures() == 0 ? 0 : 1;
}
