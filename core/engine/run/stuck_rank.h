// Ends a rank whose training thread does not notice a dead rank: it may be blocked inside CUDA behind work that waits
// for it.
#pragma once

#include "engine/comm/device/peer_watch.h"
#include "engine/ranks/rank_context.h"
#include "engine/telemetry/recorder.h"
#include "plan/placement.h"

#include <memory>

namespace lockstep::engine {

/// From now on, where several ranks are on GPUs: this process ends, with a line in the log and on stderr, when another
/// rank has died and this one does not look at the others soon. Null elsewhere. `deadPeer` and `recorder` must outlive
/// it.
[[nodiscard]] std::unique_ptr<comm::PeerWatch> watchPeers(const RankContext& context, const plan::Placement& placement,
    Recorder& recorder, comm::PeerWatch::DeadPeer deadPeer);

} // namespace lockstep::engine
