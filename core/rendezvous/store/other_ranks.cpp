#include "rendezvous/store/other_ranks.h"

#include <algorithm>
#include <string>

namespace lockstep::rendezvous {

OtherRanks::OtherRanks(std::int32_t self, std::int32_t size)
    : m_self(self)
    , m_calls(static_cast<std::size_t>(size))
{ }

void OtherRanks::lose(std::int32_t rank, bool hasLeft, const Text& reason)
{
    m_lost.emplace(rank, Loss{hasLeft, reason});
}

Text OtherRanks::deadPeers(std::int32_t partner) const
{
    Text hasLeft;
    for (const auto& [rank, loss] : m_lost) {
        if (!loss.hasLeft) {
            return loss.reason;
        }
        hasLeft = hasLeft.empty() || rank == partner ? loss.reason : hasLeft;
    }
    return hasLeft;
}

bool OtherRanks::hasLost() const
{
    return std::ranges::any_of(m_lost, [](const auto& each) { return !each.second.hasLeft; });
}

bool OtherRanks::hasCome(std::size_t rank, std::uint64_t ownCalls) const
{
    return static_cast<std::int32_t>(rank) == m_self || m_calls[rank] >= ownCalls;
}

Text OtherRanks::whoIsMissing(std::uint64_t ownCalls) const
{
    std::string came;
    std::string missing;
    for (std::size_t rank = 0; rank < m_calls.size(); ++rank) {
        std::string& list = hasCome(rank, ownCalls) ? came : missing;
        list += (list.empty() ? "" : ", ") + std::to_string(rank);
    }
    return missing.empty() ? Text()
                           : Text(LS_TR("Messages", "here: %1; missing: %2"), {verbatim(came), verbatim(missing)});
}

bool OtherRanks::hasLeftForMissing(std::uint64_t ownCalls) const
{
    bool hasLeft = false;
    bool isMissing = false;
    for (std::size_t rank = 0; rank < m_calls.size(); ++rank) {
        const auto loss = m_lost.find(static_cast<std::int32_t>(rank));
        const bool came = hasCome(rank, ownCalls);
        hasLeft = hasLeft || (loss != m_lost.end() && loss->second.hasLeft && came);
        isMissing = isMissing || (loss == m_lost.end() && !came);
    }
    return hasLeft && isMissing;
}

} // namespace lockstep::rendezvous
