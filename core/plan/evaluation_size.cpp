#include "plan/evaluation_size.h"

#include "plan/activations.h"
#include "plan/memory.h"
#include "plan/net.h"

#include <algorithm>

namespace lockstep::plan {

namespace {

constexpr std::int64_t MostSamples = 64;
constexpr std::int64_t MostBytes = std::int64_t{64} << 20; ///< of what exists in a layer, its input included

} // namespace

std::int64_t mostEvaluatedAtOnce(const experiment::RunSpec& run)
{
    const std::int64_t each = partOf(netUnits(run), scaledElements(run), true, true).evaluated * numberBytes(run);
    return each == 0 ? MostSamples : std::clamp<std::int64_t>(MostBytes / each, 1, MostSamples);
}

} // namespace lockstep::plan
