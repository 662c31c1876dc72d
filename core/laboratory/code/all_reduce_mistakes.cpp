#include "laboratory/code/all_reduce_mistakes.h"

#include "base/translate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace lockstep::laboratory {

namespace {

/// How a ring is run: reduce-scatter in `first` steps, then all-gather in `second` steps.
/// Source: P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009.
struct RingForm {
    int first = 0; ///< steps fewer than world - 1
    int second = 0;
    bool isAddedFirst = true; ///< what comes is added; else it replaces
    bool isAddedSecond = false;
    int offset = 1; ///< the second circle begins with the piece of this number after the rank's own
    int direction = 1; ///< to the next rank; -1: to the one before
    int order = -1; ///< of the pieces in the second circle: the one that came last is passed on; 1: the other way
};

std::pair<std::size_t, std::size_t> pieceOf(std::size_t size, std::size_t ranks, std::size_t piece)
{
    const std::size_t longer = size % ranks;
    const std::size_t begin = piece * (size / ranks) + std::min(piece, longer);
    return {begin, begin + size / ranks + (piece < longer ? 1 : 0)};
}

void ringStep(RankValues& values, const RingForm& form, int from, bool isAdded)
{
    const int world = static_cast<int>(values.size());
    const auto wrapped = [&](int place) { return static_cast<std::size_t>(((place % world) + world) % world); };
    const RankValues sent = values;
    for (int rank = 0; rank < world; ++rank) {
        const auto [begin, end] = pieceOf(sent.front().size(), values.size(), wrapped(rank + form.direction * from));
        Values& into = values[wrapped(rank + form.direction)];
        for (std::size_t i = begin; i < end; ++i) {
            into[i] = (isAdded ? into[i] : 0.0) + sent[static_cast<std::size_t>(rank)][i];
        }
    }
}

RankValues ringOutcome(RankValues values, const RingForm& form)
{
    const int world = static_cast<int>(values.size());
    for (int step = 0; step < world - 1 - form.first; ++step) {
        ringStep(values, form, -step, form.isAddedFirst);
    }
    for (int step = 0; step < world - 1 - form.second; ++step) {
        ringStep(values, form, form.offset + form.order * step, form.isAddedSecond);
    }
    return values;
}

/// Each passes on its running total instead of what it received.
RankValues totalsPassedOn(RankValues values)
{
    for (std::size_t step = 1; step < values.size(); ++step) {
        const RankValues sent = values;
        for (std::size_t rank = 0; rank < values.size(); ++rank) {
            values[rank] = sumOf({sent[rank], sent[(rank + values.size() - 1) % values.size()]});
        }
    }
    return values;
}

RankValues withNeighbours(const RankValues& given, const std::vector<std::size_t>& distances)
{
    RankValues outcome;
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
        RankValues parts{given[rank]};
        for (const std::size_t distance : distances) {
            parts.push_back(given[(rank + distance) % given.size()]);
        }
        outcome.push_back(sumOf(parts));
    }
    return outcome;
}

RankValues combined(const RankValues& given, double ofSum, double ofOwn)
{
    const Values sum = sumOf(given);
    RankValues outcome = given;
    for (Values& own : outcome) {
        std::ranges::transform(
            sum, own, own.begin(), [&](double all, double one) { return ofSum * all + ofOwn * one; });
    }
    return outcome;
}

RankValues withoutTail(const RankValues& given)
{
    RankValues outcome = onAll(sumOf(given), given.size());
    const std::size_t covered = given.front().size() / given.size() * given.size();
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
        std::copy(given[rank].begin() + static_cast<std::ptrdiff_t>(covered), given[rank].end(),
            outcome[rank].begin() + static_cast<std::ptrdiff_t>(covered));
    }
    return outcome;
}

constexpr std::array AllReduceMistakes{
    AllReduceMistake{"mean", LS_TR("Messages", "the sum is divided by the number of ranks: a mean was not asked"),
        "1/n Σ x", [](const RankValues& given, int) { return combined(given, 1.0 / double(given.size()), 0.0); }},
    AllReduceMistake{"unchanged",
        LS_TR("Messages", "the tensor is not changed: write the sum into it, with copy_ or +="), "",
        [](const RankValues& given, int) { return given; }},
    AllReduceMistake{"tail_dropped",
        LS_TR("Messages", "the last elements are left out where the size is no multiple of the number of ranks"),
        "size // n * n", [](const RankValues& given, int) { return withoutTail(given); }},
    AllReduceMistake{"not_added",
        LS_TR("Messages",
            "each piece is one rank's own: it is not added to, or the second circle begins with the rank's own piece"),
        "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, false, false, 1, way});
        }},
    AllReduceMistake{"added_twice", LS_TR("Messages", "the second circle adds to pieces instead of replacing them"), "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, true, true, 1, way});
        }},
    AllReduceMistake{"first_short", LS_TR("Messages", "the first circle has a step too few: it needs n − 1"), "n − 2",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {1, 0, true, false, 1, way});
        }},
    AllReduceMistake{"second_short", LS_TR("Messages", "the second circle has a step too few: it needs n − 1"), "n − 2",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 1, true, false, 1, way});
        }},
    AllReduceMistake{"second_backwards",
        LS_TR("Messages", "the second circle takes the pieces in the wrong order: pass on the one that came last"), "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, true, false, 1, way, 1});
        }},
    AllReduceMistake{"second_start",
        LS_TR("Messages",
            "the second circle begins with a piece that is not complete: begin with the one that was added to last"),
        "(rank + 1) % n",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, 0, true, false, -1, way});
        }},
    AllReduceMistake{"one_circle", LS_TR("Messages", "the second circle is missing: each rank has one complete piece"),
        "",
        [](const RankValues& given, int way) {
            return ringOutcome(given, {0, int(given.size()) - 1, true, false, 1, way});
        }},
    AllReduceMistake{"totals_passed_on",
        LS_TR("Messages", "each rank passes on its running total: values are counted more than once"), "",
        [](const RankValues& given, int) { return totalsPassedOn(given); }},
    AllReduceMistake{"own_missing", LS_TR("Messages", "the rank's own values are missing from the sum"), "Σ x − x_r",
        [](const RankValues& given, int) { return combined(given, 1.0, -1.0); }},
    AllReduceMistake{"own_twice", LS_TR("Messages", "the rank's own values are counted twice"), "Σ x + x_r",
        [](const RankValues& given, int) { return combined(given, 1.0, 1.0); }},
    AllReduceMistake{"neighbour_only", LS_TR("Messages", "only one neighbour's values are added"), "x_r + x_{r±1}",
        [](const RankValues& given, int way) { return withNeighbours(given, {way > 0 ? given.size() - 1 : 1}); }},
};

} // namespace

std::span<const AllReduceMistake> allReduceMistakes()
{
    return AllReduceMistakes;
}

} // namespace lockstep::laboratory
