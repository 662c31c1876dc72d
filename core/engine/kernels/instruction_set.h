// Which vector instructions the engine's own kernels use, the same as LibTorch's.
#pragma once

#include <cstdint>
#include <string_view>

/// Of a function or a lambda that withVectors() is to compile again.
#define LOCKSTEP_INLINED __attribute__((always_inline))

namespace lockstep::engine {

enum class InstructionSet : std::uint8_t {
    Plain, ///< what every processor of this architecture has
    Avx2, ///< with FMA
    Avx512 ///< F, BW, DQ and VL
};

/// What the processor has.
[[nodiscard]] InstructionSet processorSet();

/// What a value of ATEN_CPU_CAPABILITY leaves: `avx2` and `default` are limits.
[[nodiscard]] InstructionSet setAllowedBy(std::string_view capability);

/// The processor's, or less where ATEN_CPU_CAPABILITY says so. Read once.
[[nodiscard]] InstructionSet usedSet();

#if defined(__x86_64__)
template <typename Loop>
[[gnu::target("avx2")]] void withAvx2(const Loop& loop)
{
    loop();
}

template <typename Loop>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void withAvx512(const Loop& loop)
{
    loop();
}
#endif

/// Calls loop(), compiled for the instructions of `set`. It and the functions that it calls are LOCKSTEP_INLINED. Its
/// results are the same with each: the compiler may not fuse multiplications with additions.
template <typename Loop>
void withVectors(InstructionSet set, const Loop& loop)
{
#if defined(__x86_64__)
    if (set == InstructionSet::Avx512) {
        return withAvx512(loop);
    }
    if (set == InstructionSet::Avx2) {
        return withAvx2(loop);
    }
#endif
    loop();
}

} // namespace lockstep::engine
