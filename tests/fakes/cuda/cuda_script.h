// What the fake CUDA runtime is like, set by one environment variable, LOCKSTEP_FAKE_CUDA: `gpus=2 mps=1`. Read once,
// when the runtime is first used in a process.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>

namespace lockstep::tests {

struct CudaScript {
    int gpus = 1;
    /// Above 0: the GPU has this many slices (MIG), and a process sees the one that CUDA_VISIBLE_DEVICES names: MIG-0,
    /// MIG-1, ...; the first without it.
    int slices = 0;
    int driver = 13000; ///< the CUDA that the driver is for; 0: there is no driver
    int capability = 90;
    bool mps = false;
    bool pools = true; ///< memory in the order of a stream
    bool nvcc = true; ///< kernels are built in; else they are compiled for one type at a time
    bool ipc = true; ///< processes can open each other's memory
    int megabytes = 512; ///< of each GPU
    int lateUs = 150; ///< up to so late is one in eight things that are queued

    [[nodiscard]] static CudaScript fromEnvironment()
    {
        CudaScript script;
        const char* text = std::getenv("LOCKSTEP_FAKE_CUDA");
        std::istringstream words(text != nullptr ? text : "");
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            const std::string name = word.substr(0, equals);
            const int value = std::atoi(word.c_str() + equals + 1);
            if (name == "gpus") {
                script.gpus = value;
            } else if (name == "slices") {
                script.slices = value;
            } else if (name == "driver") {
                script.driver = value;
            } else if (name == "capability") {
                script.capability = value;
            } else if (name == "mps") {
                script.mps = value != 0;
            } else if (name == "pools") {
                script.pools = value != 0;
            } else if (name == "nvcc") {
                script.nvcc = value != 0;
            } else if (name == "ipc") {
                script.ipc = value != 0;
            } else if (name == "megabytes") {
                script.megabytes = value;
            } else if (name == "late_us") {
                script.lateUs = value;
            } else {
                std::abort(); // a misspelt word would test something else
            }
        }
        return script;
    }
};

/// For processes that are forked as long as this lives.
class CudaScripted {
public:
    explicit CudaScripted(const char* script) { setenv("LOCKSTEP_FAKE_CUDA", script, 1); }
    ~CudaScripted() { unsetenv("LOCKSTEP_FAKE_CUDA"); }
    CudaScripted(const CudaScripted&) = delete;
    CudaScripted& operator=(const CudaScripted&) = delete;
};

} // namespace lockstep::tests
