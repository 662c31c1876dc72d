// The kernels of collectives on a GPU. One source for nvcc, which makes a fat binary of it when the program is built,
// and for NVRTC, which compiles it when the program starts: so it includes nothing.
//
// Reductions give the bits that comm/reduce.cpp gives on the host: inputs in the order of ranks; float16 and bfloat16
// in float32, rounded once to nearest even; integers modulo 2^n; a NaN on either side stays one, with the payload that
// x86 leaves. Compiled without fused multiply-add.

// LOCKSTEP_TYPE, the number of a comm::DataType, leaves out all others: NVRTC compiles only the types in use.
#ifndef LOCKSTEP_TYPE
#define LOCKSTEP_TYPE -1
#endif

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

/// comm::MaxRanks.
constexpr int MaxRanks = 64;

struct Inputs {
    const void* at[MaxRanks];
};
struct Outputs {
    void* at[MaxRanks];
};

struct alignas(16) Vector {
    u32 word[4];
};

struct Half {
    u16 bits;
};
struct Brain {
    u16 bits;
};

enum Reduction { Sum, Product, Min, Max, BitAnd, BitOr, BitXor };

#ifndef LOCKSTEP_KERNELS_ON_HOST // a test without a GPU defines these for the host
__device__ inline float toFloat(u16 half)
{
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(half));
    return number;
}
__device__ inline u16 toHalf(float number)
{
    u16 half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(number));
    return half;
}
__device__ inline u64 nanoseconds()
{
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
#endif

__device__ inline u32 bitsOf(float value)
{
    return __float_as_uint(value);
}
__device__ inline float quiet(float nan)
{
    return __uint_as_float(__float_as_uint(nan) | 0x400000u);
}
__device__ inline double quiet(double nan)
{
    return __longlong_as_double(
        static_cast<long long>(static_cast<u64>(__double_as_longlong(nan)) | 0x8000000000000ull));
}
/// What x86 makes of an operation on numbers that has no result.
__device__ inline float invalid(float)
{
    return __uint_as_float(0xffc00000u);
}
__device__ inline double invalid(double)
{
    return __longlong_as_double(static_cast<long long>(0xfff8000000000000ull));
}

/// The result of an operation on a and b, with the NaN that x86 gives where it is one.
template <typename T>
__device__ inline T asOnHost(T result, T a, T b)
{
    if (result == result) {
        return result;
    }
    return a != a ? quiet(a) : b != b ? quiet(b) : invalid(a);
}

/// What a type is reduced in.
template <typename T>
struct Accumulate {
    using Type = T;
    __device__ static T load(T value) { return value; }
    __device__ static T store(T value) { return value; }
};

template <>
struct Accumulate<Half> {
    using Type = float;
    __device__ static float load(Half value)
    {
        if ((value.bits & 0x7fffu) > 0x7c00u) { // the conversion below would forget the payload
            return __uint_as_float((value.bits & 0x8000u) << 16 | 0x7fc00000u | (value.bits & 0x3ffu) << 13);
        }
        return toFloat(value.bits);
    }
    __device__ static Half store(float value)
    {
        const u32 bits = bitsOf(value);
        if (value != value) {
            return {static_cast<u16>((bits >> 16 & 0x8000u) | 0x7e00u | (bits >> 13 & 0x3ffu))};
        }
        return {toHalf(value)};
    }
};

template <>
struct Accumulate<Brain> {
    using Type = float;
    __device__ static float load(Brain value) { return __uint_as_float(static_cast<u32>(value.bits) << 16); }
    __device__ static Brain store(float value)
    {
        const u32 bits = bitsOf(value);
        if (value != value) {
            return {static_cast<u16>(bits >> 16 | 0x40u)};
        }
        return {static_cast<u16>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
    }
};

template <typename T>
struct IsFloat {
    static constexpr bool value = false;
};
template <>
struct IsFloat<float> {
    static constexpr bool value = true;
};
template <>
struct IsFloat<double> {
    static constexpr bool value = true;
};

template <int R, typename T>
__device__ inline T combine(T a, T b)
{
    if constexpr (IsFloat<T>::value) {
        if constexpr (R == Sum) {
            return asOnHost(a + b, a, b);
        } else if constexpr (R == Product) {
            return asOnHost(a * b, a, b);
        } else {
            if (a != a || b != b) {
                return a != a ? quiet(a) : quiet(b);
            }
            // As std::min and std::max: the first of two equal values, which matters for 0 and -0.
            return R == Min ? (b < a ? b : a) : (a < b ? b : a);
        }
    } else if constexpr (R == Sum) {
        return static_cast<T>(a + b);
    } else if constexpr (R == Product) {
        return static_cast<T>(a * b);
    } else if constexpr (R == Min) {
        return b < a ? b : a;
    } else if constexpr (R == Max) {
        return a < b ? b : a;
    } else {
        return static_cast<T>(R == BitAnd ? a & b : R == BitOr ? a | b : a ^ b);
    }
}

/// A thread's elements of one input stay in registers while it loads those of the next. The result is stored `copies`
/// times.
template <int R, typename T>
__device__ inline void reduceArrays(
    const Outputs& to, int copies, const Inputs& inputs, int count, u64 elements, u32 isAligned)
{
    using Number = typename Accumulate<T>::Type;
    constexpr int PerVector = sizeof(Vector) / sizeof(T);
    const u64 first = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
    const u64 stride = static_cast<u64>(gridDim.x) * blockDim.x;
    const u64 vectors = isAligned != 0 ? elements / PerVector : 0;
    for (u64 i = first; i < vectors; i += stride) {
        Number sums[PerVector];
        union Packed {
            Vector vector;
            T each[PerVector];
        };
        Packed next;
        next.vector = static_cast<const Vector*>(inputs.at[0])[i];
#pragma unroll
        for (int k = 0; k < PerVector; ++k) {
            sums[k] = Accumulate<T>::load(next.each[k]);
        }
        for (int input = 1; input < count; ++input) {
            next.vector = static_cast<const Vector*>(inputs.at[input])[i];
#pragma unroll
            for (int k = 0; k < PerVector; ++k) {
                sums[k] = combine<R>(sums[k], Accumulate<T>::load(next.each[k]));
            }
        }
#pragma unroll
        for (int k = 0; k < PerVector; ++k) {
            next.each[k] = Accumulate<T>::store(sums[k]);
        }
        for (int copy = 0; copy < copies; ++copy) {
            static_cast<Vector*>(to.at[copy])[i] = next.vector;
        }
    }
    for (u64 i = vectors * PerVector + first; i < elements; i += stride) {
        Number sum = Accumulate<T>::load(static_cast<const T*>(inputs.at[0])[i]);
        for (int input = 1; input < count; ++input) {
            sum = combine<R>(sum, Accumulate<T>::load(static_cast<const T*>(inputs.at[input])[i]));
        }
        const T rounded = Accumulate<T>::store(sum);
        for (int copy = 0; copy < copies; ++copy) {
            static_cast<T*>(to.at[copy])[i] = rounded;
        }
    }
}

// Names as comm::nameOf has them: cuda_device.cpp puts them together.
#define LOCKSTEP_REDUCE(reduction, name, type, typeName)                                                               \
    extern "C" __global__ void __launch_bounds__(256)                                                                  \
        lockstep_##name##_##typeName(Outputs to, int copies, Inputs inputs, int count, u64 elements, u32 isAligned)    \
    {                                                                                                                  \
        reduceArrays<reduction, type>(to, copies, inputs, count, elements, isAligned);                                 \
    }
#define LOCKSTEP_REDUCE_NUMBERS(type, typeName)                                                                        \
    LOCKSTEP_REDUCE(Sum, sum, type, typeName)                                                                          \
    LOCKSTEP_REDUCE(Product, product, type, typeName)                                                                  \
    LOCKSTEP_REDUCE(Min, min, type, typeName)                                                                          \
    LOCKSTEP_REDUCE(Max, max, type, typeName)
#define LOCKSTEP_REDUCE_INTEGERS(type, unsignedType, typeName)                                                         \
    LOCKSTEP_REDUCE(Sum, sum, unsignedType, typeName)                                                                  \
    LOCKSTEP_REDUCE(Product, product, unsignedType, typeName)                                                          \
    LOCKSTEP_REDUCE(Min, min, type, typeName)                                                                          \
    LOCKSTEP_REDUCE(Max, max, type, typeName)                                                                          \
    LOCKSTEP_REDUCE(BitAnd, band, unsignedType, typeName)                                                              \
    LOCKSTEP_REDUCE(BitOr, bor, unsignedType, typeName)                                                                \
    LOCKSTEP_REDUCE(BitXor, bxor, unsignedType, typeName)

#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 0
LOCKSTEP_REDUCE_NUMBERS(float, float32)
#endif
#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 1
LOCKSTEP_REDUCE_NUMBERS(double, float64)
#endif
#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 2
LOCKSTEP_REDUCE_NUMBERS(Half, float16)
#endif
#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 3
LOCKSTEP_REDUCE_NUMBERS(Brain, bfloat16)
#endif
// Sums and products do not depend on the sign, and of unsigned numbers they cannot overflow.
#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 4
LOCKSTEP_REDUCE_INTEGERS(int, u32, int32)
#endif
#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 5
LOCKSTEP_REDUCE_INTEGERS(long long, u64, int64)
#endif
#if LOCKSTEP_TYPE < 0 || LOCKSTEP_TYPE == 6
LOCKSTEP_REDUCE_INTEGERS(u8, u8, uint8)
#endif

/// A thread that sees the flag also sees all earlier work of the stream.
extern "C" __global__ void lockstep_set_flag(u32* flag, u32 value)
{
    __threadfence_system();
    *const_cast<volatile u32*>(flag) = value;
}

/// One thread a flag. Ends when all have reached `value`, when `stop` is set, or after `limit` nanoseconds, and then
/// says which flag was missing.
extern "C" __global__ void lockstep_wait_for_flags(
    Inputs flags, int count, u32 value, u64 limit, const volatile u32* stop, volatile u32* missing)
{
    const int mine = static_cast<int>(threadIdx.x);
    if (mine < count) {
        const volatile u32* flag = static_cast<const volatile u32*>(flags.at[mine]);
        const u64 start = nanoseconds();
        for (u32 looks = 1; static_cast<int>(*flag - value) < 0; ++looks) {
            if (looks % 64 == 0) { // `stop` is in the host's memory, far away
                if (*stop != 0) {
                    break;
                }
                if (nanoseconds() - start > limit) {
                    *missing = static_cast<u32>(mine) + 1;
                    break;
                }
            }
        }
    }
    __syncthreads();
    __threadfence_system();
}
