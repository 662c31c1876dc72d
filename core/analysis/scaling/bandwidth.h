// Bandwidths by the definitions of nccl-tests (PERFORMANCE.md): algorithm bandwidth is size over time, of the larger of
// the two buffers; bus bandwidth multiplies it by the collective's minimum traffic, so that it compares with the
// hardware's speed for any number of ranks.
#pragma once

#include "analysis/run_record.h"

#include <string_view>

namespace lockstep::analysis {

/// GB/s (10^9 bytes).
[[nodiscard]] double algorithmBandwidth(double bytes, double seconds);
/// Of the median call.
[[nodiscard]] double algorithmBandwidth(const CollectiveMeasurement& row);

/// all_reduce 2 (p-1)/p; all_gather, reduce_scatter, gather, scatter, all_to_all (p-1)/p; broadcast, reduce,
/// send_recv 1.
[[nodiscard]] double busFactor(std::string_view collective, int ranks);

} // namespace lockstep::analysis
