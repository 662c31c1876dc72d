// How far two words are apart, for "did you mean".
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <vector>

namespace lockstep {

/// Levenshtein's distance: insertions, deletions and substitutions of single characters.
template <std::ranges::forward_range Word>
[[nodiscard]] std::size_t editDistance(const Word& a, const Word& b)
{
    std::vector<std::size_t> row(static_cast<std::size_t>(std::ranges::distance(b)) + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (const auto& character : a) {
        std::size_t diagonal = row[0]++;
        std::size_t at = 0;
        for (const auto& other : b) {
            const std::size_t substituted = diagonal + (character == other ? 0 : 1);
            diagonal = row[++at];
            row[at] = std::min({diagonal + 1, row[at - 1] + 1, substituted});
        }
    }
    return row.back();
}

} // namespace lockstep
