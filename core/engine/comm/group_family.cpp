#include "engine/comm/group_family.h"

#include "engine/comm/failures.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace lockstep::comm {

void GroupFamily::add(Communicator& host, std::vector<int> ranks)
{
    const std::lock_guard lock(m_mutex);
    m_members.push_back({&host, std::move(ranks)});
}

void GroupFamily::remove(const Communicator& host)
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_members, [&host](const Member& member) { return member.host == &host; });
}

Text GroupFamily::deadPeers(const Communicator& host)
{
    const std::lock_guard lock(m_mutex);
    for (const Member& member : m_members) {
        if (member.host == &host) {
            continue;
        }
        if (const auto looked = member.host->checkPeers(); !looked) {
            return withoutOperation(renamedGlobally(looked.error(), member.ranks)); // it is of that group's collective
        }
    }
    return {};
}

FamilyPlace firstOfFamily(int size)
{
    FamilyPlace place{std::make_shared<GroupFamily>(), std::vector<int>(static_cast<std::size_t>(size))};
    std::iota(place.ranks.begin(), place.ranks.end(), 0);
    return place;
}

Result<FamilyPlace> partOfFamily(Communicator& part, int rankOfWhole, const FamilyPlace& whole)
{
    const std::int64_t mine = whole.ranks[static_cast<std::size_t>(rankOfWhole)];
    std::vector<std::int64_t> all(static_cast<std::size_t>(part.size()));
    LOCKSTEP_TRY(part.allGather({&mine, 1, DataType::Int64}, {all.data(), part.size(), DataType::Int64}));
    return FamilyPlace{whole.family, std::vector<int>(all.begin(), all.end())};
}

} // namespace lockstep::comm
