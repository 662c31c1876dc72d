#include "engine/program/doctor.h"

#include "base/clock.h"
#include "base/translate.h"
#include "engine/compat/blas.h"
#include "engine/kernels/matrix_product.h"
#include "engine/program/doctor_backends.h"
#include "engine/strategy/model_parallel/pipeline/stage_calls.h"

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>
#include <torch/version.h>

#include <dlfcn.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

namespace lockstep::engine {

namespace {

bool hasGloo()
{
    return dlsym(RTLD_DEFAULT, "_ZN4c10d16ProcessGroupGlooD1Ev") != nullptr;
}

/// NCCL's own number, 22809 for 2.28.9; 0 where none is linked.
int ncclVersion()
{
    using GetVersion = int(int*);
    auto* const getVersion = reinterpret_cast<GetVersion*>(dlsym(RTLD_DEFAULT, "ncclGetVersion"));
    int version = 0;
    return getVersion != nullptr && getVersion(&version) == 0 ? version : 0;
}

/// All matches of a pattern's first group, each once, in the order of the text.
std::vector<std::string> found(const std::string& text, const std::string& pattern)
{
    std::vector<std::string> list;
    std::set<std::string> known;
    const std::regex expression(pattern);
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
        if (known.insert((*match)[1].str()).second) {
            list.push_back((*match)[1].str());
        }
    }
    return list;
}

/// LibTorch's build description lists what it was built with; a LibTorch without CUDA has none.
nlohmann::json cudaReport(bool isAvailable, int gpus)
{
    nlohmann::json report{{"built", false}, {"available", isAvailable}, {"devices", gpus}, {"version", 0},
        {"cudnn", ""}, {"architectures", nlohmann::json::array()}, {"nccl", 0}, {"error", ""}};
    try {
        const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
        if (!hooks.hasCUDART()) {
            return report;
        }
        report["built"] = true;
        report["version"] = hooks.versionCUDART();
        report["nccl"] = ncclVersion();
        const std::string description = hooks.showConfig();
        report["architectures"] = found(description, "code=((?:sm|compute)_[0-9]+[a-z]?)");
        const auto cudnn = found(description, "CuDNN ([0-9.]+)");
        report["cudnn"] = cudnn.empty() ? std::string() : cudnn.front();
    } catch (const std::exception& error) {
        const std::string text = error.what();
        report["error"] = text.substr(0, text.find('\n'));
    }
    return report;
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
    entries.push_back(tried(LS_TR("Messages", "matrix product float32"), device, [&] {
        return torch::mm(torch::ones({64, 784}, options), torch::ones({784, 128}, options)).sum().item<double>();
    }));
    entries.push_back(tried(LS_TR("Messages", "matrix product float64"), device, [&] {
        const auto wide = options.dtype(torch::kDouble);
        return torch::mm(torch::ones({64, 784}, wide), torch::ones({784, 128}, wide)).sum().item<double>();
    }));
    entries.push_back(tried(LS_TR("Messages", "convolution and its gradient"), device, [&] {
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
    nlohmann::json report{{"version", 1}, {"libtorch", TORCH_VERSION}, {"cuda", cudaReport(hasCuda, gpus)},
        {"gloo", hasGloo()}, {"mpi", canUseMpi()}, {"rpc", StageCalls::areBuiltIn()},
        {"blas", blasDescription() + matrixProductsDescription()},
        {"onednn", at::globalContext().userEnabledMkldnn() && at::hasMKLDNN()}, {"threads", torch::get_num_threads()},
        {"tried", triedOn(torch::Device(torch::kCPU))}};
    report["held"] = nlohmann::json::array();
    for (const HeldLibrary& each : heldLibraries()) {
        report["held"].push_back({{"variable", each.variable}, {"value", each.value}});
    }
    for (int i = 0; i < gpus; ++i) {
        for (auto& entry : triedOn(torch::Device(torch::kCUDA, static_cast<torch::DeviceIndex>(i)))) {
            report["tried"].push_back(entry);
        }
    }
    report["backends"] = triedBackends(gpus);
    return report.dump(2) + "\n";
}

} // namespace lockstep::engine
