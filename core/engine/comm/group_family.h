// The groups of one rank that were split off each other. What is queued for all of them goes through one stream of a
// device: a group that waits for the device may be waiting for a rank of another group, which only that one can miss.
#pragma once

#include "engine/comm/communicator.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::comm {

class GroupFamily {
public:
    /// `host` sees when a rank of the group can never come again (checkPeers()); `ranks`: the group's, in the numbers
    /// of the family's first group.
    void add(Communicator& host, std::vector<int> ranks);
    void remove(const Communicator& host);
    /// What another group than that of `host` knows of a rank that is gone: `global rank 3 (process 4711) has died`;
    /// empty if nothing. Breaks that group.
    [[nodiscard]] std::string whoIsGone(const Communicator& host);

    /// One of them has failed, and with it the run: none need wait for anyone any more.
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
