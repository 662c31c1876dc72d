#include "engine/ranks/rank_context.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::engine {

namespace {

constexpr const char* WorldSize = "WORLD_SIZE";
constexpr const char* WorldSizeOfMpirun = "OMPI_COMM_WORLD_SIZE";

/// Our launcher and torchrun set `variable`, mpirun alone only `ofMpirun`.
const char* either(const char* variable, const char* ofMpirun)
{
    return std::getenv(variable) == nullptr && std::getenv(ofMpirun) != nullptr ? ofMpirun : variable;
}

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
        return Error{std::string(variable) + ": `" + text + "` is not an integer of at least " + std::to_string(lowest)
            + " and less than " + std::to_string(end)};
    }
    return number;
}

} // namespace

Result<RankContext> rankFromEnvironment()
{
    constexpr std::int32_t MostRanks = 1 << 16;
    const auto worldSize = numberFrom(either(WorldSize, WorldSizeOfMpirun), 1, 1, MostRanks);
    if (!worldSize) {
        return worldSize.error();
    }
    const auto rank = numberFrom(either("RANK", "OMPI_COMM_WORLD_RANK"), 0, 0, *worldSize);
    if (!rank) {
        return rank.error();
    }
    const auto localRank = numberFrom(either("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK"), *rank, 0, *worldSize);
    if (!localRank) {
        return localRank.error();
    }
    const auto text = [](const char* variable) {
        const char* value = std::getenv(variable);
        return std::string(value == nullptr ? "" : value);
    };
    const auto port = numberFrom("MASTER_PORT", 29500, 0, 1 << 16);
    if (!port) {
        return port.error();
    }
    std::string group;
    for (const char* variable : {"LOCKSTEP_RUN", "TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "SLURM_STEP_ID",
             "PMIX_NAMESPACE", "MASTER_ADDR", "MASTER_PORT"}) {
        const std::string value = text(variable);
        group += (group.empty() || value.empty() ? "" : "-") + value;
    }
    return RankContext{Rank{*rank}, *worldSize, *localRank, std::move(group)};
}

std::string_view worldSizeVariable()
{
    const char* variable = either(WorldSize, WorldSizeOfMpirun);
    return std::getenv(variable) == nullptr ? "" : variable;
}

} // namespace lockstep::engine
