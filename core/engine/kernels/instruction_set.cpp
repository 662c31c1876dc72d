#include "engine/kernels/instruction_set.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::engine {

InstructionSet processorSet()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq")) {
        return InstructionSet::Avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return InstructionSet::Avx2;
    }
#endif
    return InstructionSet::Plain;
}

InstructionSet setAllowedBy(std::string_view capability)
{
    return capability == "default" ? InstructionSet::Plain
        : capability == "avx2"     ? InstructionSet::Avx2
                                   : InstructionSet::Avx512;
}

InstructionSet usedSet()
{
    static const InstructionSet set = [] {
        const char* const capability = std::getenv("ATEN_CPU_CAPABILITY");
        return std::min(processorSet(), setAllowedBy(capability != nullptr ? capability : ""));
    }();
    return set;
}

} // namespace lockstep::engine
