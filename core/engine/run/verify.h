// The same plan carried out by a single process without communication, for comparison: for gradients averaged in
// every step, the union of the ranks' batches in one piece; for weights every k steps, and for rules other than a mean,
// one virtual rank after the other; for a pipeline, the whole net on the same micro-batches in turn. Ignores
// stragglers, links and the communication algorithm.
#pragma once

#include "base/result.h"
#include "engine/strategy/job.h"
#include "experiment/spec.h"
#include "wire/messages.h"

#include <span>

namespace lockstep::engine {

/// `losses`: of the first steps of the run, sample-weighted over its ranks. `job` gives the data; its net is not
/// touched. The difference of a step is |loss - reference| / |reference|. In float32 (and where float16 or bfloat16
/// multiply) the single process is also repeated with three other orders of sums, which round differently: each batch's
/// samples reversed, every second one first, and in as many parts as there are ranks. Their differences from the first
/// are `drifts`. An optimizer such as Adam amplifies rounding, and this shows by how much.
[[nodiscard]] Result<wire::Verification> verify(
    const experiment::RunSpec& run, const Job& job, std::span<const double> losses);

} // namespace lockstep::engine
