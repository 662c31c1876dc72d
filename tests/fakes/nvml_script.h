// Puts the fake library in the driver's place, for as long as this lives.
#pragma once

#include <QByteArray>

namespace lockstep::tests {

class NvmlScript {
public:
    explicit NvmlScript(const QByteArray& json)
    {
        qputenv("LOCKSTEP_NVML", LOCKSTEP_BINARY_DIR "/tests/bin/fake_nvml.so");
        qputenv("LOCKSTEP_FAKE_NVML", json);
    }
    ~NvmlScript()
    {
        qunsetenv("LOCKSTEP_NVML");
        qunsetenv("LOCKSTEP_FAKE_NVML");
    }
    NvmlScript(const NvmlScript&) = delete;
    NvmlScript& operator=(const NvmlScript&) = delete;
};

} // namespace lockstep::tests
