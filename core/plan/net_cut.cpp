// Where a net is cut into stages.
#include "plan/net.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace lockstep::plan {

namespace {

/// FLOPs, then parameters: compared in this order. The cost of a cut is that of its most expensive stage.
using Cost = std::pair<std::int64_t, std::int64_t>;

bool canBeCut(std::span<const NetUnit> units, std::int64_t stages)
{
    return stages >= 1 && stages <= static_cast<std::int64_t>(units.size());
}

} // namespace

// Dynamic programming over (stages, units): the cheapest cut of the first n units into s stages is a last stage after
// the cheapest cut of the units before it into s - 1 stages. The cost is a maximum over the stages, so optimal parts
// give an optimal whole. stages * units^2 steps.
std::vector<std::int64_t> balancedCut(std::span<const NetUnit> units, std::int64_t stages)
{
    if (!canBeCut(units, stages)) {
        return {};
    }
    const std::size_t count = units.size();
    std::vector<Cost> before(count + 1); // of all units before the n-th
    for (std::size_t n = 0; n < count; ++n) {
        before[n + 1] = {before[n].first + units[n].forwardFlops, before[n].second + units[n].parameters};
    }
    const auto stage = [&before](std::size_t first, std::size_t last) {
        return Cost{before[last].first - before[first].first, before[last].second - before[first].second};
    };

    constexpr Cost Impossible{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max()};
    const auto rows = static_cast<std::size_t>(stages) + 1;
    std::vector<std::vector<Cost>> cheapest(rows, std::vector<Cost>(count + 1, Impossible));
    std::vector<std::vector<std::size_t>> lastBegins(rows, std::vector<std::size_t>(count + 1, 0));
    cheapest[0][0] = {0, 0};
    for (std::size_t s = 1; s < rows; ++s) {
        for (std::size_t n = s; n <= count; ++n) {
            for (std::size_t first = s - 1; first < n; ++first) {
                const Cost cost = std::max(cheapest[s - 1][first], stage(first, n));
                if (cost < cheapest[s][n]) {
                    cheapest[s][n] = cost;
                    lastBegins[s][n] = first;
                }
            }
        }
    }

    std::vector<std::int64_t> cut(static_cast<std::size_t>(stages));
    for (std::size_t s = cut.size(), end = count; s > 0; --s) {
        const std::size_t first = lastBegins[s][end];
        cut[s - 1] = static_cast<std::int64_t>(end - first);
        end = first;
    }
    return cut;
}

std::vector<std::int64_t> evenCut(std::span<const NetUnit> units, std::int64_t stages)
{
    if (!canBeCut(units, stages)) {
        return {};
    }
    std::vector<std::int64_t> cut;
    for (std::int64_t stage = 0; stage < stages; ++stage) {
        cut.push_back(
            sliceOf(static_cast<std::int64_t>(units.size()), static_cast<int>(stage), static_cast<int>(stages)).count);
    }
    return cut;
}

std::vector<Slice> layersOfStages(std::span<const NetUnit> units, std::span<const std::int64_t> unitsPerStage)
{
    std::vector<Slice> stages;
    std::size_t unit = 0;
    std::int64_t layer = 0;
    for (const std::int64_t wanted : unitsPerStage) {
        Slice stage{layer, 0};
        for (std::int64_t i = 0; i < wanted; ++i) {
            stage.count += units[unit++].layers;
        }
        layer += stage.count;
        stages.push_back(stage);
    }
    return stages;
}

} // namespace lockstep::plan
