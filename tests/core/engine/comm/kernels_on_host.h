// The kernels of collectives, compiled for the host and run thread by thread. What a GPU does in its own way (the
// conversions of float16, the clock) is defined here or by the file that includes this. Not to be included where CUDA's
// own headers are: it takes their words.
#pragma once

#include <bit>

namespace lockstep::tests::kernels {

// What CUDA brings along, for one thread of the GPU at a time in each thread of the host.
struct Three {
    unsigned x = 0;
};
inline thread_local Three blockIdx;
inline thread_local Three threadIdx;
inline thread_local Three blockDim;
inline thread_local Three gridDim;

#define __device__
#define __global__
#define __launch_bounds__(threads)
#define LOCKSTEP_KERNELS_ON_HOST

inline unsigned __float_as_uint(float value)
{
    return std::bit_cast<unsigned>(value);
}
inline float __uint_as_float(unsigned bits)
{
    return std::bit_cast<float>(bits);
}
inline long long __double_as_longlong(double value)
{
    return std::bit_cast<long long>(value);
}
inline double __longlong_as_double(long long bits)
{
    return std::bit_cast<double>(bits);
}
inline float toFloat(unsigned short half)
{
    return static_cast<float>(std::bit_cast<_Float16>(half));
}
inline unsigned short toHalf(float number)
{
    return std::bit_cast<unsigned short>(static_cast<_Float16>(number));
}
/// The clock of the GPU; defined by the includer. A thread that waits for a flag looks at it again and again.
unsigned long long nanoseconds();
inline void __threadfence_system()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __syncthreads() { }

#include "engine/cuda/kernels.cu"

using ReduceKernel = void (*)(Outputs, int, Inputs, int, u64, u32);

#define LOCKSTEP_NUMBERS(type)                                                                                         \
    {                                                                                                                  \
        lockstep_sum_##type, lockstep_product_##type, lockstep_min_##type, lockstep_max_##type, nullptr, nullptr,      \
            nullptr                                                                                                    \
    }
#define LOCKSTEP_INTEGERS(type)                                                                                        \
    {                                                                                                                  \
        lockstep_sum_##type, lockstep_product_##type, lockstep_min_##type, lockstep_max_##type, lockstep_band_##type,  \
            lockstep_bor_##type, lockstep_bxor_##type                                                                  \
    }

/// By comm::DataType, then comm::Reduction.
inline constexpr ReduceKernel Reducing[7][7]
    = {LOCKSTEP_NUMBERS(float32), LOCKSTEP_NUMBERS(float64), LOCKSTEP_NUMBERS(float16), LOCKSTEP_NUMBERS(bfloat16),
        LOCKSTEP_INTEGERS(int32), LOCKSTEP_INTEGERS(int64), LOCKSTEP_INTEGERS(uint8)};

#undef LOCKSTEP_NUMBERS
#undef LOCKSTEP_INTEGERS

/// One after the other, which is right for kernels whose threads do not wait for each other.
template <typename Body>
void asThreads(unsigned blocks, unsigned threads, const Body& body)
{
    gridDim.x = blocks;
    blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
        for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {
            body();
        }
    }
}

} // namespace lockstep::tests::kernels
