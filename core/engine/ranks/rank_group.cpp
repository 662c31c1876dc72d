#include "engine/ranks/rank_group.h"

#include "engine/comm/hierarchy/hierarchical_communicator.h"
#include "engine/comm/mpi/mpi_communicator.h"
#include "engine/comm/shm/shm_communicator.h"
#include "engine/data/sha256.h"
#include "engine/gpu/device_ranks.h"
#include "engine/ranks/gloo_communicator.h"
#include "engine/ranks/network_board.h"
#include "engine/ranks/network_peers.h"
#include "experiment/choices.h"
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
/// Ranks come one after the other: each first reads its data.
constexpr milliseconds LeastTimeToMeet{60'000};

struct Meeting {
    const RankContext& context;
    const plan::Placement& placement;
    milliseconds timeout;
    bool checksEveryCall;
    std::shared_ptr<rendezvous::Network> network{}; ///< of ranks on several hosts
};

Result<std::unique_ptr<comm::Communicator>> joinShm(const Meeting& meeting)
{
    const RankContext& context = meeting.context;
    return comm::joinByName(context.group, context.rank.number, context.worldSize,
        {.timeout = meeting.timeout, .joinTimeout = LeastTimeToMeet});
}

Result<std::unique_ptr<comm::Communicator>> joinByGloo(const Meeting& meeting)
{
    const RankContext& context = meeting.context;
    return joinGloo({.name = context.group,
        .rank = context.rank.number,
        .size = context.worldSize,
        .timeout = meeting.timeout,
        .joinTimeout = LeastTimeToMeet,
        .checksEveryCall = meeting.checksEveryCall,
        .network = meeting.network});
}

Result<std::unique_ptr<comm::Communicator>> joinByMpi([[maybe_unused]] const Meeting& meeting)
{
#ifdef LOCKSTEP_HAS_MPI
    return comm::joinMpi({.name = meeting.context.group,
        .rank = meeting.context.rank.number,
        .size = meeting.context.worldSize,
        .timeout = meeting.timeout,
        .joinTimeout = LeastTimeToMeet,
        .checksEveryCall = meeting.checksEveryCall});
#else
    return Error{"comm.backend: mpi, but this lockstep-rank was built without MPI; install libopenmpi-dev and "
                 "openmpi-bin and build again, or use auto, shm or gloo"};
#endif
}

struct Backend {
    std::string_view name;
    Result<std::unique_ptr<comm::Communicator>> (*join)(const Meeting& meeting);
};

// NCCL handles device memory only: host arrays go through shared memory. Of ranks on one host the hierarchy is shared
// memory; for several hosts joinApart() has it.
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
    const bool isFaulty = run.integer("fault.rank") == ranks->rank();
    group.calls = std::make_shared<comm::RankCalls>(comm::RankCalls{
        .record = std::move(record),
        .rank = ranks->rank(),
        .skipped = isFaulty ? run.integer("fault.skip_collective") : 0,
    });
    const auto patience = std::chrono::duration<double>(2 * run.real("comm.timeout_s") + 10);
    group.calls->stayOut = [ranks, patience](const std::string& call) {
        std::fprintf(stderr, "rank %d does not enter %s (fault.skip_collective)\n", ranks->rank(), call.c_str());
        const auto until = std::chrono::steady_clock::now() + patience;
        while (std::chrono::steady_clock::now() < until && ranks->checkPeers()) {
            std::this_thread::sleep_for(milliseconds(20));
        }
        return Error{"did not enter " + call + ", as fault.skip_collective asks"};
    };
    ranks->record(group.calls);
}

/// What only ranks of one host can do is refused, naming the hosts.
Result<void> checkApart(
    const experiment::RunSpec& run, const plan::Placement& placement, const rendezvous::Network& network)
{
    const auto refuse = [&network](const std::string& parameter, const std::string& value, const char* instead) {
        return Error{fmt::format("{}: {} works on one host only, and these ranks are on {}; use {}", parameter, value,
            network.hosts(), instead)};
    };
    const std::string& backend = run.text("comm.backend");
    if (backend != "auto" && backend != "gloo" && backend != "hierarchical") {
        return refuse("comm.backend", backend, "auto, hierarchical or gloo");
    }
    if (placement.devices() != "cpu") {
        return refuse("device", placement.devices(), "cpu");
    }
    if (is(run, experiment::Strategy::Pipeline) && run.text("pipeline.transport") == "rpc") {
        return refuse("pipeline.transport", "rpc", "p2p");
    }
    if (is(run, experiment::Strategy::Data) && run.text("aggregation.algorithm") == "parameter_server_async") {
        return refuse("aggregation.algorithm", "parameter_server_async", "another");
    }
    // A message over an emulated link carries the time at which it may be read, on one clock.
    for (const char* name : {"link.latency_us", "link.bandwidth_mbps"}) {
        if (run.real(name) > 0.0) {
            return refuse(name, fmt::format("{}", run.real(name)), "0");
        }
    }
    // The record of calls that names such a rank is in memory that the ranks share.
    if (run.integer("fault.skip_collective") > 0) {
        return refuse("fault.skip_collective", std::to_string(run.integer("fault.skip_collective")), "0");
    }
    return {};
}

/// Null where the ranks turn out to be on one host: then they share memory.
Result<std::shared_ptr<rendezvous::Network>> meetOtherHosts(const experiment::RunSpec& run, const RankContext& context,
    const std::string& hash, const std::shared_ptr<NetworkBoard>& board)
{
    if (!rendezvous::mayBeApart(context.place)) {
        return std::shared_ptr<rendezvous::Network>();
    }
    const rendezvous::Variables variables = rendezvous::variablesOfProcess();
    std::optional<wire::Secret> secret = context.storeSecret;
    if (!secret) {
        LOCKSTEP_TRY_ASSIGN(secret, rendezvous::secretOfFile(variables));
    }
    LOCKSTEP_TRY_ASSIGN(const milliseconds limit, rendezvous::timeToMeet(variables, LeastTimeToMeet));
    LOCKSTEP_TRY_ASSIGN(auto network,
        rendezvous::meetOverNetwork({.place = context.place,
            .interface = run.text("comm.interface"),
            .version = "lockstep-rank " LOCKSTEP_VERSION,
            .what = hash,
            .secret = secret,
            .limit = limit,
            .onWaiting = [](const std::string& text) { std::fprintf(stderr, "lockstep-rank: %s\n", text.c_str()); },
            .onPublished = board->receiver()}));
    return network->isOneDomain() ? nullptr : std::shared_ptr<rendezvous::Network>(std::move(network));
}

/// `all` with the memory of each host. Gives `all` itself where every host has one rank.
Result<std::unique_ptr<comm::Communicator>> joinHosts(const Meeting& meeting, std::unique_ptr<comm::Communicator> all)
{
    const rendezvous::Network& network = *meeting.network;
    std::vector<int> here;
    for (const rendezvous::Member& each : network.members) {
        if (each.domain == network.self.domain) {
            here.push_back(each.rank);
        }
    }
    const auto own = std::find(here.begin(), here.end(), network.self.rank) - here.begin();
    LOCKSTEP_TRY_ASSIGN(auto host,
        comm::joinByName(fmt::format("{}-host{}", meeting.context.group, here.front()), static_cast<int>(own),
            static_cast<int>(here.size()), {.timeout = meeting.timeout, .joinTimeout = LeastTimeToMeet}));
    return comm::joinHierarchy({.all = std::move(all),
        .host = std::move(host),
        .registry = std::make_shared<NetworkPeers>(meeting.network),
        .guard = {meeting.timeout, meeting.checksEveryCall}});
}

/// How ranks on several hosts communicate, as Placement::inBrackets().
std::string textApart(const comm::Communicator& group, const experiment::RunSpec& run, const std::string& hosts)
{
    return group.backend() == "hierarchical"
        ? fmt::format("hierarchical (shared memory on each of the hosts {}, gloo between them)", hosts)
        : run.text("comm.backend") == "gloo" ? fmt::format("gloo (hosts {})", hosts)
                                             : fmt::format("gloo (hosts {}, with one rank each)", hosts);
}

Result<std::unique_ptr<RankGroup>> joinApart(
    const experiment::RunSpec& run, const Meeting& meeting, const std::shared_ptr<NetworkBoard>& board)
{
    LOCKSTEP_TRY(checkApart(run, meeting.placement, *meeting.network));
    board->connect(meeting.network);
    LOCKSTEP_TRY_ASSIGN(auto communicator, joinByGloo(meeting));
    if (run.text("comm.backend") != "gloo") {
        LOCKSTEP_TRY_ASSIGN(communicator, joinHosts(meeting, std::move(communicator)));
    }
    const std::string text = textApart(*communicator, run, meeting.network->hosts());
    auto group
        = std::make_unique<RankGroup>(RankGroup{std::make_unique<comm::WatchedCommunicator>(std::move(communicator)),
            board, Bottleneck(run, meeting.context.worldSize), {}, meeting.network, text});
    group->applyLinks();
    return group;
}

} // namespace

std::vector<std::string_view> backendNames()
{
    std::vector<std::string_view> names{"auto"};
    for (const Backend& backend : Backends) {
        names.push_back(backend.name);
    }
    return names;
}

void RankGroup::applyLinks()
{
    for (int rank = 0; rank < communicator->size(); ++rank) {
        communicator->setLink(rank, bottleneck.link(rank));
    }
}

Result<void> RankGroup::addUp(std::span<double> numbers) const
{
    const comm::View view{numbers.data(), static_cast<std::int64_t>(numbers.size()), comm::DataType::Float64};
    return communicator->allReduce(view, view, comm::Reduction::Sum);
}

Result<std::unique_ptr<RankGroup>> joinRanks(
    const experiment::RunSpec& run, const RankContext& place, const plan::Placement& placement)
{
    const milliseconds timeout(static_cast<std::int64_t>(run.real("comm.timeout_s") * 1000.0));
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
        return joinApart(run, {context, placement, timeout, run.boolean("comm.check"), network}, networkBoard);
    }
    auto board = ControlBoard::join(
        {context.group + "-control", context.rank.number, context.worldSize, LeastTimeToMeet, hash});
    if (!board) {
        return board.error();
    }
    auto communicator = backendOf(placement.backend).join({context, placement, timeout, run.boolean("comm.check")});
    if (!communicator) {
        return communicator.error();
    }
    auto ranks = ontoDevice(std::move(*communicator), placement, context.localRank, timeout);
    if (!ranks) {
        return ranks.error();
    }
    const int size = context.worldSize;
    LOCKSTEP_TRY_ASSIGN(const int table,
        comm::shareDescriptor({context.group + "-arrivals", context.rank.number, size, LeastTimeToMeet, hash},
            [size] { return comm::Arrivals::makeFile(size); }));
    LOCKSTEP_TRY_ASSIGN(auto arrivals, comm::Arrivals::open(table, size));
    auto group = std::make_unique<RankGroup>(RankGroup{
        std::make_unique<comm::WatchedCommunicator>(std::move(ranks->communicator)), std::move(*board),
        Bottleneck(run, context.worldSize), {}, {}, ranks->reason.empty() ? placement.inBrackets() : ranks->reason});
    group->applyLinks();
    group->communicator->tellWaiting(std::move(arrivals));
    LOCKSTEP_TRY_ASSIGN(const int calls,
        comm::shareDescriptor({context.group + "-calls", context.rank.number, size, LeastTimeToMeet, hash},
            [size] { return comm::CallRecord::makeFile(size); }));
    LOCKSTEP_TRY_ASSIGN(auto record, comm::CallRecord::open(calls, size));
    recordCalls(run, *group, std::move(record));
    return group;
}

} // namespace lockstep::engine
