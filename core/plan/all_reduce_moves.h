// What the messages of an all-reduce carry and what they make of the receiver's array: the window plays recorded
// messages by them. Of the algorithms that send messages over every backend: ring, tree, halving_doubling and
// parameter_server.
#pragma once

#include <string_view>
#include <vector>

namespace lockstep::plan {

/// Chunks [begin, end) of the array.
struct ChunkRange {
    int begin = 0;
    int end = 0;

    bool operator==(const ChunkRange&) const = default;
};

/// What a rank does before its next move: as in MessageStep it sends, receives, or both at once.
struct AllReduceMove {
    int to = -1; ///< -1: nothing is sent
    ChunkRange sends{};
    int from = -1; ///< -1: nothing is received
    ChunkRange receives{};
    bool adds = false; ///< what is received to the rank's own; else it replaces that
    int contributions = 0; ///< ranks whose values are summed in the received chunks afterwards; 0 if none are received

    bool operator==(const AllReduceMove&) const = default;
};

struct AllReduceMoves {
    int chunks = 0; ///< equally long parts of the array
    std::vector<std::vector<AllReduceMove>> byRank; ///< in order

    [[nodiscard]] int ranks() const { return static_cast<int>(byRank.size()); }
};

/// For `ranks` ranks; empty for one rank and for algorithms that are not among those above.
[[nodiscard]] AllReduceMoves allReduceMoves(std::string_view algorithm, int ranks);

} // namespace lockstep::plan
