#include "engine/strategy/registry.h"

#include "engine/strategy/grid/grid_parallel.h"
#include "engine/strategy/zero/zero.h"

#include <algorithm>
#include <array>

namespace lockstep::engine {

namespace {

struct Strategy {
    std::string_view name;
    /// Null where every rank has it all.
    Result<std::unique_ptr<ModelParallel>> (*make)(const experiment::RunSpec& run, RankGroup& group, Job& job);
};

constexpr std::array Strategies{
    Strategy{"single", nullptr},
    Strategy{"data", nullptr},
    Strategy{"pipeline", GridParallel::create},
    Strategy{"tensor", GridParallel::create},
    Strategy{"grid", GridParallel::create},
    Strategy{"zero", makeZero},
    Strategy{"collectives", nullptr},
};

const Strategy& strategyOf(const experiment::RunSpec& run)
{
    const auto found = std::find_if(Strategies.begin(), Strategies.end(),
        [&](const Strategy& strategy) { return strategy.name == run.text("strategy.name"); });
    return found == Strategies.end() ? Strategies.front() : *found;
}

} // namespace

std::vector<std::string_view> strategyNames()
{
    std::vector<std::string_view> names;
    for (const Strategy& strategy : Strategies) {
        names.push_back(strategy.name);
    }
    return names;
}

Result<std::unique_ptr<ModelParallel>> makeModelParallel(const experiment::RunSpec& run, RankGroup& group, Job& job)
{
    return strategyOf(run).make(run, group, job);
}

} // namespace lockstep::engine
