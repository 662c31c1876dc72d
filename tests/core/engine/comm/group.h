// Ranks as threads of the test, each with its own communicator over one region.
#pragma once

#include "engine/comm/shm/region.h"
#include "engine/comm/shm/shm_communicator.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep::tests {

/// Runs `body` as every rank at once and gives what each returned, by rank.
inline std::vector<Result<void>> asRanks(
    int ranks, const std::function<Result<void>(comm::Communicator&)>& body, const comm::ShmOptions& options = {})
{
    std::vector<Result<void>> results(static_cast<std::size_t>(ranks));
    const auto region = comm::Region::makeFile(ranks);
    if (!region) {
        return {region.error()};
    }
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            Result<void>& result = results[static_cast<std::size_t>(rank)];
            auto joined = comm::joinRegion(*region, rank, options);
            result = joined ? body(**joined) : Result<void>(joined.error());
        });
    }
    threads.clear();
    return results;
}

/// The first error, empty if there is none.
inline std::string firstError(const std::vector<Result<void>>& results)
{
    for (const Result<void>& result : results) {
        if (!result) {
            return result.error().message;
        }
    }
    return {};
}

} // namespace lockstep::tests
