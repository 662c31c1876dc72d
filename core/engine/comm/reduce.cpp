#include "engine/comm/reduce.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace lockstep::comm {

namespace {

/// Accumulators of one block stay in the first level of cache.
constexpr std::int64_t Block = 2048;

struct Half {
    _Float16 bits;
};
struct BrainHalf {
    std::uint16_t bits;
};

/// What a type is reduced in. Signed overflow is undefined, so integers are reduced as unsigned ones.
template <typename T>
struct Accumulate {
    using Type = T;
    static T load(T value) { return value; }
    static T store(T value) { return value; }
};

template <>
struct Accumulate<Half> {
    using Type = float;
    static float load(Half value) { return static_cast<float>(value.bits); }
    static Half store(float value) { return {static_cast<_Float16>(value)}; }
};

template <>
struct Accumulate<BrainHalf> {
    using Type = float;
    static float load(BrainHalf value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16); }
    static BrainHalf store(float value)
    {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if (value != value) {
            return {static_cast<std::uint16_t>((bits >> 16) | 0x40)};
        }
        return {static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
    }
};

template <Reduction R, typename T>
T combine(T a, T b)
{
    if constexpr (R == Reduction::Sum || R == Reduction::Product) {
        if constexpr (std::is_integral_v<T>) {
            using Unsigned = std::make_unsigned_t<T>;
            const auto ua = static_cast<Unsigned>(a);
            const auto ub = static_cast<Unsigned>(b);
            return static_cast<T>(R == Reduction::Sum ? ua + ub : ua * ub);
        } else {
            return R == Reduction::Sum ? a + b : a * b;
        }
    } else if constexpr (R == Reduction::Min || R == Reduction::Max) {
        // A NaN on either side stays one: a lost rank's garbage must not be hidden by the others.
        if constexpr (std::is_floating_point_v<T>) {
            if (a != a || b != b) {
                return a + b;
            }
        }
        return R == Reduction::Min ? std::min(a, b) : std::max(a, b);
    } else if constexpr (std::is_integral_v<T>) {
        return R == Reduction::BitAnd ? a & b : R == Reduction::BitOr ? a | b : a ^ b;
    } else {
        return a;
    }
}

template <Reduction R, typename T>
void reduceTyped(T* to, std::span<const void* const> inputs, std::int64_t count)
{
    using Sum = typename Accumulate<T>::Type;
    std::array<Sum, Block> sums;
    for (std::int64_t begin = 0; begin < count; begin += Block) {
        const std::int64_t size = std::min(Block, count - begin);
        const auto* first = static_cast<const T*>(inputs[0]) + begin;
        for (std::int64_t i = 0; i < size; ++i) {
            sums[static_cast<std::size_t>(i)] = Accumulate<T>::load(first[i]);
        }
        for (const void* input : inputs.subspan(1)) {
            const auto* next = static_cast<const T*>(input) + begin;
            for (std::int64_t i = 0; i < size; ++i) {
                Sum& sum = sums[static_cast<std::size_t>(i)];
                sum = combine<R>(sum, Accumulate<T>::load(next[i]));
            }
        }
        for (std::int64_t i = 0; i < size; ++i) {
            to[begin + i] = Accumulate<T>::store(sums[static_cast<std::size_t>(i)]);
        }
    }
}

// By far the most frequent case, sums of float32, which memory bandwidth decides: wide vectors where the processor has
// them, and several inputs in one pass. The order of the additions is that of reduceTyped.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define LOCKSTEP_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LOCKSTEP_WIDE
#endif

LOCKSTEP_WIDE void addTwo(float* to, const float* a, const float* b, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = a[i] + b[i];
    }
}

LOCKSTEP_WIDE void addFour(
    float* to, const float* a, const float* b, const float* c, const float* d, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = a[i] + b[i] + c[i] + d[i];
    }
}

/// Eight at once keep eight cache lines in flight.
LOCKSTEP_WIDE void addEight(float* to, const std::array<const float*, 8>& from, std::int64_t count)
{
    const auto [a, b, c, d, e, f, g, h] = from;
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i];
    }
}

void sumFloats(float* to, std::span<const void* const> inputs, std::int64_t count)
{
    for (std::int64_t begin = 0; begin < count; begin += Block) {
        const std::int64_t size = std::min(Block, count - begin);
        const auto at = [&](std::size_t i) { return static_cast<const float*>(inputs[i]) + begin; };
        // `to` may be one of the inputs, so it is written only once all of this block has been read.
        std::array<float, Block> sums;
        std::size_t next = 1;
        if (inputs.size() >= 8) {
            addEight(sums.data(), {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)}, size);
            next = 8;
        } else if (inputs.size() >= 4) {
            addFour(sums.data(), at(0), at(1), at(2), at(3), size);
            next = 4;
        } else {
            std::copy_n(at(0), size, sums.begin());
        }
        for (; next + 3 <= inputs.size(); next += 3) {
            addFour(sums.data(), sums.data(), at(next), at(next + 1), at(next + 2), size);
        }
        for (; next < inputs.size(); ++next) {
            addTwo(sums.data(), sums.data(), at(next), size);
        }
        std::copy_n(sums.begin(), size, to + begin);
    }
}

template <Reduction R>
void reduceAs(DataType type, void* to, std::span<const void* const> inputs, std::int64_t count)
{
    switch (type) {
    case DataType::Float32:
        if (R == Reduction::Sum && inputs.size() == 2) {
            return addTwo(static_cast<float*>(to), static_cast<const float*>(inputs[0]),
                static_cast<const float*>(inputs[1]), count);
        }
        if (R == Reduction::Sum) {
            return sumFloats(static_cast<float*>(to), inputs, count);
        }
        return reduceTyped<R>(static_cast<float*>(to), inputs, count);
    case DataType::Float64:
        return reduceTyped<R>(static_cast<double*>(to), inputs, count);
    case DataType::Float16:
        return reduceTyped<R>(static_cast<Half*>(to), inputs, count);
    case DataType::BFloat16:
        return reduceTyped<R>(static_cast<BrainHalf*>(to), inputs, count);
    case DataType::Int32:
        return reduceTyped<R>(static_cast<std::int32_t*>(to), inputs, count);
    case DataType::Int64:
        return reduceTyped<R>(static_cast<std::int64_t*>(to), inputs, count);
    case DataType::UInt8:
        return reduceTyped<R>(static_cast<std::uint8_t*>(to), inputs, count);
    }
}

} // namespace

void reduceArrays(Reduction reduction, DataType type, void* to, std::span<const void* const> inputs, std::int64_t count)
{
    switch (reduction) {
    case Reduction::Sum:
        return reduceAs<Reduction::Sum>(type, to, inputs, count);
    case Reduction::Product:
        return reduceAs<Reduction::Product>(type, to, inputs, count);
    case Reduction::Min:
        return reduceAs<Reduction::Min>(type, to, inputs, count);
    case Reduction::Max:
        return reduceAs<Reduction::Max>(type, to, inputs, count);
    case Reduction::BitAnd:
        return reduceAs<Reduction::BitAnd>(type, to, inputs, count);
    case Reduction::BitOr:
        return reduceAs<Reduction::BitOr>(type, to, inputs, count);
    case Reduction::BitXor:
        return reduceAs<Reduction::BitXor>(type, to, inputs, count);
    }
}

} // namespace lockstep::comm
