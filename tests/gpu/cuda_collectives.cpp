// Collectives of ranks that share one GPU, on the GPU: right to the bit, how fast, and what a death leaves behind.
//
//     cuda_collectives [--quick] [--megabytes N]
//
// The largest arrays have 256 MB, with --quick 16; --megabytes is for a GPU that is not one (tests/fakes/cuda), and
// also makes those smaller that are timed. Prints a line a check, and ends with 0, with 1 if one has failed, with 77
// where there is no GPU.
#include "gpu/gpu_checks.h"
#ifdef LOCKSTEP_HAS_NCCL
#include "gpu/nccl_checks.h"
#endif

#include "base/clock.h"
#include "engine/comm/reduce.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cmath>
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
                const std::array<void*, 1> to{result.device()};
                rank.gpu.reduce(reduction, type, to, {onGpu.data(), inputs}, Count);
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

/// The time of each turn, which rank 0 prints. An error where the way that training takes, an array that the ranks
/// share, moves less than `leastShare` of what a copy on the device moves a second, each byte counted once.
Result<void> timedAllReduce(const GpuRank& rank, std::int64_t megabytes, double leastShare)
{
    const int turns = megabytes >= 64 ? 50 : 10;
    const std::int64_t count = megabytes * Megabyte / 4;
    const auto bytes = static_cast<std::size_t>(count) * 4;
    auto array = rank.group.share(bytes, Space::Device);
    const auto in = rank.gpu.allocate(bytes);
    const auto out = rank.gpu.allocate(bytes);
    if (!array || !in || !out) {
        return Error{"no memory"};
    }
    const View data{*in, count, DataType::Float32, Space::Device};
    rank.gpu.zero(*in, bytes);
    const auto plain = timed(rank, turns, [&] { return rank.group.allReduce(data, data, Reduction::Sum); });
    const View own{(*array)->own(), count, DataType::Float32, Space::Device};
    const auto shared = timed(rank, turns, [&] {
        return rank.group.allReduce(own, {nullptr, count, DataType::Float32}, Reduction::Sum);
    });
    const auto inPlace = timed(rank, turns, [&] { return rank.group.allReduce(own, own, Reduction::Sum); });
    const View few{*in, 1, DataType::Float32, Space::Device};
    const auto small = timed(rank, turns, [&] { return rank.group.allReduce(few, few, Reduction::Sum); });
    // The copy has the GPU to itself: the others wait on the host meanwhile.
    const auto copy = timed(rank, turns, [&]() -> Result<void> {
        if (rank.group.rank() == 0) {
            rank.gpu.copy(*out, *in, bytes);
        }
        return {};
    });
    for (const auto* each : {&plain, &shared, &inPlace, &small, &copy}) {
        if (!*each) {
            return each->error();
        }
    }
    if (rank.group.rank() == 0) {
        const auto say = [&](const char* what, double seconds) {
            std::printf("     %lld MB %-28s %8.3f ms  %7.1f GB/s  %5.1f %% of a copy's\n",
                static_cast<long long>(megabytes), what, seconds * 1e3, static_cast<double>(bytes) / 1e9 / seconds,
                100.0 * *copy / seconds);
        };
        say("all_reduce, own arrays", *plain);
        say("all_reduce, shared array", *shared);
        say("all_reduce, shared, in place", *inPlace);
        say("device-to-device copy", *copy);
        std::printf("     4 B   all_reduce                   %8.3f ms\n", *small * 1e3);
        std::fflush(stdout);
    }
    rank.gpu.free(*in);
    rank.gpu.free(*out);
    if (auto met = rank.group.barrier(); !met) {
        return met;
    }
    const double share = *copy / *shared;
    return rank.group.rank() == 0 && share < leastShare
        ? Error{"the shared array moves " + std::to_string(static_cast<int>(share * 100.0))
            + " % of a copy's bytes, less than " + std::to_string(static_cast<int>(leastShare * 100.0)) + " %"}
        : Result<void>();
}

/// Free memory of the GPU, asked in a separate process.
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

/// `isUsed`: it is the way that runs take on this machine.
void checkOneGpu(Report& report, const IpcOptions& way, bool isUsed, std::int64_t largest, std::int64_t timedMegabytes)
{
    const std::string how = way.spinsOnFlags ? ", flags" : ", events";
    report.add("reductions of random bits" + how, complaints(asGpuRanks(1, way, randomBits)));
    for (const int ranks : {2, 4, 8}) {
        const std::string among = ", " + std::to_string(ranks) + " ranks" + how;
        report.add(
            "every collective, type and reduction" + among, complaints(asGpuRanks(ranks, way, everyTypeAndReduction)));
        report.add("up to " + std::to_string(largest) + " MB" + among,
            complaints(asGpuRanks(ranks, way, [&](const GpuRank& rank) { return largeArrays(rank, largest); })));
    }
    report.add("arrays that grow, 4 ranks" + how, complaints(asGpuRanks(4, way, growingArrays)));
    report.add("arrays of the group, 4 ranks" + how, complaints(asGpuRanks(4, way, sharedArrays)));
    IpcOptions shares = way;
    shares.reduceWholeBelow = 1;
    report.add(
        "arrays of the group, reduced in shares, 4 ranks" + how, complaints(asGpuRanks(4, shares, sharedArrays)));
    for (const int ranks : {2, 4, 8}) {
        report.add("parts of the group's arrays in place, " + std::to_string(ranks) + " ranks" + how,
            complaints(asGpuRanks(ranks, shares, partsInPlace)));
    }
    report.add("streams in turns, 3 ranks" + how, complaints(asGpuRanks(3, way, streamsInTurns)));
    for (const IpcOptions& each : {way, shares}) {
        report.add("sums beside other work, 3 ranks" + how, complaints(asGpuRanks(3, each, sumsBesideOtherWork)));
    }
    const std::string timed = std::to_string(timedMegabytes) + " MB timed, ";
    const auto inTime = [&](double leastShare) {
        return [timedMegabytes, leastShare](
                   const GpuRank& rank) { return timedAllReduce(rank, timedMegabytes, leastShare); };
    };
    // With events the GPU turns from one process to the other and back, which alone takes a quarter of a copy's rate.
    const double wanted = isUsed && way.spinsOnFlags && timedMegabytes == 64 ? 0.25 : 0.0;
    report.add(timed + "2 ranks" + how, complaints(asGpuRanks(2, way, inTime(wanted))));
    report.add(timed + "4 ranks" + how, complaints(asGpuRanks(4, way, inTime(0.0))));
    report.add(timed + "2 ranks that reduce it in shares" + how, complaints(asGpuRanks(2, shares, inTime(0.0))));
    report.add("a killed rank" + how,
        aKilledRank(3, [&](int ranks, const auto& body) { return asGpuRanks(ranks, way, body); }));
}

} // namespace

int main(int argc, char** argv)
{
    std::int64_t largest = 256;
    std::int64_t timedMegabytes = 64;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--quick") {
            largest = 16;
        } else if (option == "--megabytes" && i + 1 < argc) {
            largest = std::stoll(argv[++i]);
            timedMegabytes = std::min(timedMegabytes, largest);
        } else {
            std::fprintf(stderr, "cuda_collectives: unknown option %s\n", option.c_str());
            return 2;
        }
    }
    const auto asked = asProcesses(1, [](int) -> Result<void> {
        const auto gpu = cuda::openGpu(0);
        int count = 0;
        cudaGetDeviceCount(&count);
        return gpu ? Error{(cuda::runsUnderMps(0) ? "MPS" : "GPU") + std::to_string(count)} : gpu.error();
    });
    const std::string& found = asked.at(0).text;
    if (!found.starts_with("MPS") && !found.starts_with("GPU")) {
        std::printf("no GPU: %s\n", found.c_str());
        return NoGpu;
    }
    const std::int64_t before = freeBytes();
    Report report;
    std::vector<IpcOptions> ways{IpcOptions{}};
    if (found.starts_with("MPS")) {
        ways.push_back({.spinsOnFlags = true});
    }
    for (const IpcOptions& way : ways) {
        checkOneGpu(report, way, &way == &ways.back(), largest, timedMegabytes);
        report.add(std::string("memory is back, ") + (way.spinsOnFlags ? "flags" : "events"),
            isBack(before) ? "" : "it is not, 3 s after");
    }
#ifdef LOCKSTEP_HAS_NCCL
    checkNccl(report, std::stoi(found.substr(3)), largest);
    report.add("memory is back, nccl", isBack(before) ? "" : "it is not, 3 s after");
#endif
    return report.failures() == 0 ? 0 : 1;
}
