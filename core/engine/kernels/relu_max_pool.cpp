// Vectors as GCC and Clang have them: the compiler chooses the instructions of the function's target.
#include "engine/kernels/relu_max_pool.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lockstep::engine {

namespace {

/// No gradient passes: the maximum is not above zero. Other places are 0 to 3, row by row.
constexpr std::uint8_t NoPlace = 4;

template <int N>
struct Lanes {
    using Floats [[gnu::vector_size(4 * N)]] = float;
    using Numbers [[gnu::vector_size(4 * N)]] = std::int32_t;
    using Bytes [[gnu::vector_size(N)]] = std::uint8_t;
    static constexpr auto Each = std::make_integer_sequence<int, N>();
};

/// `even` and `odd` are those of 2 N numbers.
template <typename Floats, int... I>
LOCKSTEP_INLINED inline void loadPairs(const float* from, Floats& even, Floats& odd, std::integer_sequence<int, I...>)
{
    Floats low;
    Floats high;
    std::memcpy(&low, from, sizeof low);
    std::memcpy(&high, from + sizeof...(I), sizeof high);
    even = __builtin_shufflevector(low, high, 2 * I...);
    odd = __builtin_shufflevector(low, high, (2 * I + 1)...);
}

template <typename Floats, int... I>
LOCKSTEP_INLINED inline void storePairs(
    const Floats& even, const Floats& odd, float* to, std::integer_sequence<int, I...>)
{
    constexpr int N = sizeof...(I);
    const Floats low = __builtin_shufflevector(even, odd, (I / 2 + I % 2 * N)...);
    const Floats high = __builtin_shufflevector(even, odd, (I / 2 + N / 2 + I % 2 * N)...);
    std::memcpy(to, &low, sizeof low);
    std::memcpy(to + N, &high, sizeof high);
}

/// N outputs of two rows.
template <int N>
LOCKSTEP_INLINED inline void poolLanes(const float* upper, const float* lower, float* output, std::uint8_t* places)
{
    using Of = Lanes<N>;
    const typename Of::Floats zero{};
    typename Of::Floats window[4];
    loadPairs(upper, window[0], window[1], Of::Each);
    loadPairs(lower, window[2], window[3], Of::Each);
    for (auto& values : window) {
        values = values < zero ? zero : values; // -0 and NaN stay
    }
    auto largest = window[0];
    typename Of::Numbers place{};
    for (int i = 1; i < 4; ++i) {
        const auto& values = window[i];
        const auto isLarger = (values > largest) | (values != values);
        largest = isLarger ? values : largest;
        place = isLarger ? typename Of::Numbers{} + i : place;
    }
    place = largest <= zero ? typename Of::Numbers{} + NoPlace : place;
    const auto bytes = __builtin_convertvector(place, typename Of::Bytes);
    std::memcpy(output, &largest, sizeof largest);
    std::memcpy(places, &bytes, sizeof bytes);
}

template <int N>
LOCKSTEP_INLINED inline void spreadLanes(const float* gradient, const std::uint8_t* places, float* upper, float* lower)
{
    using Of = Lanes<N>;
    const typename Of::Floats zero{};
    typename Of::Bytes bytes;
    typename Of::Floats values;
    std::memcpy(&bytes, places, sizeof bytes);
    std::memcpy(&values, gradient, sizeof values);
    values += zero; // ATen adds to zeros, which makes 0 of -0
    const auto place = __builtin_convertvector(bytes, typename Of::Numbers);
    typename Of::Floats window[4];
    for (int i = 0; i < 4; ++i) {
        window[i] = place == i ? values : zero;
    }
    storePairs(window[0], window[1], upper, Of::Each);
    storePairs(window[2], window[3], lower, Of::Each);
}

/// step(std::integral_constant<int, N>, first) for N numbers at a time, at most `Most`; the last ones overlap those
/// before rather than being fewer.
template <int Most, typename Step>
LOCKSTEP_INLINED inline void inLanes(std::int64_t count, const Step& step)
{
    if (count >= Most) {
        for (std::int64_t i = 0; i < count; i += Most) {
            step(std::integral_constant<int, Most>(), std::min(i, count - Most));
        }
    } else if constexpr (Most > 2) {
        inLanes<Most / 2>(count, step);
    }
}

template <int Most>
LOCKSTEP_INLINED inline void pool(const float* input, const PlaneShape& shape, float* output, std::uint8_t* places)
{
    const std::int64_t columns = shape.columns / 2;
    for (std::int64_t plane = 0; plane < shape.planes; ++plane) {
        for (std::int64_t row = 0; row + 1 < shape.rows; row += 2) {
            const float* const upper = input + (plane * shape.rows + row) * shape.columns;
            const float* const lower = upper + shape.columns;
            inLanes<Most>(columns, [&](auto lanes, std::int64_t i) LOCKSTEP_INLINED {
                poolLanes<lanes>(upper + 2 * i, lower + 2 * i, output + i, places + i);
            });
            output += columns;
            places += columns;
        }
    }
}

template <int Most>
LOCKSTEP_INLINED inline void spread(
    const float* gradient, const std::uint8_t* places, const PlaneShape& shape, float* inputGradient)
{
    const std::int64_t columns = shape.columns / 2;
    for (std::int64_t plane = 0; plane < shape.planes; ++plane) {
        float* const first = inputGradient + plane * shape.rows * shape.columns;
        for (std::int64_t row = 0; row + 1 < shape.rows; row += 2) {
            float* const upper = first + row * shape.columns;
            float* const lower = upper + shape.columns;
            inLanes<Most>(columns, [&](auto lanes, std::int64_t i) LOCKSTEP_INLINED {
                spreadLanes<lanes>(gradient + i, places + i, upper + 2 * i, lower + 2 * i);
            });
            if (shape.columns % 2 == 1) {
                upper[shape.columns - 1] = 0.0F;
                lower[shape.columns - 1] = 0.0F;
            }
            gradient += columns;
            places += columns;
        }
        if (shape.rows % 2 == 1) {
            std::fill_n(first + (shape.rows - 1) * shape.columns, shape.columns, 0.0F);
        }
    }
}

} // namespace

// Eight lanes, because the rows of usual images have few columns: with AVX-512 as fast as sixteen, or faster.

void reluMaxPool(const float* input, const PlaneShape& shape, float* output, std::uint8_t* places, InstructionSet set)
{
    if (set == InstructionSet::Plain) {
        pool<4>(input, shape, output, places);
    } else {
        withVectors(set, [&]() LOCKSTEP_INLINED { pool<8>(input, shape, output, places); });
    }
}

void reluMaxPoolGradient(const float* gradient, const std::uint8_t* places, const PlaneShape& shape,
    float* inputGradient, InstructionSet set)
{
    if (set == InstructionSet::Plain) {
        spread<4>(gradient, places, shape, inputGradient);
    } else {
        withVectors(set, [&]() LOCKSTEP_INLINED { spread<8>(gradient, places, shape, inputGradient); });
    }
}

} // namespace lockstep::engine
