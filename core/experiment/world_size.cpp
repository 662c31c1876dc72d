#include "base/translate.h"
#include "experiment/choices.h"
#include "experiment/spec.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::experiment {

namespace {

/// How many ranks a strategy takes; 0 in a spec means `standard`.
struct Ranks {
    Strategy strategy;
    std::int32_t fewest;
    std::int32_t standard;
    std::int32_t most;
};

constexpr std::array RanksOfStrategies{Ranks{Strategy::Single, 1, 1, 1}, Ranks{Strategy::Data, 1, 2, 64},
    Ranks{Strategy::Local, 1, 2, 64}, Ranks{Strategy::Pipeline, 1, 2, 64}, Ranks{Strategy::Zero, 1, 2, 64},
    Ranks{Strategy::Tensor, 1, 2, 64}, Ranks{Strategy::Grid, 1, 4, 64}, Ranks{Strategy::Collectives, 1, 2, 64},
    Ranks{Strategy::Own, 1, 1, 64}};

const Ranks* ranksOf(Strategy strategy)
{
    const auto found = std::find_if(RanksOfStrategies.begin(), RanksOfStrategies.end(),
        [strategy](const Ranks& each) { return each.strategy == strategy; });
    return found == RanksOfStrategies.end() ? nullptr : &*found;
}

/// The ranks of a strategy whose own parameters say how many there are.
struct Parts {
    std::int64_t ranks = 0;
    std::string_view mismatch; ///< why another number of ranks (%1) is refused, with `sizes` as %2, ...
    std::vector<Text> sizes;
};

std::optional<Parts> partsOf(const RunSpec& run)
{
    const auto strategy = choice<Strategy>(run);
    if (strategy == Strategy::Pipeline) {
        const std::int64_t stages = run.settings->pipeline.stages;
        return Parts{stages,
            LS_TR("Refusals",
                "%1 does not fit strategy.name pipeline, which needs one rank for each of its %2 stages "
                "(pipeline.stages)"),
            {stages}};
    }
    if (strategy == Strategy::Tensor) {
        const std::int64_t parts = run.settings->tensor.size;
        return Parts{parts,
            LS_TR("Refusals",
                "%1 does not fit strategy.name tensor, which needs one rank for each of the %2 parts of a layer "
                "(tensor.size)"),
            {parts}};
    }
    if (strategy == Strategy::Grid) {
        const std::array sizes{run.settings->grid.data, run.settings->grid.pipeline, run.settings->grid.tensor};
        const std::int64_t ranks = sizes[0] * sizes[1] * sizes[2];
        return Parts{ranks,
            LS_TR("Refusals",
                "%1 does not fit strategy.name grid, whose %2 x %3 x %4 (grid.data x grid.pipeline x grid.tensor) "
                "need %5 ranks"),
            {sizes[0], sizes[1], sizes[2], ranks}};
    }
    return std::nullopt;
}

} // namespace

Result<std::int32_t> worldSizeOf(const RunSpec& run)
{
    const Text strategy = verbatim(nameOf(run.settings->rank.strategy));
    const Ranks* ranks = ranksOf(choice<Strategy>(run));
    if (ranks == nullptr) {
        return refusal("strategy.name", LS_TR("Messages", "%1 is not known"), {strategy});
    }
    const std::int64_t asked = run.settings->rank.worldSize;
    if (const auto parts = partsOf(run)) {
        if (parts->ranks > ranks->most) {
            return refusal("grid.data",
                LS_TR("Refusals", "%1 ranks are too many (grid.data x grid.pipeline x grid.tensor); use at most %2"),
                {parts->ranks, ranks->most});
        }
        if (asked == 0 || asked == parts->ranks) {
            return static_cast<std::int32_t>(parts->ranks);
        }
        std::vector<Text> arguments{asked};
        arguments.insert(arguments.end(), parts->sizes.begin(), parts->sizes.end());
        return refusal("world_size", parts->mismatch, std::move(arguments));
    }
    if (asked == 0) {
        return ranks->standard;
    }
    if (asked < ranks->fewest || asked > ranks->most) {
        return refusal("world_size",
            ranks->fewest == ranks->most ? LS_TR("Refusals", "%1 does not fit strategy.name %2, which needs %3")
                                         : LS_TR("Refusals", "%1 does not fit strategy.name %2, which takes %3 to %4"),
            {asked, strategy, ranks->fewest, ranks->most});
    }
    return static_cast<std::int32_t>(asked);
}

bool hasReplicas(const RunSpec& run)
{
    return is(run, Strategy::Data, Strategy::Local);
}

bool trainsLocally(const RunSpec& run)
{
    return is(run, Strategy::Local) || (is(run, Strategy::Data) && is(run, Aggregated::Weights));
}

bool isBatchOfEachRank(const RunSpec& run)
{
    return is(run, Strategy::Data, Strategy::Local, Strategy::Zero) && is(run, BatchOf::Rank)
        && !is(run, OptimizerName::Gd);
}

std::int64_t globalBatch(const RunSpec& run)
{
    const std::int64_t batch = run.settings->train.batch;
    const auto ranks = isBatchOfEachRank(run) ? worldSizeOf(run) : Result<std::int32_t>(1);
    return ranks ? batch * *ranks : batch;
}

} // namespace lockstep::experiment
