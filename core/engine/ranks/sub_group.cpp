#include "engine/ranks/sub_group.h"

#include "engine/comm/failures.h"

#include <algorithm>
#include <utility>

namespace lockstep::engine {

SubGroup::SubGroup(std::unique_ptr<comm::Communicator> ranks, std::vector<int> members)
    : m_ranks(static_cast<comm::WatchedCommunicator*>(ranks.release())) // a watched group splits into these
    , m_members(std::move(members))
{ }

Result<std::unique_ptr<SubGroup>> SubGroup::split(RankGroup& all, std::vector<int> members)
{
    const auto own = std::find(members.begin(), members.end(), all.communicator->rank());
    LOCKSTEP_TRY_ASSIGN(auto ranks, all.communicator->split(members.front(), static_cast<int>(own - members.begin())));
    all.communicator->takeBytesSent();
    return std::unique_ptr<SubGroup>(new SubGroup(std::move(ranks), std::move(members)));
}

Error SubGroup::named(const Error& error) const
{
    return failureOf(comm::inNumbersOfRun(comm::renamed(error, m_members)));
}

void SubGroup::applyLinks(const RankGroup& all)
{
    for (int place = 0; place < size(); ++place) {
        m_ranks->setLink(place, all.communicator->link(m_members[static_cast<std::size_t>(place)]));
    }
}

} // namespace lockstep::engine
