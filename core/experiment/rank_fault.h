// What a rank does wrong on purpose in every step, for exercises in finding faults.
#pragma once

#include "experiment/spec.h"

#include <cstdint>

namespace lockstep::experiment {

struct RankFault {
    double gradientScale = 1.0; ///< its gradient times this, before the aggregation
    double batchShare = 1.0; ///< it trains on this share of its batch

    bool operator==(const RankFault&) const = default;
};
/// fault.gradient_scale and fault.unequal_batches of fault.rank; nothing wrong on other ranks and where ranks have no
/// replicas.
[[nodiscard]] RankFault faultOf(const RunSpec& run, std::int64_t rank);
/// Whether the run has such a fault, on any rank.
[[nodiscard]] bool hasRankFault(const RunSpec& run);

} // namespace lockstep::experiment
