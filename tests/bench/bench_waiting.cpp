// bench_waiting [ranks]: what waiting costs. Rank 0 comes 20 ms late to every all-reduce of 100,000 float32; printed is
// the share of the others' wait that they spend on a core (CLOCK_THREAD_CPUTIME_ID), which may be 5 %.
#include "base/clock.h"
#include "engine/comm/link/watched_communicator.h"
#include "engine/comm/shm/shm_communicator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace lockstep;
using namespace lockstep::comm;

namespace {

constexpr int Calls = 100;
constexpr double Limit = 0.05;

std::int64_t cpuNs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

int beRank(const std::string& name, int rank, int ranks, const Descriptor& table)
{
    auto joined = joinByName(name, rank, ranks, {});
    auto arrivals = Arrivals::open(table, ranks);
    if (!joined || !arrivals) {
        std::fprintf(stderr, "bench_waiting: %s\n", (joined ? arrivals.error() : joined.error()).message.c_str());
        return 3;
    }
    WatchedCommunicator group(std::move(*joined));
    group.measureWaiting(std::move(*arrivals));
    std::vector<float> numbers(100'000, 1.0F);
    const View view{numbers.data(), 100'000, DataType::Float32};
    std::int64_t waited = 0;
    std::int64_t onCore = 0;
    for (int call = 0; call < Calls; ++call) {
        if (rank == 0) {
            usleep(20'000);
        }
        const std::int64_t cpu = cpuNs();
        if (const auto done = group.allReduce(view, view, Reduction::Sum); !done) {
            std::fprintf(stderr, "bench_waiting: %s\n", done.error().message.c_str());
            return 3;
        }
        const auto& times = group.lastTimes();
        waited += times.lastArrivalNs - times.enterNs;
        onCore += cpuNs() - cpu;
    }
    // The transfer itself also takes a core; without a late rank it is all there is.
    std::int64_t transfer = 0;
    for (int call = 0; call < Calls; ++call) {
        const std::int64_t cpu = cpuNs();
        if (!group.allReduce(view, view, Reduction::Sum)) {
            return 3;
        }
        transfer += cpuNs() - cpu;
    }
    const double share
        = static_cast<double>(std::max<std::int64_t>(0, onCore - transfer)) / static_cast<double>(waited);
    if (rank == 0) {
        return 0;
    }
    std::printf("rank %d: waited %.2f ms a call, %.1f %% of it on a core\n", rank,
        static_cast<double>(waited) / Calls / 1e6, share * 100.0);
    return share <= Limit ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    const int ranks = argc > 1 ? std::atoi(argv[1]) : 8;
    const std::string name = "bench-waiting-" + std::to_string(getpid());
    const auto table = Arrivals::makeFile(ranks);
    if (!table) {
        std::fprintf(stderr, "bench_waiting: %s\n", table.error().message.c_str());
        return 3;
    }
    for (int rank = 1; rank < ranks; ++rank) {
        if (fork() == 0) {
            return beRank(name, rank, ranks, *table);
        }
    }
    int worst = beRank(name, 0, ranks, *table);
    int status = 0;
    while (wait(&status) > 0) {
        worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 3);
    }
    return worst;
}
