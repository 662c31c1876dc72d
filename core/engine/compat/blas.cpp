#include "engine/compat/blas.h"

#include "engine/kernels/instruction_set.h"

#include <ATen/Context.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string_view>

namespace lockstep::engine {

namespace {

template <typename Function>
Function* openBlas(const char* name)
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): what dlsym gives
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::string_view coreName()
{
    const auto name = openBlas<char*()>("openblas_get_corename");
    return name != nullptr ? name() : std::string_view();
}

/// nullptr if OpenBLAS's fallback uses all that the processor has.
const char* betterCore()
{
    const InstructionSet set = processorSet();
    return set == InstructionSet::Avx512 ? "SkylakeX" : set == InstructionSet::Avx2 ? "Haswell" : nullptr;
}

/// "AVX2" in DNNL_MAX_CPU_ISA and its like, "AVX2,STRICT" in MKL_CBWR. Words such as DEFAULT and AUTO set no limit.
InstructionSet setNamed(std::string_view value)
{
    const std::string_view name = value.substr(0, value.find(','));
    if (name.starts_with("SSE") || name == "AVX" || name == "COMPATIBLE") {
        return InstructionSet::Plain;
    }
    return name.starts_with("AVX2") ? InstructionSet::Avx2 : InstructionSet::Avx512;
}

/// OpenBLAS ignores a name that it does not know, so what counts is what it then chose.
InstructionSet setOfOpenBlas(std::string_view)
{
    const std::string_view core = coreName();
    if (core.empty() || core == "SkylakeX" || core == "Cooperlake" || core == "SapphireRapids") {
        return InstructionSet::Avx512;
    }
    return core == "Haswell" || core == "Zen" ? InstructionSet::Avx2 : InstructionSet::Plain;
}

InstructionSet setOfMkl(std::string_view name)
{
    return at::hasMKL() ? setNamed(name) : InstructionSet::Avx512;
}

struct Limit {
    const char* variable;
    InstructionSet (*set)(std::string_view value); ///< what it leaves
};

constexpr Limit Limits[]
    = {{"OPENBLAS_CORETYPE", setOfOpenBlas}, {"DNNL_MAX_CPU_ISA", setNamed}, {"ONEDNN_MAX_CPU_ISA", setNamed},
        {"MKL_ENABLE_INSTRUCTIONS", setOfMkl}, {"MKL_CBWR", setOfMkl}, {"ATEN_CPU_CAPABILITY", setAllowedBy}};

} // namespace

void useKernelsOfThisProcessor()
{
    constexpr std::string_view Fallback = "Prescott"; // what OpenBLAS takes for a processor that it does not know
    constexpr const char* Variable = "OPENBLAS_CORETYPE";
    const auto forget = openBlas<void()>("gotoblas_dynamic_quit");
    const auto choose = openBlas<void()>("gotoblas_dynamic_init");
    const char* better = betterCore();
    if (std::getenv(Variable) != nullptr || coreName() != Fallback || forget == nullptr || choose == nullptr
        || better == nullptr) {
        return;
    }
    // OpenBLAS chose when it was loaded, before main. It reads the variable again when it chooses again.
    setenv(Variable, better, 1);
    forget();
    choose();
}

void makeProductsReproducible()
{
    setenv("MKL_CBWR", "AUTO,STRICT", 0);
}

void setBlasThreads(int threads)
{
    if (const auto set = openBlas<void(int)>("openblas_set_num_threads"); set != nullptr) {
        set(threads);
    }
}

std::vector<HeldLibrary> heldLibraries()
{
    std::vector<HeldLibrary> held;
    for (const Limit& limit : Limits) {
        const char* const value = std::getenv(limit.variable);
        if (value != nullptr && limit.set(value) < processorSet()) {
            held.push_back({limit.variable, value});
        }
    }
    return held;
}

std::string blasDescription()
{
    if (const auto config = openBlas<char*()>("openblas_get_config"); config != nullptr) {
        return std::string(config()) + ", " + std::string(coreName()) + " kernels";
    }
    return at::hasMKL() ? "MKL" : "not OpenBLAS: libopenblas0-pthread is several times faster than the reference BLAS";
}

} // namespace lockstep::engine
