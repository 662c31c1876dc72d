#include "engine/strategy/registry.h"

#include "base/names.h"
#include "engine/strategy/data/async_parallel.h"
#include "engine/strategy/data/data_parallel.h"
#include "engine/strategy/local/local_sgd.h"
#include "engine/strategy/model_parallel/grid_parallel.h"
#include "engine/strategy/single/single.h"
#include "engine/strategy/zero/zero.h"
#include "experiment/choices.h"

#include <algorithm>
#include <array>

namespace lockstep::engine {

namespace {

struct StrategyRow {
    std::string_view name;
    Result<std::unique_ptr<Strategy>> (*make)(const StrategyContext& context);
};

/// A strategy of several ranks, once they have met.
template <typename S>
Result<std::unique_ptr<Strategy>> make(const StrategyContext& context)
{
    LOCKSTEP_TRY_ASSIGN(auto group, joinRanks(context.run, context.context, context.placement));
    return std::unique_ptr<Strategy>(std::make_unique<S>(context, std::move(group)));
}

Result<std::unique_ptr<Strategy>> makeSingle(const StrategyContext& context)
{
    LOCKSTEP_TRY_ASSIGN(auto board, ControlBoard::alone());
    return std::unique_ptr<Strategy>(std::make_unique<Single>(context, std::move(board)));
}

Result<std::unique_ptr<Strategy>> makeData(const StrategyContext& context)
{
    if (is(context.run, experiment::Algorithm::ParameterServerAsync)) {
        return make<AsyncParallel>(context);
    }
    return experiment::trainsLocally(context.run) ? make<LocalSgd>(context) : make<DataParallel>(context);
}

constexpr std::array Strategies{
    StrategyRow{"single", makeSingle},
    StrategyRow{"data", makeData},
    StrategyRow{"local", make<LocalSgd>},
    StrategyRow{"pipeline", GridParallel::create},
    StrategyRow{"tensor", GridParallel::create},
    StrategyRow{"grid", GridParallel::create},
    StrategyRow{"zero", make<Zero>},
};

} // namespace

std::vector<std::string_view> strategyNames()
{
    auto names = namesOf(Strategies, &StrategyRow::name);
    names.push_back("collectives"); // trains nothing: run/measure.h
    return names;
}

Result<std::unique_ptr<Strategy>> makeStrategy(const StrategyContext& context)
{
    const std::string name(nameOf(context.run.settings->rank.strategy));
    const auto row = std::find_if(
        Strategies.begin(), Strategies.end(), [&](const StrategyRow& each) { return each.name == name; });
    if (row == Strategies.end()) {
        return refusal(nameOf(&experiment::RankSettings::strategy),
            LS_TR("Messages", "%1 is not a strategy that trains"), {verbatim(name)});
    }
    return row->make(context);
}

} // namespace lockstep::engine
