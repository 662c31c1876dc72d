// Code for the fake GPUs: the kernels of core/engine/cuda/kernels.cu, compiled for the host.
#pragma once

#include <functional>
#include <string_view>

namespace lockstep::tests::gpu {

/// What an image with code begins with; the number of the one type that it is for may follow.
inline constexpr std::string_view ImageMagic = "kernels for a fake GPU ";

/// One kernel; `arguments` are read at once, and the memory they name is looked up when the result is called.
using Launch = std::function<void()>;
using Kernel = Launch (*)(unsigned blocks, unsigned threads, void** arguments, int row, int column);
struct Function {
    Kernel kernel = nullptr;
    int type = 0;
    int reduction = 0;
    bool isLoaded = false; ///< else that would happen at its first launch
};

/// Of an image that has the kernels of that type, of all types if it is negative; no kernel if it has none of that
/// name.
[[nodiscard]] Function findKernel(std::string_view name, int typeOfImage);

} // namespace lockstep::tests::gpu
