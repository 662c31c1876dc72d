#include "engine/ranks/rank_group.h"

#include "base/names.h"
#include "engine/comm/mpi/mpi_communicator.h"
#include "engine/comm/shm/shm_communicator.h"
#include "engine/data/sha256.h"
#include "engine/gpu/device_ranks.h"
#include "engine/ranks/devices/run_devices.h"
#include "engine/ranks/gloo_communicator.h"
#include "engine/ranks/hosts/hosts_group.h"
#include "rendezvous/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

namespace lockstep::engine {

namespace {

using std::chrono::milliseconds;

/// What is added to a name says what the ranks meet for, and an address in the abstract namespace has 107 characters.
constexpr std::size_t LongestName = 60;

using Joined = Result<std::unique_ptr<comm::Communicator>>;

Joined joinShm(const comm::JoinOptions& options)
{
    return comm::joinByName(
        options.name, options.rank, options.size, {.timeout = options.timeout, .joinTimeout = options.joinTimeout});
}

Joined joinByGloo(const comm::JoinOptions& options)
{
    return joinGloo(options);
}

Joined joinByMpi([[maybe_unused]] const comm::JoinOptions& options)
{
#ifdef LOCKSTEP_HAS_MPI
    return comm::joinMpi(options);
#else
    return refusal(nameOf(&experiment::CommSettings::backend),
        LS_TR("Messages",
            "mpi, but this lockstep-rank was built without MPI; install libopenmpi-dev and openmpi-bin and build "
            "again, or use auto, shm or gloo"));
#endif
}

struct Backend {
    std::string_view name;
    Joined (*join)(const comm::JoinOptions& options);
};

// NCCL handles device memory only: host arrays go through shared memory. Of ranks on one host the hierarchy is shared
// memory; for several hosts joinHosts() has it.
constexpr std::array Backends{Backend{"shm", joinShm}, Backend{"gloo", joinByGloo}, Backend{"nccl", joinShm},
    Backend{"mpi", joinByMpi}, Backend{"hierarchical", joinShm}};

const Backend& backendOf(const std::string& name)
{
    const auto found
        = std::find_if(Backends.begin(), Backends.end(), [&](const Backend& backend) { return backend.name == name; });
    return found == Backends.end() ? Backends.front() : *found;
}

/// Records the group's calls. `fault.skip_collective` keeps this rank out of one of them until the others are gone.
void recordCalls(const experiment::RunSpec& run, RankGroup& group, std::shared_ptr<comm::CallRecord> record)
{
    comm::WatchedCommunicator* ranks = group.communicator.get();
    const bool isFaulty = run.settings->fault.rank == ranks->rank();
    group.calls = std::make_shared<comm::RankCalls>(comm::RankCalls{
        .record = std::move(record),
        .rank = ranks->rank(),
        .skipped = isFaulty ? run.settings->fault.skippedCollective : 0,
    });
    const auto patience = std::chrono::duration<double>(2 * run.settings->comm.timeoutSeconds + 10);
    group.calls->stayOut = [ranks, patience](const std::string& call) {
        std::fprintf(stderr, "rank %d does not enter %s (fault.skip_collective)\n", ranks->rank(), call.c_str());
        const auto until = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < until && ranks->checkPeers()) {
            std::this_thread::sleep_for(milliseconds(20));
        }
        return failure(LS_TR("Messages", "did not enter %1, as fault.skip_collective asks"), {verbatim(call)});
    };
    ranks->record(group.calls);
}

/// A table that all ranks of the machine map.
template <typename Table>
Result<std::shared_ptr<Table>> shared(const comm::Rendezvous& rendezvous)
{
    LOCKSTEP_TRY_ASSIGN(
        const auto file, comm::shareDescriptor(rendezvous, [&rendezvous] { return Table::makeFile(rendezvous.size); }));
    return Table::open(file, rendezvous.size);
}

Result<std::unique_ptr<RankGroup>> joinOneHost(const experiment::RunSpec& run, const RankContext& context,
    const plan::Placement& placement, const std::string& hash)
{
    const milliseconds timeout(static_cast<std::int64_t>(run.settings->comm.timeoutSeconds * 1000.0));
    const milliseconds joinTimeout = timeToJoin(run);
    const auto meetFor = [&](const char* purpose) {
        return comm::Rendezvous{context.group + purpose, context.rank.number, context.worldSize, joinTimeout, hash};
    };
    LOCKSTEP_TRY_ASSIGN(auto board, ControlBoard::join(meetFor("-control")));
    LOCKSTEP_TRY_ASSIGN(auto communicator,
        backendOf(placement.backend)
            .join({.name = context.group,
                .rank = context.rank.number,
                .size = context.worldSize,
                .timeout = timeout,
                .joinTimeout = joinTimeout,
                .checksEveryCall = run.settings->comm.isChecked}));
    LOCKSTEP_TRY_ASSIGN(auto ranks, ontoDevice(std::move(communicator), placement, context.localRank, timeout));
    LOCKSTEP_TRY_ASSIGN(auto arrivals, shared<comm::Arrivals>(meetFor("-arrivals")));
    auto group = std::make_unique<RankGroup>(
        RankGroup{std::make_unique<comm::WatchedCommunicator>(std::move(ranks.communicator)), std::move(board),
            Stragglers(run, context.worldSize), {}, {}, ranks.reason.empty() ? placement.inBrackets() : ranks.reason});
    group->applyLinks();
    group->communicator->measureWaiting(std::move(arrivals));
    LOCKSTEP_TRY_ASSIGN(auto record, shared<comm::CallRecord>(meetFor("-calls")));
    recordCalls(run, *group, std::move(record));
    return group;
}

} // namespace

std::vector<std::string_view> backendNames()
{
    auto names = namesOf(Backends, &Backend::name);
    names.insert(names.begin(), "auto");
    return names;
}

void RankGroup::applyLinks()
{
    for (int rank = 0; rank < communicator->size(); ++rank) {
        communicator->setLink(rank, stragglers.of(rank).link);
    }
}

Result<void> RankGroup::allReduceSum(std::span<double> numbers) const
{
    const comm::View view{numbers.data(), static_cast<std::int64_t>(numbers.size()), comm::DataType::Float64};
    return communicator->allReduce(view, view, comm::Reduction::Sum);
}

Result<std::unique_ptr<RankGroup>> joinRanks(
    const experiment::RunSpec& run, const RankContext& place, const plan::Placement& placement)
{
    LOCKSTEP_TRY_ASSIGN(const std::string hash, sha256Of(experiment::toJson(run)));
    RankContext context = place;
    if (context.group.empty()) {
        context.group = "spec-" + hash.substr(0, 16);
    } else if (context.group.size() > LongestName) {
        LOCKSTEP_TRY_ASSIGN(const std::string name, sha256Of(context.group));
        context.group = "job-" + name.substr(0, 32);
    }
    const auto networkBoard = std::make_shared<NetworkBoard>();
    LOCKSTEP_TRY_ASSIGN(const auto network, meetOtherHosts(run, context, hash, networkBoard));
    if (network) {
        return joinHosts(run, context, placement, network, networkBoard);
    }
    // Ranks that might have been on several hosts did not know how they would communicate.
    LOCKSTEP_TRY_ASSIGN(const plan::Placement here,
        hostsOf(context) == plan::Hosts::One ? Result<plan::Placement>(placement) : placeHere(run));
    return joinOneHost(run, context, here, hash);
}

} // namespace lockstep::engine
