#include "engine/ranks/hosts/hosts_group.h"

#include "engine/comm/hierarchy/hierarchical_communicator.h"
#include "engine/comm/shm/shm_communicator.h"
#include "engine/gpu/device_ranks.h"
#include "engine/ranks/gloo_communicator.h"
#include "engine/ranks/hosts/network_peers.h"
#include "engine/ranks/this_machine.h"
#include "experiment/choices.h"
#include "plan/device_transfer.h"
#include "rendezvous/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

using std::chrono::milliseconds;

/// What only ranks of one host can do is refused, naming the hosts.
Result<void> checkSettings(const experiment::RunSpec& run, const rendezvous::Network& network)
{
    const auto refuse = [&network](const std::string& parameter, const std::string& value, const char* instead) {
        return failure(LS_TR("Messages", "%1: %2 works on one host only, and these ranks are on %3; use %4"),
            {parameter, value, network.hosts(), instead});
    };
    if (is(run, experiment::Backend::Shm, experiment::Backend::Mpi)) {
        return refuse(nameOf(&experiment::CommSettings::backend), std::string(nameOf(run.settings->comm.backend)),
            "auto, hierarchical, gloo or nccl");
    }
    if (is(run, experiment::Strategy::Pipeline)
        && run.settings->pipeline.transport == experiment::PipelineTransport::Rpc) {
        return refuse(nameOf(&experiment::PipelineSettings::transport), "rpc", "p2p");
    }
    if (is(run, experiment::Strategy::Data)
        && run.settings->aggregation.algorithm == experiment::Algorithm::ParameterServerAsync) {
        return refuse(nameOf(&experiment::AggregationSettings::algorithm), "parameter_server_async", "another");
    }
    // A message over an emulated link carries the time at which it may be read, on one clock.
    const experiment::LinkSettings& link = run.settings->link;
    if (link.latencyUs > 0.0) {
        return refuse(nameOf(&experiment::LinkSettings::latencyUs), fmt::format("{}", link.latencyUs), "0");
    }
    if (link.bandwidthMbps > 0.0) {
        return refuse(nameOf(&experiment::LinkSettings::bandwidthMbps), fmt::format("{}", link.bandwidthMbps), "0");
    }
    // The record of calls that names such a rank is in memory that the ranks share.
    if (run.settings->fault.skippedCollective > 0) {
        return refuse(nameOf(&experiment::FaultSettings::skippedCollective),
            std::to_string(run.settings->fault.skippedCollective), "0");
    }
    return {};
}

struct HostsMeeting {
    const experiment::RunSpec& run;
    const RankContext& context;
    const plan::Placement& placement;
    std::shared_ptr<rendezvous::Network> network;
    milliseconds timeout;
};

/// `all` with the memory of each host. Gives `all` itself where every host has one rank.
Result<std::unique_ptr<comm::Communicator>> withSharedMemory(
    const HostsMeeting& meeting, std::unique_ptr<comm::Communicator> all)
{
    const std::vector<int> here = meeting.network->ranksHere();
    const auto own = std::find(here.begin(), here.end(), meeting.network->self.rank) - here.begin();
    LOCKSTEP_TRY_ASSIGN(auto host,
        comm::joinByName(fmt::format("{}-host{}", meeting.context.group, here.front()), static_cast<int>(own),
            static_cast<int>(here.size()), {.timeout = meeting.timeout, .joinTimeout = timeToJoin(meeting.run)}));
    return comm::joinHierarchy({.all = std::move(all),
        .host = std::move(host),
        .registry = std::make_shared<NetworkPeers>(meeting.network),
        .guard = {meeting.timeout, meeting.run.settings->comm.isChecked}});
}

Result<std::unique_ptr<comm::Communicator>> joinHostMemory(const HostsMeeting& meeting)
{
    LOCKSTEP_TRY_ASSIGN(auto all,
        joinGloo({.name = meeting.context.group,
                     .rank = meeting.context.rank.number,
                     .size = meeting.context.worldSize,
                     .timeout = meeting.timeout,
                     .joinTimeout = timeToJoin(meeting.run),
                     .checksEveryCall = meeting.run.settings->comm.isChecked},
            meeting.network));
    return is(meeting.run, experiment::Backend::Gloo) ? Result(std::move(all))
                                                      : withSharedMemory(meeting, std::move(all));
}

/// Every rank sends what it has, and all decide from the same list.
Result<plan::DeviceTransfer> agree(const HostsMeeting& meeting, comm::Communicator& ranks)
{
    const rendezvous::Network& network = *meeting.network;
    const plan::RankDevice own = meeting.placement.gpus.empty()
        ? plan::RankDevice{}
        : plan::deviceOfRank(meeting.placement, thisMachine(), meeting.context.localRank, network.self.host);
    std::vector<plan::RankDevice> devices(network.members.size());
    LOCKSTEP_TRY(ranks.allGather({&own, plan::RankDeviceWords, comm::DataType::Int64},
        {devices.data(), plan::RankDeviceWords * ranks.size(), comm::DataType::Int64}));
    std::vector<std::string> hosts;
    for (const rendezvous::Member& each : network.members) {
        hosts.push_back(each.host);
    }
    return plan::agreeOnTransfer(meeting.run, devices, hosts);
}

/// NCCL listens on one interface only, the one of the ranks' address, unless NCCL_SOCKET_IFNAME alone names another.
void bindNccl(const experiment::RunSpec& run, const std::string& address)
{
    const int wins = run.settings->comm.interface.empty() ? 0 : 1;
    for (const rendezvous::Interface& each : rendezvous::interfacesOfHost()) {
        if (each.address == address) {
            setenv("NCCL_SOCKET_IFNAME", ("=" + each.name).c_str(), wins);
            return;
        }
    }
}

constexpr milliseconds LeastTimeToJoin{20'000};

} // namespace

milliseconds timeToJoin(const experiment::RunSpec& run)
{
    return std::max(
        milliseconds(static_cast<std::int64_t>(run.settings->comm.timeoutSeconds * 1000.0)), LeastTimeToJoin);
}

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
    LOCKSTEP_TRY_ASSIGN(const milliseconds limit, rendezvous::timeToMeet(variables, TimeToMeetOverNetwork));
    LOCKSTEP_TRY_ASSIGN(auto network,
        rendezvous::meetOverNetwork({.place = context.place,
            .interface = run.settings->comm.interface,
            .version = "lockstep-rank " LOCKSTEP_VERSION,
            .what = hash,
            .secret = secret,
            .limit = limit,
            .onWaiting = [](const std::string& text) { std::fprintf(stderr, "lockstep-rank: %s\n", text.c_str()); },
            .onPublished = board->receiver()}));
    return network->isOneDomain() ? nullptr : std::shared_ptr<rendezvous::Network>(std::move(network));
}

Result<std::unique_ptr<RankGroup>> joinHosts(const experiment::RunSpec& run, const RankContext& context,
    const plan::Placement& placement, const std::shared_ptr<rendezvous::Network>& network,
    const std::shared_ptr<NetworkBoard>& board)
{
    LOCKSTEP_TRY(checkSettings(run, *network));
    const HostsMeeting meeting{run, context, placement, network,
        milliseconds(static_cast<std::int64_t>(run.settings->comm.timeoutSeconds * 1000.0))};
    board->connect(network);
    LOCKSTEP_TRY_ASSIGN(auto communicator, joinHostMemory(meeting));
    LOCKSTEP_TRY_ASSIGN(const auto transfer, agree(meeting, *communicator));
    const Text text = transfer.inBrackets(run, communicator->backend(), network->hosts());
    if (transfer.isNccl()) {
        bindNccl(run, network->self.address);
    }
    plan::Placement agreed = placement;
    agreed.transfer = transfer.transfer;
    LOCKSTEP_TRY_ASSIGN(auto ranks, ontoDevice(std::move(communicator), agreed, context.localRank, meeting.timeout));
    auto group = std::make_unique<RankGroup>(
        RankGroup{std::make_unique<comm::WatchedCommunicator>(std::move(ranks.communicator)), board,
            Stragglers(run, context.worldSize), {}, network, text});
    group->applyLinks();
    return group;
}

} // namespace lockstep::engine
