// Ends a rank whose training thread is blocked inside CUDA behind work that waits for a dead rank.
#pragma once

#include "engine/comm/device/peer_watch.h"
#include "engine/ranks/rank_context.h"
#include "engine/telemetry/recorder.h"
#include "plan/placement.h"

#include <memory>

namespace lockstep::engine {

/// From now on, where several ranks are on GPUs: this process ends, with a line in the log and on stderr, when another
/// rank has died and this one does not return from CUDA. Null elsewhere. `deadPeer` and `recorder` must outlive it.
[[nodiscard]] std::unique_ptr<comm::PeerWatch> watchPeers(const RankContext& context, const plan::Placement& placement,
    Recorder& recorder, comm::PeerWatch::DeadPeer deadPeer);

} // namespace lockstep::engine
