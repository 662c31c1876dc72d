#include "plan/partition/index_lists.h"

#include "plan/slices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep::plan {

std::vector<std::int64_t> indicesInOrder(std::int64_t count)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    return order;
}

std::vector<std::int64_t> shuffledIndices(std::int64_t count, Seed seed)
{
    std::vector<std::int64_t> order = indicesInOrder(count);
    Random(seed).shuffle(std::span(order));
    return order;
}

std::vector<std::vector<std::int64_t>> cut(const std::vector<std::int64_t>& order, int parts)
{
    std::vector<std::vector<std::int64_t>> pieces;
    for (int i = 0; i < parts; ++i) {
        const Slice slice = sliceOf(static_cast<std::int64_t>(order.size()), i, parts);
        pieces.emplace_back(order.begin() + slice.first, order.begin() + slice.first + slice.count);
    }
    return pieces;
}

std::vector<std::int64_t> apportion(std::int64_t total, std::span<const double> weights)
{
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<std::int64_t> counts;
    std::vector<double> remainders;
    for (const double weight : weights) {
        const double exact = static_cast<double>(total) * (weight / sum);
        counts.push_back(static_cast<std::int64_t>(exact));
        remainders.push_back(exact - std::floor(exact));
    }
    std::vector<std::size_t> byRemainder(weights.size());
    std::iota(byRemainder.begin(), byRemainder.end(), std::size_t{0});
    std::stable_sort(byRemainder.begin(), byRemainder.end(),
        [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    std::int64_t left = total - std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    for (std::size_t i = 0; left > 0; i = (i + 1) % byRemainder.size()) {
        // Rounding may leave one sample too many for the remainders; shares of weight 0 get none of those either.
        if (weights[byRemainder[i]] > 0.0) {
            ++counts[byRemainder[i]];
            --left;
        }
    }
    return counts;
}

} // namespace lockstep::plan
