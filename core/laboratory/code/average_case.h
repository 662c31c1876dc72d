// Gradients that are to be averaged, on several ranks, as an exercise gives them. Private to core/laboratory/code.
#pragma once

#include "laboratory/code/rank_values.h"
#include "laboratory/code/trial.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::laboratory {

inline constexpr int AverageRanks = 3;
inline constexpr std::array<const char*, 2> AverageFunctions{"average_by_all_reduce", "average_by_other"};
inline const std::vector<std::vector<std::size_t>> GradientShapes{{3, 4}, {5}, {2, 1}, {}};

[[nodiscard]] std::size_t elementsOf(const std::vector<std::size_t>& shape);
/// Where the values of a parameter begin.
[[nodiscard]] std::ptrdiff_t placeOf(std::size_t parameter);

enum class Gradients : std::uint8_t { Usual, Generator, Double, None, Zeros };
inline constexpr std::size_t ParameterOfNone = 1; ///< of Gradients::None

/// A type or a container that some code cannot deal with comes after what it can.
struct AverageCase {
    std::size_t function = 0; ///< of AverageFunctions
    int world = 2;
    RankValues given; ///< all gradients one after another
    /// A list of float32; a generator; float64; one parameter without a gradient; on each rank one gradient of zeros.
    Gradients kind = Gradients::Usual;

    [[nodiscard]] Values mean() const
    {
        return mapped(sumOf(given), [this](double sum) { return sum / world; });
    }
    [[nodiscard]] Values magnitude() const
    {
        const double ofType = kind == Gradients::Double ? DoubleError : 1.0;
        return mapped(magnitudeOf(given), [ofType](double value) { return ofType * value; });
    }
};

[[nodiscard]] std::vector<AverageCase> averageCases(const Json& check);
/// null: the parameter has no gradient.
[[nodiscard]] Json parametersOf(const AverageCase& given);

} // namespace lockstep::laboratory
