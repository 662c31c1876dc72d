#include "gpu/nccl_checks.h"

#include "engine/cuda/nccl_communicator.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <thread>

namespace lockstep::tests {

using namespace comm;

namespace {

constexpr std::int64_t Count = 1'000'000;
constexpr unsigned MostSeconds = 120;

/// Runs `body` in `ranks` processes over NCCL, each on the GPU of its rank or all on the first; how each ended.
std::vector<Ending> asNcclRanks(int ranks, bool onOneGpu, const std::function<Result<void>(const GpuRank&)>& body)
{
    return asProcesses(ranks, [&, name = uniqueName()](int rank) -> Result<void> {
        alarm(MostSeconds); // a wait without end ends with a signal
        auto host = joinByName(name, rank, ranks, {});
        if (!host) {
            return host.error();
        }
        auto gpu = cuda::openGpu(onOneGpu ? 0 : rank);
        if (!gpu) {
            return gpu.error();
        }
        cudaStream_t stream = nullptr;
        if (const auto error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); error != cudaSuccess) {
            return Error{"cudaStreamCreateWithFlags: " + std::to_string(error)};
        }
        (*gpu)->setStream(stream);
        auto group = cuda::overNccl(std::move(*host), *gpu, {});
        if (!group) {
            return group.error();
        }
        auto done = body({**group, **gpu});
        if (!done) {
            (*group)->abort();
        }
        return done;
    });
}

/// Every other rank in one group, in the order that is not theirs.
Result<std::unique_ptr<Communicator>> halfOf(Communicator& group)
{
    return group.split(group.rank() % 2, -group.rank());
}

/// Groups of both sizes on one stream, without a wait between.
Result<void> subGroups(const GpuRank& rank)
{
    auto part = halfOf(rank.group);
    if (!part) {
        return part.error();
    }
    if (auto right = everyTypeAndReduction({**part, rank.gpu}); !right) {
        return right;
    }
    GpuArray sum(rank.gpu, Count * sizeof(float));
    std::fill_n(reinterpret_cast<float*>(sum.host()), Count, 1.0F);
    sum.upload();
    const View view{sum.device(), Count, DataType::Float32, Space::Device};
    for (int turn = 0; turn < 6; ++turn) {
        auto done = (*part)->allReduce(view, view, Reduction::Sum);
        done = done ? rank.group.allReduce(view, view, Reduction::Max) : done;
        if (!done) {
            return done;
        }
    }
    sum.download();
    if (auto done = rank.group.finish(); !done) {
        return done;
    }
    // Each time all continue with the largest part's sum.
    double expected = 1;
    for (int turn = 0; turn < 6; ++turn) {
        expected *= (rank.group.size() + 1) / 2;
    }
    const auto* numbers = reinterpret_cast<const float*>(sum.host());
    return std::all_of(numbers, numbers + Count, [&](float each) { return each == static_cast<float>(expected); })
        ? Result<void>()
        : Error{"sums of sub-groups and of all in turns are wrong"};
}

/// The others have work of two groups on one stream when rank 1 is killed: to end the one they must end the other too.
std::string aKilledRankOfTwoGroups(int ranks)
{
    return aKilledRank(ranks, [](int number, const std::function<Result<void>(const GpuRank&)>& body) {
        return asNcclRanks(number, false, [&](const GpuRank& rank) -> Result<void> {
            auto everyone = rank.group.split(0, rank.group.rank());
            if (!everyone) {
                return everyone.error();
            }
            // Given back before the groups are left, for which CUDA waits for the device.
            const GpuArray data(rank.gpu, Count * sizeof(float));
            const View view{data.device(), Count, DataType::Float32, Space::Device};
            for (int i = 0; i < 20; ++i) {
                auto done = (*everyone)->allReduce(view, view, Reduction::Max);
                if (rank.group.rank() == 1 && i == 10) {
                    ::kill(getpid(), SIGKILL);
                }
                done = done ? rank.group.allReduce(view, view, Reduction::Max) : done;
                if (!done) {
                    return done;
                }
            }
            return body(rank);
        });
    });
}

/// They leave without having waited for what they have queued, which is never done.
std::string leavingAfterADeath(int ranks)
{
    const auto endings = asNcclRanks(ranks, false, [](const GpuRank& rank) -> Result<void> {
        const auto data = rank.gpu.allocate(Count * sizeof(float));
        const View view{data ? *data : nullptr, Count, DataType::Float32, Space::Device};
        for (int i = 0; i < 4; ++i) {
            if (auto done = rank.group.allReduce(view, view, Reduction::Max); !done) {
                return done;
            }
        }
        if (rank.group.rank() == 1) {
            ::kill(getpid(), SIGKILL);
        }
        alarm(3);
        return {};
    });
    for (std::size_t rank = 0; rank < endings.size(); ++rank) {
        if (const std::string& said = endings[rank].text; rank != 1 && said != "fine") {
            return "rank " + std::to_string(rank) + (said.empty() ? " has not ended within 3 s" : " said: " + said);
        }
    }
    return {};
}

std::string oneGpuForTwo()
{
    const auto endings = asNcclRanks(2, true, [](const GpuRank&) -> Result<void> { return {}; });
    for (const Ending& ending : endings) {
        if (!ending.text.starts_with("nccl: meeting the other ranks: invalid usage")) {
            return "it was not refused: " + ending.text;
        }
    }
    return {};
}

} // namespace

void checkNccl(Report& report, int gpus, std::int64_t largestMegabytes)
{
    report.add("two ranks on one GPU are refused, nccl", oneGpuForTwo());
    const int ranks = std::min(gpus, 4);
    const std::string among = ", " + std::to_string(ranks) + " ranks, nccl";
    const auto check = [&](const std::string& what, const std::function<Result<void>(const GpuRank&)>& body) {
        report.add(what + among, complaints(asNcclRanks(ranks, false, body)));
    };
    check("every collective, type and reduction", everyTypeAndReduction);
    if (ranks < 2) {
        return; // what follows takes a GPU for each
    }
    check("up to " + std::to_string(largestMegabytes) + " MB",
        [&](const GpuRank& rank) { return largeArrays(rank, largestMegabytes); });
    check("sub-groups", subGroups);
    check("sums beside other work", sumsBesideOtherWork);
    report.add("a killed rank" + among,
        aKilledRank(ranks, [](int number, const auto& body) { return asNcclRanks(number, false, body); }));
    report.add("a killed rank of two groups" + among, aKilledRankOfTwoGroups(ranks));
    report.add("leaving after a death" + among, leavingAfterADeath(ranks));
}

} // namespace lockstep::tests
