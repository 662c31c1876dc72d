// The groups of one rank that were split off each other. They queue their work on one stream of
// a device, so a group that waits for the device may wait for a rank of another group, whose death only that group
// sees.
#pragma once

#include "engine/comm/communicator.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace lockstep::comm {

class GroupFamily {
public:
    /// `host` sees when a rank of the group can never come again (checkPeers()); `ranks`: the group's, in the numbers
    /// of the family's first group.
    void add(Communicator& host, std::vector<int> ranks);
    void remove(const Communicator& host);
    /// The dead rank that another group than that of `host` finds: `global rank 3 (process 4711) has died`; empty if
    /// none. Breaks that group.
    [[nodiscard]] Text deadPeers(const Communicator& host);

    /// A group has failed, and with it the run: the others need not wait for their peers.
    void fail() { m_hasFailed = true; }
    [[nodiscard]] bool hasFailed() const { return m_hasFailed; }

private:
    struct Member {
        Communicator* host = nullptr;
        std::vector<int> ranks;
    };

    std::mutex m_mutex;
    std::vector<Member> m_members;
    std::atomic<bool> m_hasFailed = false;
};

/// A group's place in its family.
struct FamilyPlace {
    std::shared_ptr<GroupFamily> family;
    std::vector<int> ranks; ///< of the group, in the family's numbers
};

/// That of a group of `size` ranks which begins a family.
[[nodiscard]] FamilyPlace firstOfFamily(int size);
/// That of a part which has been split off; this rank is `rankOfWhole` in the whole. All ranks of the part call it.
[[nodiscard]] Result<FamilyPlace> partOfFamily(Communicator& part, int rankOfWhole, const FamilyPlace& whole);

} // namespace lockstep::comm
