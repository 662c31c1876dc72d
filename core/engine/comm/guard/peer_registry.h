// Which ranks of a run are alive, and how many calls each has begun: for errors of a backend that knows only addresses.
#pragma once

#include "base/result.h"

#include <chrono>
#include <memory>
#include <string>

namespace lockstep::comm {

class PeerRegistry {
public:
    /// In memory that ranks of one machine share. Every rank calls it; returns once all have come. `name`: unique to
    /// the run and the purpose.
    [[nodiscard]] static Result<std::shared_ptr<PeerRegistry>> meet(
        const std::string& name, int rank, int size, std::chrono::milliseconds timeout);
    /// For a group that is split off, whose ranks have other numbers: says "global rank" of those that `whole` names.
    [[nodiscard]] static std::shared_ptr<PeerRegistry> ofPart(std::shared_ptr<PeerRegistry> whole);
    virtual ~PeerRegistry() = default;
    PeerRegistry(const PeerRegistry&) = delete;
    PeerRegistry& operator=(const PeerRegistry&) = delete;

    virtual void beginCall() = 0;
    /// The rank whose process is gone. Empty if none is. Prefers a rank that was killed to one that only left because
    /// of it, and among equals `partner`, on which this rank depends.
    [[nodiscard]] virtual Text deadPeers(int partner = -1) const = 0;
    /// Of those that have died; one that has left in good order has not. Any thread.
    [[nodiscard]] virtual Text whoHasDied() const = 0;
    [[nodiscard]] virtual Text whoIsMissing() const = 0;
    /// Whether a rank has left this rank's call unfinished while another, which is alive, has not entered it: the
    /// other is the cause. False if unknown.
    [[nodiscard]] virtual bool hasLeftForMissing() const = 0;
    /// Whether a wait must be ended by us, because no broken connection ends it: the host or its network is gone.
    [[nodiscard]] virtual bool mustEndWaits() const { return false; }

protected:
    PeerRegistry() = default;
};

} // namespace lockstep::comm
