// The sizes and the arithmetic that bench_all_reduce and its Open MPI twin share.
#pragma once

#include "base/allowed_cores.h"
#include "base/clock.h"

#include <algorithm>
#include <cstdio>
#include <sched.h>
#include <vector>

namespace lockstep::bench {

inline constexpr std::size_t Sizes[] = {4, 4u << 10, 400'000, 4'000'000, 40'000'000};

inline double medianOf(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Binds the caller to one core; with more ranks than cores, equally many ranks share each core, as in a run. Unbound,
/// the kernel may leave two ranks on one core.
inline void bindToCore(int rank, int ranks)
{
    const std::vector<int> cores = coresOfThisThread();
    const auto count = static_cast<int>(cores.size());
    if (count == 0 || (ranks > count && ranks % count != 0)) {
        return;
    }
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cores[static_cast<std::size_t>(rank % count)], &own);
    if (sched_setaffinity(0, sizeof(own), &own) != 0) {
        std::perror("cannot bind a rank to its core");
    }
}

/// Times `allReduce(numbers)` at every size, on this rank; prints a line a size if `isTelling`.
template <typename AllReduce>
void sweep(const char* backend, bool isTelling, const AllReduce& allReduce)
{
    for (const std::size_t bytes : Sizes) {
        std::vector<float> numbers(bytes / sizeof(float), 1.0F);
        const int repeats = bytes <= 4096 ? 2000 : bytes <= 400'000 ? 300 : bytes <= 4'000'000 ? 50 : 12;
        std::vector<double> times;
        times.reserve(static_cast<std::size_t>(repeats));
        std::int64_t before = monotonicNs();
        for (int i = 0; i < repeats + repeats / 5; ++i) {
            allReduce(numbers);
            const std::int64_t now = monotonicNs(); // one reading a call: it takes as long as a tenth of one of 4 bytes
            if (i >= repeats / 5) {
                times.push_back(static_cast<double>(now - before) / 1e6);
            }
            before = now;
        }
        if (isTelling) {
            std::printf("{\"backend\":\"%s\",\"bytes\":%zu,\"ms\":%.5f}\n", backend, bytes, medianOf(times));
            std::fflush(stdout);
        }
    }
}

} // namespace lockstep::bench
