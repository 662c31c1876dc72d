#include "engine/cuda/kernel_image.h"

#include <array>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>

#define LOCKSTEP_BUILD_IN(name, file)                                                                                  \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".balign 16\n"                                                                                             \
            ".global " name "_begin\n"                                                                                 \
            ".hidden " name "_begin\n"                                                                                 \
            "" name "_begin:\n"                                                                                        \
            ".incbin \"" file "\"\n"                                                                                   \
            ".global " name "_end\n"                                                                                   \
            ".hidden " name "_end\n"                                                                                   \
            "" name "_end:\n"                                                                                          \
            ".byte 0\n"                                                                                                \
            ".popsection\n");

LOCKSTEP_BUILD_IN("lockstep_kernel_source", LOCKSTEP_KERNELS_SOURCE)
#ifdef LOCKSTEP_KERNELS_FATBIN
LOCKSTEP_BUILD_IN("lockstep_kernel_image", LOCKSTEP_KERNELS_FATBIN)
#endif

extern "C" {
__attribute__((visibility("hidden"))) extern const char lockstep_kernel_source_begin[];
__attribute__((visibility("hidden"))) extern const char lockstep_kernel_source_end[];
#ifdef LOCKSTEP_KERNELS_FATBIN
__attribute__((visibility("hidden"))) extern const std::byte lockstep_kernel_image_begin[];
__attribute__((visibility("hidden"))) extern const std::byte lockstep_kernel_image_end[];
#endif
}

namespace lockstep::cuda {

namespace {

/// The functions of NVRTC that are used, as nvrtc.h declares them; 0 is success.
struct Nvrtc {
    using Program = void*;
    int (*create)(
        Program*, const char* source, const char* name, int headers, const char* const* texts, const char* const* names)
        = nullptr;
    int (*compile)(Program, int options, const char* const* option) = nullptr;
    int (*imageSize)(Program, std::size_t*) = nullptr;
    int (*image)(Program, char*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    const char* (*errorText)(int) = nullptr;
};

template <typename Function>
bool find(void* library, const char* name, Function& function)
{
    void* symbol = dlsym(library, name);
    std::memcpy(&function, &symbol, sizeof(symbol));
    return symbol != nullptr;
}

/// NVRTC looks for this library only in the loader's paths, which a package's folder is not; a loaded one is found.
void loadBuiltinsBeside(const void* functionOfNvrtc)
{
    Dl_info nvrtc{};
    if (dladdr(functionOfNvrtc, &nvrtc) == 0 || nvrtc.dli_fname == nullptr) {
        return;
    }
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::path(nvrtc.dli_fname).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        if (entry.path().filename().string().starts_with("libnvrtc-builtins.so.")) {
            dlopen(entry.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
        }
    }
}

Result<Nvrtc> loadNvrtc()
{
    void* library = nullptr;
    // Stays loaded: kernels are compiled once, when the program starts.
    for (const char* name : {LOCKSTEP_NVRTC_LIBRARY, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
        if (library == nullptr && *name != '\0') {
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        }
    }
    if (library == nullptr) {
        return failure(LS_TR("Messages",
            "the kernels for the GPU have to be compiled at the start, but libnvrtc.so was not found; install the CUDA "
            "toolkit or the package nvidia-cuda-nvrtc, or build on a machine with nvcc"));
    }
    Nvrtc nvrtc;
    const bool isWhole = find(library, "nvrtcCreateProgram", nvrtc.create)
        && find(library, "nvrtcCompileProgram", nvrtc.compile) && find(library, "nvrtcGetCUBINSize", nvrtc.imageSize)
        && find(library, "nvrtcGetCUBIN", nvrtc.image) && find(library, "nvrtcGetProgramLogSize", nvrtc.logSize)
        && find(library, "nvrtcGetProgramLog", nvrtc.log) && find(library, "nvrtcDestroyProgram", nvrtc.destroy)
        && find(library, "nvrtcGetErrorString", nvrtc.errorText);
    if (isWhole) {
        loadBuiltinsBeside(dlsym(library, "nvrtcCompileProgram"));
    }
    return isWhole ? Result<Nvrtc>(nvrtc)
                   : failure(LS_TR("Messages", "libnvrtc.so lacks functions that CUDA 12 has; install a newer one"));
}

/// The first line of what the compiler says.
std::string complaintOf(const Nvrtc& nvrtc, Nvrtc::Program program)
{
    std::size_t size = 0;
    nvrtc.logSize(program, &size);
    std::string log(size, '\0');
    nvrtc.log(program, log.data());
    return log.substr(0, log.find('\n'));
}

} // namespace

std::span<const std::byte> builtInKernels()
{
#ifdef LOCKSTEP_KERNELS_FATBIN
    return {lockstep_kernel_image_begin, lockstep_kernel_image_end};
#else
    return {};
#endif
}

Result<std::vector<std::byte>> compileKernels(int major, int minor, comm::DataType type)
{
    LOCKSTEP_TRY_ASSIGN(const auto nvrtc, loadNvrtc());
    const std::string source(lockstep_kernel_source_begin, lockstep_kernel_source_end);
    const std::string target = "--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor);
    const std::string wanted = "-DLOCKSTEP_TYPE=" + std::to_string(static_cast<int>(type));
    const std::array<const char*, 4> options{target.c_str(), "--fmad=false", "--std=c++17", wanted.c_str()};
    Nvrtc::Program program = nullptr;
    int failed = nvrtc.create(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr);
    if (failed != 0) {
        return failure(LS_TR("Messages", "nvrtcCreateProgram: %1"), {verbatim(nvrtc.errorText(failed))});
    }
    failed = nvrtc.compile(program, static_cast<int>(options.size()), options.data());
    std::vector<std::byte> image;
    std::string complaint;
    if (failed != 0) {
        complaint = "the kernels do not compile for compute capability " + std::to_string(major) + "."
            + std::to_string(minor) + ": " + nvrtc.errorText(failed) + ": " + complaintOf(nvrtc, program);
    } else {
        std::size_t size = 0;
        nvrtc.imageSize(program, &size);
        image.resize(size);
        nvrtc.image(program, reinterpret_cast<char*>(image.data()));
    }
    nvrtc.destroy(&program);
    return complaint.empty() ? Result<std::vector<std::byte>>(std::move(image)) : failureOf(verbatim(complaint));
}

} // namespace lockstep::cuda
