#include "plan/all_reduce_moves.h"

#include "plan/all_reduce_messages.h"
#include "plan/ring.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>

namespace lockstep::plan {

namespace {

void addRingChunks(AllReduceMoves& moves)
{
    const int p = moves.ranks();
    moves.chunks = p;
    for (int rank = 0; rank < p; ++rank) {
        auto& own = moves.byRank[static_cast<std::size_t>(rank)];
        for (std::size_t number = 0; number < own.size(); ++number) {
            const RingMove move = ringMove(rank, p, static_cast<int>(number));
            own[number].sends = {move.sends, move.sends + 1};
            own[number].receives = {move.receives, move.receives + 1};
            own[number].adds = move.phase == RingMove::Phase::ReduceScatter;
        }
    }
}

/// Whole arrays: up the tree, or to the server, they are added, on the way back they replace.
void addWholeArrays(AllReduceMoves& moves)
{
    moves.chunks = 1;
    for (int rank = 0; rank < moves.ranks(); ++rank) {
        for (AllReduceMove& move : moves.byRank[static_cast<std::size_t>(rank)]) {
            move.sends = {0, move.to < 0 ? 0 : 1};
            move.receives = {0, move.from < 0 ? 0 : 1};
            move.adds = move.from > rank;
        }
    }
}

/// Halving: a rank keeps the lower half of its chunks if its partner is above it. Doubling reverses that.
void addHalves(AllReduceMoves& moves)
{
    const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(moves.ranks())));
    const int halvings = std::bit_width(static_cast<unsigned>(power)) - 1;
    moves.chunks = power;
    for (int rank = 0; rank < moves.ranks(); ++rank) {
        ChunkRange mine{0, power};
        std::vector<ChunkRange> before;
        int exchange = 0;
        for (AllReduceMove& move : moves.byRank[static_cast<std::size_t>(rank)]) {
            if (move.to < 0 || move.from < 0) { // between a rank beyond the power of two and its partner
                move.sends = {0, move.to < 0 ? 0 : power};
                move.receives = {0, move.from < 0 ? 0 : power};
                move.adds = move.from >= power;
            } else if (exchange++ < halvings) {
                const int middle = mine.begin + (mine.end - mine.begin) / 2;
                const ChunkRange lower{mine.begin, middle};
                const ChunkRange upper{middle, mine.end};
                before.push_back(mine);
                mine = rank < move.to ? lower : upper;
                move.sends = rank < move.to ? upper : lower;
                move.receives = mine;
                move.adds = true;
            } else {
                const ChunkRange whole = before.back();
                before.pop_back();
                move.sends = mine;
                move.receives
                    = mine.begin == whole.begin ? ChunkRange{mine.end, whole.end} : ChunkRange{whole.begin, mine.begin};
                mine = whole;
            }
        }
    }
}

/// Makes the moves, with the number of ranks in each chunk as what is sent.
class Rehearsal {
public:
    explicit Rehearsal(AllReduceMoves& moves)
        : m_moves(moves)
        , m_sums(moves.byRank.size(), std::vector<int>(static_cast<std::size_t>(moves.chunks), 1))
        , m_next(moves.byRank.size())
        , m_hasSent(moves.byRank.size())
    { }

    void run()
    {
        bool hasMoved = true;
        while (hasMoved) {
            hasMoved = false;
            for (int rank = 0; rank < m_moves.ranks(); ++rank) {
                while (advance(rank)) {
                    hasMoved = true;
                }
            }
        }
    }

private:
    /// False while the rank waits for a message, and at its end.
    bool advance(int rank)
    {
        const auto at = static_cast<std::size_t>(rank);
        if (m_next[at] == m_moves.byRank[at].size()) {
            return false;
        }
        AllReduceMove& move = m_moves.byRank[at][m_next[at]];
        if (move.to >= 0 && !m_hasSent[at]) {
            m_sent[{rank, move.to}].push_back(m_sums[at][static_cast<std::size_t>(move.sends.begin)]);
            m_hasSent[at] = true;
        }
        if (move.from >= 0) {
            std::deque<int>& incoming = m_sent[{move.from, rank}];
            if (incoming.empty()) {
                return false;
            }
            int& first = m_sums[at][static_cast<std::size_t>(move.receives.begin)];
            move.contributions = incoming.front() + (move.adds ? first : 0);
            incoming.pop_front();
            std::fill(
                m_sums[at].begin() + move.receives.begin, m_sums[at].begin() + move.receives.end, move.contributions);
        }
        ++m_next[at];
        m_hasSent[at] = false;
        return true;
    }

    AllReduceMoves& m_moves;
    std::vector<std::vector<int>> m_sums; ///< by rank and chunk
    std::vector<std::size_t> m_next;
    std::vector<bool> m_hasSent; ///< of the next move
    std::map<std::pair<int, int>, std::deque<int>> m_sent; ///< from, to
};

struct ChunksRow {
    std::string_view algorithm;
    void (*add)(AllReduceMoves& moves);
};

constexpr std::array ChunksRows{ChunksRow{"ring", addRingChunks}, ChunksRow{"tree", addWholeArrays},
    ChunksRow{"halving_doubling", addHalves}, ChunksRow{"parameter_server", addWholeArrays}};

} // namespace

AllReduceMoves allReduceMoves(std::string_view algorithm, int ranks)
{
    const auto found = std::ranges::find(ChunksRows, algorithm, &ChunksRow::algorithm);
    AllReduceMoves moves;
    if (found == ChunksRows.end() || ranks < 2) {
        return moves;
    }
    for (const std::vector<MessageStep>& messages : allReduceMessages(algorithm, ranks)) {
        auto& own = moves.byRank.emplace_back();
        for (const MessageStep& message : messages) {
            own.push_back({.to = message.to, .from = message.from});
        }
    }
    found->add(moves);
    Rehearsal(moves).run();
    return moves;
}

} // namespace lockstep::plan
