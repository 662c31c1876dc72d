// bench_all_reduce [ranks]: the sum of float32 over shared memory between processes, median time of a call by size.
// all_reduce_ratio.py sets it beside Open MPI.
#include "bench/all_reduce_sizes.h"
#include "engine/comm/shm/shm_communicator.h"

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::comm;

namespace {

int beRank(const std::string& name, int rank, int ranks)
{
    bench::bindToCore(rank, ranks);
    const auto group = joinByName(name, rank, ranks, {});
    if (!group) {
        std::fprintf(stderr, "bench_all_reduce: %s\n", group.error().message.c_str());
        return 3;
    }
    bench::sweep("shm", rank == 0, [&](std::vector<float>& numbers) {
        const View view{numbers.data(), static_cast<std::int64_t>(numbers.size()), DataType::Float32};
        if (const auto summed = (*group)->allReduce(view, view, Reduction::Sum); !summed) {
            std::fprintf(stderr, "bench_all_reduce: %s\n", summed.error().message.c_str());
            std::exit(3);
        }
    });
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const int ranks = argc > 1 ? std::atoi(argv[1]) : 2;
    const std::string name = "bench-" + std::to_string(getpid());
    for (int rank = 1; rank < ranks; ++rank) {
        if (fork() == 0) {
            return beRank(name, rank, ranks);
        }
    }
    const int code = beRank(name, 0, ranks);
    while (wait(nullptr) > 0) { }
    return code;
}
