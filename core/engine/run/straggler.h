// Makes this rank a straggler, as `straggler.*` asks: it sleeps in each step, and computes more in forward and
// backward. The training loop calls it.
#pragma once

#include "engine/ranks/stragglers.h"

#include <torch/types.h>

#include <cstdint>
#include <functional>

namespace lockstep::engine {

class Straggler {
public:
    /// `waitForDevice` returns false if the device will not finish.
    Straggler(const torch::Device& device, std::function<bool()> waitForDevice);

    /// Call before each step. `values` with factor 1 and delay 0 change nothing.
    void beginStep(const Stragglers::Values& values);
    [[nodiscard]] bool isSlow() const { return m_factor > 1.0 || m_delayNs > 0; }

    /// At the end of a forward or backward that began at `beganNs`, on the host's clock: computes until it has taken
    /// `factor` times as long.
    void stretch(std::int64_t beganNs);
    /// After the last backward: sleeps. Only the first call in a step does.
    void delay();

private:
    torch::Device m_device;
    std::function<bool()> m_waitForDevice;
    torch::Tensor m_factors; ///< from the first stretched pass on
    double m_factor = 1.0;
    std::int64_t m_delayNs = 0;
    bool m_hasDelayed = false; ///< in this step
    std::int64_t m_delayEndNs = 0; ///< the delay is not stretched
};

} // namespace lockstep::engine
