#include "engine/comm/members.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lockstep::comm {

Result<Members> membersOf(Communicator& whole, int color, int key)
{
    using Wish = std::array<std::int64_t, 2>; // color, key
    const Wish mine{color, key};
    std::vector<Wish> wishes(static_cast<std::size_t>(whole.size()));
    LOCKSTEP_TRY(whole.allGather(
        {mine.data(), 2, DataType::Int64}, {wishes.data(), std::int64_t{2} * whole.size(), DataType::Int64}));
    const auto wishOf = [&](int rank) { return wishes[static_cast<std::size_t>(rank)]; };
    Members members;
    for (int r = 0; r < whole.size(); ++r) {
        if (color >= 0 && wishOf(r)[0] == color) {
            members.ranks.push_back(r);
        }
    }
    std::stable_sort(
        members.ranks.begin(), members.ranks.end(), [&](int a, int b) { return wishOf(a)[1] < wishOf(b)[1]; });
    members.place
        = static_cast<int>(std::find(members.ranks.begin(), members.ranks.end(), whole.rank()) - members.ranks.begin());
    return members;
}

} // namespace lockstep::comm
