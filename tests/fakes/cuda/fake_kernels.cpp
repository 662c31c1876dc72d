#include "fakes/cuda/fake_kernels.h"

#include "base/clock.h"
#include "engine/comm/types.h"
#include "engine/cuda/kernel_image.h"
#include "fakes/cuda/fake_gpu.h"

#include <cstring>
#include <sched.h>
#include <string>

// Last: it takes words that CUDA's headers have as well.
#undef __device__
#undef __global__
#undef __launch_bounds__
#include "core/engine/comm/kernels_on_host.h"

namespace lockstep::tests {

unsigned long long kernels::nanoseconds()
{
    sched_yield(); // the rank that sets the flag may need this core
    return static_cast<unsigned long long>(monotonicNs());
}

namespace gpu {

namespace {

using comm::DataType;
using comm::Reduction;

template <typename T>
T argument(void** arguments, int number)
{
    T value{};
    std::memcpy(&value, arguments[number], sizeof(value));
    return value;
}

Launch reduceArrays(unsigned blocks, unsigned threads, void** arguments, int type, int reduction)
{
    auto outputs = argument<kernels::Outputs>(arguments, 0);
    const auto copies = argument<int>(arguments, 1);
    auto inputs = argument<kernels::Inputs>(arguments, 2);
    const auto count = argument<int>(arguments, 3);
    const auto elements = argument<unsigned long long>(arguments, 4);
    const auto isAligned = argument<unsigned>(arguments, 5);
    return [=]() mutable {
        const std::size_t bytes = elements * comm::sizeOf(static_cast<DataType>(type));
        const auto place = [&](const void* address) -> std::byte* {
            if (isAligned != 0 && reinterpret_cast<std::uintptr_t>(address) % sizeof(kernels::Vector) != 0) {
                fail(cudaErrorMisalignedAddress, "vectors that do not begin where vectors do");
                return nullptr;
            }
            return touch(address, bytes);
        };
        bool isThere = true;
        for (int i = 0; i < count; ++i) {
            inputs.at[i] = place(inputs.at[i]);
            isThere = isThere && inputs.at[i] != nullptr;
        }
        for (int i = 0; i < copies; ++i) {
            outputs.at[i] = place(outputs.at[i]);
            isThere = isThere && outputs.at[i] != nullptr;
        }
        if (isThere) {
            kernels::asThreads(blocks, threads,
                [&] { kernels::Reducing[type][reduction](outputs, copies, inputs, count, elements, isAligned); });
        }
    };
}

Launch setFlag(unsigned blocks, unsigned threads, void** arguments, int, int)
{
    auto* flag = argument<void*>(arguments, 0);
    const auto value = argument<unsigned>(arguments, 1);
    return [=] {
        if (auto* at = touch(flag, sizeof(value))) {
            kernels::asThreads(
                blocks, threads, [&] { kernels::lockstep_set_flag(reinterpret_cast<unsigned*>(at), value); });
        }
    };
}

Launch waitForFlags(unsigned blocks, unsigned threads, void** arguments, int, int)
{
    auto flags = argument<kernels::Inputs>(arguments, 0);
    const auto count = argument<int>(arguments, 1);
    const auto value = argument<unsigned>(arguments, 2);
    const auto limit = argument<unsigned long long>(arguments, 3);
    auto* stop = argument<void*>(arguments, 4);
    auto* missing = argument<void*>(arguments, 5);
    return [=]() mutable {
        bool isThere = true;
        for (int i = 0; i < count; ++i) {
            flags.at[i] = touch(flags.at[i], sizeof(value));
            isThere = isThere && flags.at[i] != nullptr;
        }
        const auto* stopAt = reinterpret_cast<const unsigned*>(touch(stop, sizeof(value)));
        auto* missingAt = reinterpret_cast<unsigned*>(touch(missing, sizeof(value)));
        if (isThere && stopAt != nullptr && missingAt != nullptr) {
            kernels::asThreads(blocks, threads,
                [&] { kernels::lockstep_wait_for_flags(flags, count, value, limit, stopAt, missingAt); });
        }
    };
}

} // namespace

Function findKernel(std::string_view name, int typeOfImage)
{
    if (name == "lockstep_set_flag") {
        return {setFlag};
    }
    if (name == "lockstep_wait_for_flags") {
        return {waitForFlags};
    }
    for (const DataType type : comm::DataTypes) {
        for (const Reduction reduction : comm::Reductions) {
            const std::string each = "lockstep_" + std::string(nameOf(reduction)) + "_" + std::string(nameOf(type));
            const bool isIn = typeOfImage < 0 || typeOfImage == static_cast<int>(type);
            if (isIn && name == each && comm::isDefined(reduction, type)) {
                return {reduceArrays, static_cast<int>(type), static_cast<int>(reduction)};
            }
        }
    }
    return {};
}

} // namespace gpu

} // namespace lockstep::tests

namespace lockstep::cuda {

// In the place of kernel_image.cpp: test_cuda_device has what nvcc and NVRTC make of the kernels.

std::span<const std::byte> builtInKernels()
{
    const auto magic = tests::gpu::ImageMagic;
    return tests::gpu::script().nvcc ? std::as_bytes(std::span(magic)) : std::span<const std::byte>();
}

Result<std::vector<std::byte>> compileKernels(int, int, comm::DataType type)
{
    const std::string image = std::string(tests::gpu::ImageMagic) + std::to_string(static_cast<int>(type));
    const auto bytes = std::as_bytes(std::span(image));
    std::vector<std::byte> compiled(bytes.begin(), bytes.end());
    compiled.push_back(std::byte{0});
    return compiled;
}

} // namespace lockstep::cuda
