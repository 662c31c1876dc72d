// A separate group of some of a run's ranks, whose errors give their numbers in the run.
#pragma once

#include "engine/ranks/rank_group.h"

#include <memory>
#include <vector>

namespace lockstep::engine {

class SubGroup {
public:
    /// Every rank of the run calls it with the group that it belongs to: groups that share no rank. `members` are ranks
    /// of the run, by their place in the group.
    [[nodiscard]] static Result<std::unique_ptr<SubGroup>> split(RankGroup& all, std::vector<int> members);

    [[nodiscard]] comm::WatchedCommunicator& ranks() { return *m_ranks; }
    [[nodiscard]] int place() const { return m_ranks->rank(); }
    [[nodiscard]] int size() const { return m_ranks->size(); }
    [[nodiscard]] const std::vector<int>& members() const { return m_members; }

    [[nodiscard]] Error named(const Error& error) const;
    /// Copies the links of the run's ranks; call after every change.
    void applyLinks(const RankGroup& all);

private:
    SubGroup(std::unique_ptr<comm::Communicator> ranks, std::vector<int> members);

    std::unique_ptr<comm::WatchedCommunicator> m_ranks;
    std::vector<int> m_members;
};

} // namespace lockstep::engine
