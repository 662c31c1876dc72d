// Ranks on several hosts: how they meet, and what carries their arrays. Arrays in host memory go through shared memory
// inside a host and Gloo between hosts; arrays in GPU memory through NCCL where every rank has its own GPU, else
// through host memory.
#pragma once

#include "engine/ranks/hosts/network_board.h"
#include "engine/ranks/rank_group.h"

#include <chrono>
#include <memory>
#include <string>

namespace lockstep::engine {

/// Where others start the ranks of several hosts, one after the other, and no LOCKSTEP_MEET_SECONDS says how long.
inline constexpr std::chrono::milliseconds TimeToMeetOverNetwork{60'000};

/// How long ranks that have all been started wait for each other: comm.timeout_s, but at least as long as a busy
/// machine may need to start them.
[[nodiscard]] std::chrono::milliseconds timeToJoin(const experiment::RunSpec& run);

/// `hash` is that of the run's spec. Null where the ranks cannot be on several hosts, or turn out to be on one: then
/// they share memory.
[[nodiscard]] Result<std::shared_ptr<rendezvous::Network>> meetOtherHosts(const experiment::RunSpec& run,
    const RankContext& context, const std::string& hash, const std::shared_ptr<NetworkBoard>& board);

/// `placement` is from placeHere(run, plan::Hosts::Several). Every rank calls it. Settings that only ranks of one host
/// can carry out are refused, naming the hosts.
[[nodiscard]] Result<std::unique_ptr<RankGroup>> joinHosts(const experiment::RunSpec& run, const RankContext& context,
    const plan::Placement& placement, const std::shared_ptr<rendezvous::Network>& network,
    const std::shared_ptr<NetworkBoard>& board);

} // namespace lockstep::engine
