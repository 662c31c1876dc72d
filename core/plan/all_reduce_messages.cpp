#include "plan/all_reduce_messages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace lockstep::plan {

namespace {

std::vector<MessageStep>& of(MessageSteps& steps, int rank)
{
    return steps[static_cast<std::size_t>(rank)];
}

int rankCount(const MessageSteps& steps)
{
    return static_cast<int>(steps.size());
}

/// Every rank sends `share` of the array to the next rank and receives as much from the previous one.
void addRounds(MessageSteps& steps, int rounds, double share)
{
    const int p = rankCount(steps);
    for (int rank = 0; rank < p; ++rank) {
        for (int round = 0; round < rounds; ++round) {
            of(steps, rank).push_back({(rank + 1) % p, share, (rank + p - 1) % p, share});
        }
    }
}

void addRing(MessageSteps& steps)
{
    const int p = rankCount(steps);
    addRounds(steps, 2 * (p - 1), 1.0 / p);
}

void addAllGather(MessageSteps& steps)
{
    addRounds(steps, rankCount(steps) - 1, 1.0);
}

/// Up a binomial tree to rank 0.
void addReduce(MessageSteps& steps)
{
    const int p = rankCount(steps);
    for (int rank = 0; rank < p; ++rank) {
        int distance = 1;
        for (; distance < p && (rank & distance) == 0; distance *= 2) {
            if (rank + distance < p) {
                of(steps, rank).push_back({.from = rank + distance, .received = 1.0});
            }
        }
        if (rank != 0) {
            of(steps, rank).push_back({.to = rank - distance, .sent = 1.0});
        }
    }
}

/// Down a binomial tree from rank 0.
void addBroadcast(MessageSteps& steps)
{
    const int p = rankCount(steps);
    for (int rank = 0; rank < p; ++rank) {
        int distance = 1;
        while (distance < p && (rank & distance) == 0) {
            distance *= 2;
        }
        if (rank != 0) {
            of(steps, rank).push_back({.from = rank - distance, .received = 1.0});
        }
        for (distance /= 2; distance >= 1; distance /= 2) {
            if (rank + distance < p) {
                of(steps, rank).push_back({.to = rank + distance, .sent = 1.0});
            }
        }
    }
}

void addTree(MessageSteps& steps)
{
    addReduce(steps);
    addBroadcast(steps);
}

/// Every other rank to rank 0, which takes them in order.
void addGather(MessageSteps& steps)
{
    for (int rank = 1; rank < rankCount(steps); ++rank) {
        of(steps, rank).push_back({.to = 0, .sent = 1.0});
        of(steps, 0).push_back({.from = rank, .received = 1.0});
    }
}

void addGatherBroadcast(MessageSteps& steps)
{
    addGather(steps);
    addBroadcast(steps);
}

void addParameterServer(MessageSteps& steps)
{
    addGather(steps);
    for (int rank = 1; rank < rankCount(steps); ++rank) {
        of(steps, 0).push_back({.to = rank, .sent = 1.0});
        of(steps, rank).push_back({.from = 0, .received = 1.0});
    }
}

/// Ranks beyond the largest power of two give their array to a partner first and get the result from it last.
void addHalvingDoubling(MessageSteps& steps)
{
    const int p = rankCount(steps);
    const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
    for (int rank = power; rank < p; ++rank) {
        of(steps, rank).push_back({.to = rank - power, .sent = 1.0});
        of(steps, rank - power).push_back({.from = rank, .received = 1.0});
    }
    for (int rank = 0; rank < power; ++rank) {
        double share = 0.5;
        for (int distance = power / 2; distance >= 1; distance /= 2, share /= 2.0) {
            of(steps, rank).push_back({rank ^ distance, share, rank ^ distance, share});
        }
        for (int distance = 1; distance < power; distance *= 2) {
            share *= 2.0;
            of(steps, rank).push_back({rank ^ distance, share, rank ^ distance, share});
        }
    }
    for (int rank = power; rank < p; ++rank) {
        of(steps, rank - power).push_back({.to = rank, .sent = 1.0});
        of(steps, rank).push_back({.from = rank - power, .received = 1.0});
    }
}

struct AlgorithmRow {
    std::string_view name;
    void (*add)(MessageSteps& steps);
};

/// The messages of the backend's own all-reduce are not known. It counts as the ring, which sends the fewest bytes and
/// replaces it over an emulated link.
constexpr std::array AlgorithmRows{AlgorithmRow{"all_reduce", addRing}, AlgorithmRow{"reduce_broadcast", addTree},
    AlgorithmRow{"gather_broadcast", addGatherBroadcast}, AlgorithmRow{"all_gather", addAllGather},
    AlgorithmRow{"reduce_scatter_all_gather", addRing}, AlgorithmRow{"ring", addRing}, AlgorithmRow{"tree", addTree},
    AlgorithmRow{"halving_doubling", addHalvingDoubling}, AlgorithmRow{"parameter_server", addParameterServer}};

} // namespace

MessageSteps allReduceMessages(std::string_view algorithm, int ranks)
{
    const auto found = std::ranges::find(AlgorithmRows, algorithm, &AlgorithmRow::name);
    MessageSteps steps;
    if (found != AlgorithmRows.end()) {
        steps.resize(static_cast<std::size_t>(std::max(1, ranks)));
        found->add(steps);
    }
    return steps;
}

} // namespace lockstep::plan
