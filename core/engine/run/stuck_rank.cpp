#include "engine/run/stuck_rank.h"

#include "base/result.h"

#include <cstdio>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

namespace lockstep::engine {

namespace {

/// As of any run that has failed.
constexpr int ExitStuck = 3;
/// The sending thread sends what is recorded well within this.
constexpr std::chrono::milliseconds TimeToSend{100};

} // namespace

std::unique_ptr<comm::PeerWatch> watchPeers(const RankContext& context, const plan::Placement& placement,
    Recorder& recorder, comm::PeerWatch::DeadPeer deadPeer)
{
    if (placement.gpus.empty() || context.worldSize == 1) {
        return nullptr;
    }
    return std::make_unique<comm::PeerWatch>(std::move(deadPeer), [rank = context.rank, &recorder](const Text& dead) {
        const Text text = ofRank(
            failure(
                LS_TR("Messages", "%1, and this rank did not notice it in time (its device may be blocked)"), {dead}),
            rank);
        std::fprintf(stderr, "lockstep-rank: %s\n", text.english.c_str());
        recorder.log(wire::LogLevel::Error, text);
        std::this_thread::sleep_for(TimeToSend);
        _exit(ExitStuck);
    });
}

} // namespace lockstep::engine
