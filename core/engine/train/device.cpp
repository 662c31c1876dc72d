#include "engine/train/device.h"

#include "engine/compat/blas.h"

#include <torch/torch.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace lockstep::engine {

namespace {

/// N of `cuda:N`; `cuda` is cuda:0.
std::optional<int> gpuIndex(const std::string& text)
{
    constexpr std::string_view Prefix = "cuda:";
    if (text == "cuda") {
        return 0;
    }
    int index = -1;
    if (!text.starts_with(Prefix)) {
        return std::nullopt;
    }
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + Prefix.size(), end, index);
    return error == std::errc{} && rest == end && index >= 0 ? std::optional(index) : std::nullopt;
}

} // namespace

Result<torch::Device> chooseDevice(const std::string& text, const RankContext& context)
{
    const int gpus = torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
    if (text == "cpu" || (text == "auto" && gpus == 0)) {
        return torch::Device(torch::kCPU);
    }
    if (text == "auto") {
        return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(context.localRank % gpus));
    }
    const auto index = gpuIndex(text);
    if (!index) {
        return Error{"device: `" + text + "` is none of auto, cpu, cuda:0, cuda:1, ..."};
    }
    if (!at::hasCUDA()) {
        return Error{"device: " + text + " needs a LibTorch that was built with CUDA; this one (" + TORCH_VERSION
            + ") was built for the CPU alone"};
    }
    if (*index >= gpus) {
        return Error{"device: " + text + " is not there: LibTorch " + TORCH_VERSION + " finds " + std::to_string(gpus)
            + (gpus == 1 ? " GPU" : " GPUs")};
    }
    return torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(*index));
}

void setThreads(int threads)
{
    if (torch::get_num_threads() != threads) {
        torch::set_num_threads(threads);
    }
    setBlasThreads(threads);
}

} // namespace lockstep::engine
