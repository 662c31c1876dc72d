// Recursive halving and doubling (Rabenseifner, "Optimization of collective reduction operations", 2004): a
// reduce-scatter in which each round halves the remaining data and the distance to the partner, then an all-gather that
// reverses the rounds. As few bytes as the ring in log2 p rounds instead of p - 1. If p is not a power of two, the
// ranks beyond the largest one first give their array to a partner and get the result from it at the end.
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/algorithms/pieces.h"

#include <bit>
#include <vector>

namespace lockstep::comm {

namespace {

struct Range {
    std::int64_t begin;
    std::int64_t end;
    [[nodiscard]] std::int64_t middle() const { return begin + (end - begin) / 2; }
};

/// Among the first `ranks` ranks of the group, a power of two.
Result<void> amongPowerOfTwo(Communicator& group, const View& data, Reduction reduction, Scratch& scratch, int ranks)
{
    const int rank = group.rank();
    Range mine{0, data.count};
    std::vector<Range> before; // by round, which the all-gather reads in reverse
    for (int distance = ranks / 2; distance >= 1; distance /= 2) {
        const int partner = rank ^ distance;
        const Range lower{mine.begin, mine.middle()};
        const Range upper{mine.middle(), mine.end};
        const Range kept = rank < partner ? lower : upper;
        const Range given = rank < partner ? upper : lower;
        const View keeps = part(data, kept.begin, kept.end);
        LOCKSTEP_TRY_ASSIGN(const auto incoming, scratch.room(group, keeps));
        LOCKSTEP_TRY(group.sendReceive(part(data, given.begin, given.end), partner, incoming, partner));
        reduceInto(group, keeps, reduction, incoming.data);
        before.push_back(mine);
        mine = kept;
    }
    for (int distance = 1; distance < ranks; distance *= 2) {
        const int partner = rank ^ distance;
        const Range whole = before.back();
        const Range theirs = mine.begin == whole.begin ? Range{mine.end, whole.end} : Range{whole.begin, mine.begin};
        if (auto moved = group.sendReceive(
                part(data, mine.begin, mine.end), partner, part(data, theirs.begin, theirs.end), partner);
            !moved) {
            return moved;
        }
        mine = whole;
        before.pop_back();
    }
    return {};
}

} // namespace

Result<void> halvingDoubling(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(group.size())));
    const int rank = group.rank();
    if (rank >= power) {
        LOCKSTEP_TRY(group.send(data, rank - power));
        return group.receive(data, rank - power);
    }
    const int guest = rank + power;
    if (guest < group.size()) {
        LOCKSTEP_TRY_ASSIGN(const auto incoming, scratch.room(group, data));
        LOCKSTEP_TRY(group.receive(incoming, guest));
        reduceInto(group, data, reduction, incoming.data);
    }
    LOCKSTEP_TRY(amongPowerOfTwo(group, data, reduction, scratch, power));
    return guest < group.size() ? group.send(data, guest) : Result<void>();
}

} // namespace lockstep::comm
