#include "engine/compat/blas.h"

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
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq")) {
        return "SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return "Haswell";
    }
#endif
    return nullptr;
}

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

std::string blasDescription()
{
    if (const auto config = openBlas<char*()>("openblas_get_config"); config != nullptr) {
        return std::string(config()) + ", " + std::string(coreName()) + " kernels";
    }
    return at::hasMKL() ? "MKL" : "not OpenBLAS: libopenblas0-pthread is several times faster than the reference BLAS";
}

} // namespace lockstep::engine
