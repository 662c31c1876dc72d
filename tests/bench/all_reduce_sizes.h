// The sizes and the arithmetic that bench_all_reduce and its Open MPI twin share.
#pragma once

#include "base/clock.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace lockstep::bench {

inline constexpr std::size_t Sizes[] = {4, 4u << 10, 400'000, 4'000'000, 40'000'000};

inline double medianOf(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Times `allReduce(numbers)` at every size, on this rank; prints a line a size if `isTelling`.
template <typename AllReduce>
void sweep(const char* backend, bool isTelling, const AllReduce& allReduce)
{
    for (const std::size_t bytes : Sizes) {
        std::vector<float> numbers(bytes / sizeof(float), 1.0F);
        const int repeats = bytes <= 4096 ? 2000 : bytes <= 400'000 ? 300 : bytes <= 4'000'000 ? 50 : 12;
        std::vector<double> times;
        for (int i = 0; i < repeats + repeats / 5; ++i) {
            const std::int64_t begin = monotonicNs();
            allReduce(numbers);
            if (i >= repeats / 5) {
                times.push_back(static_cast<double>(monotonicNs() - begin) / 1e6);
            }
        }
        if (isTelling) {
            std::printf("{\"backend\":\"%s\",\"bytes\":%zu,\"ms\":%.5f}\n", backend, bytes, medianOf(times));
            std::fflush(stdout);
        }
    }
}

} // namespace lockstep::bench
