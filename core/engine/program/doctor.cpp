#include "engine/program/doctor.h"

#include "base/clock.h"
#include "engine/compat/blas.h"
#include "engine/parallel/pipeline/stage_calls.h"
#include "engine/program/doctor_backends.h"

#include <torch/torch.h>

#include <dlfcn.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace lockstep::engine {

namespace {

bool hasGloo()
{
    return dlsym(RTLD_DEFAULT, "_ZN4c10d16ProcessGroupGlooD1Ev") != nullptr;
}

nlohmann::json tried(const std::string& what, const torch::Device& device, const std::function<double()>& work)
{
    nlohmann::json entry{{"what", what}, {"device", device.str()}, {"works", false}, {"error", ""}};
    try {
        const std::int64_t start = monotonicNs();
        const double result = work();
        entry["works"] = std::isfinite(result);
        entry["milliseconds"] = static_cast<double>(monotonicNs() - start) / 1e6;
    } catch (const std::exception& error) {
        const std::string text = error.what();
        entry["error"] = text.substr(0, text.find('\n'));
    }
    return entry;
}

nlohmann::json triedOn(const torch::Device& device)
{
    const auto options = torch::TensorOptions().device(device);
    auto entries = nlohmann::json::array();
    entries.push_back(tried("matrix product float32", device, [&] {
        return torch::mm(torch::ones({64, 784}, options), torch::ones({784, 128}, options)).sum().item<double>();
    }));
    entries.push_back(tried("matrix product float64", device, [&] {
        const auto wide = options.dtype(torch::kDouble);
        return torch::mm(torch::ones({64, 784}, wide), torch::ones({784, 128}, wide)).sum().item<double>();
    }));
    entries.push_back(tried("convolution and its gradient", device, [&] {
        const torch::Tensor weight = torch::ones({8, 1, 3, 3}, options).requires_grad_(true);
        torch::conv2d(torch::ones({4, 1, 28, 28}, options), weight).sum().backward();
        return weight.grad().sum().item<double>();
    }));
    return entries;
}

} // namespace

std::string doctorJson()
{
    const bool hasCuda = torch::cuda::is_available();
    const auto gpus = hasCuda ? static_cast<int>(torch::cuda::device_count()) : 0;
    nlohmann::json report{{"version", 1}, {"libtorch", TORCH_VERSION},
        {"cuda", {{"built", at::hasCUDA()}, {"available", hasCuda}, {"devices", gpus}}}, {"gloo", hasGloo()}, {"mpi", canUseMpi()},
        {"rpc", StageCalls::areBuiltIn()},
        {"blas", blasDescription()}, {"onednn", at::globalContext().userEnabledMkldnn() && at::hasMKLDNN()},
        {"threads", torch::get_num_threads()}, {"tried", triedOn(torch::Device(torch::kCPU))}};
    for (int i = 0; i < gpus; ++i) {
        for (auto& entry : triedOn(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(i)))) {
            report["tried"].push_back(entry);
        }
    }
    report["backends"] = triedBackends();
    return report.dump(2) + "\n";
}

} // namespace lockstep::engine
