#include "engine/parallel/strategy.h"

#include "engine/parallel/rank_context.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

namespace lockstep::engine {

namespace {

struct Strategy {
    std::string_view name;
    std::int32_t fewestRanks;
    std::int32_t mostRanks;
};

// One row a strategy. With world_size = 0 a run gets the fewest.
constexpr std::array Strategies{Strategy{"single", 1, 1}};

/// A missing variable gives `fallback`.
Result<std::int32_t> numberFrom(const char* variable, std::int32_t fallback, std::int32_t lowest, std::int32_t end)
{
    const char* text = std::getenv(variable);
    if (text == nullptr) {
        return fallback;
    }
    const std::string_view view(text);
    std::int32_t number = 0;
    const auto [rest, error] = std::from_chars(view.data(), view.data() + view.size(), number);
    if (error != std::errc{} || rest != view.data() + view.size() || number < lowest || number >= end) {
        return Error{std::string(variable) + ": `" + text + "` is not a whole number of at least "
            + std::to_string(lowest) + " and less than " + std::to_string(end)};
    }
    return number;
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

Result<std::int32_t> worldSizeOf(const experiment::RunSpec& run)
{
    const std::string& name = run.text("strategy.name");
    const std::int64_t asked = run.integer("world_size");
    for (const Strategy& strategy : Strategies) {
        if (strategy.name != name) {
            continue;
        }
        if (asked == 0) {
            return strategy.fewestRanks;
        }
        if (asked < strategy.fewestRanks || asked > strategy.mostRanks) {
            return Error{"world_size: " + std::to_string(asked) + " does not fit strategy.name " + name
                + ", which takes " + std::to_string(strategy.fewestRanks) + " rank"};
        }
        return static_cast<std::int32_t>(asked);
    }
    return Error{"strategy.name: this rank program cannot do " + name};
}

Result<RankContext> rankFromEnvironment()
{
    constexpr std::int32_t MostRanks = 1 << 16;
    const auto worldSize = numberFrom("WORLD_SIZE", 1, 1, MostRanks);
    if (!worldSize) {
        return worldSize.error();
    }
    const auto rank = numberFrom("RANK", 0, 0, *worldSize);
    if (!rank) {
        return rank.error();
    }
    const auto localRank = numberFrom("LOCAL_RANK", *rank, 0, *worldSize);
    if (!localRank) {
        return localRank.error();
    }
    return RankContext{Rank{*rank}, *worldSize, *localRank};
}

} // namespace lockstep::engine
