// A linear layer that is divided by its outputs: what an exercise gives, and the output and gradients of the whole
// layer. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/rank_values.h"
#include "laboratory/code/trial.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::laboratory {

inline constexpr std::size_t ColumnRows = 4; ///< of x
inline constexpr std::size_t ColumnInputs = 5;
/// Rows in an x of another shape: (ColumnFewRows, 1, ColumnInputs).
inline constexpr std::size_t ColumnFewRows = 2;
/// A second call gets x times this; the gradient of its y is `scale` times that.
inline constexpr double LaterInput = 1.5;
inline constexpr double LaterScale = -1.5;

/// Row by row.
struct Matrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    Values values{};

    [[nodiscard]] double at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
    [[nodiscard]] Json json() const
    {
        Json all = Json::array();
        for (std::size_t row = 0; row < rows; ++row) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * columns);
            all.push_back(Values(begin, begin + static_cast<std::ptrdiff_t>(columns)));
        }
        return all;
    }
};

struct ColumnsCase {
    int world = 2;
    Matrix x;
    Matrix weight; ///< outputs × inputs
    Values bias;
    Matrix scale; ///< the gradient of y: the loss is Σ scale · y
    std::vector<std::size_t> leading; ///< dimensions of x and y before the last: ColumnRows in all

    [[nodiscard]] std::size_t outputs() const { return weight.rows; }
    [[nodiscard]] std::size_t shardRows() const { return outputs() / static_cast<std::size_t>(world); }
};

/// A batch of vectors for each world, then an x of three dimensions.
[[nodiscard]] std::vector<ColumnsCase> columnsCases(std::uint64_t seed, int ranks);

/// Values with the sums of their terms' sizes, for the rounding.
struct Sums {
    Values values;
    Values magnitude;

    void add(double term)
    {
        values.back() += term;
        magnitude.back() += std::abs(term);
    }
    void begin()
    {
        values.push_back(0.0);
        magnitude.push_back(0.0);
    }
};

/// x Wᵀ + times · b
[[nodiscard]] Sums outputOf(const ColumnsCase& each, double times = 1.0);
/// scale · W, of the outputs from `begin` to `end`
[[nodiscard]] Sums inputGradient(const ColumnsCase& each, std::size_t begin, std::size_t end);
/// scaleᵀ · x, of the outputs of the rank
[[nodiscard]] Sums weightGradient(const ColumnsCase& each, std::size_t rank);
[[nodiscard]] Sums biasGradient(const ColumnsCase& each, std::size_t rank);

[[nodiscard]] bool equals(const Values& got, const Sums& expected, double factor = 1.0);

} // namespace lockstep::laboratory
