// Slows this rank down as `straggler.*` asks: arithmetic that stretches forward and backward, and a delay in each step.
#pragma once

#include "engine/gpu/step_clock.h"

#include <torch/types.h>

#include <cstdint>
#include <functional>

namespace lockstep::engine {

class SlowRank final : public Straggler {
public:
    /// `waitForDevice` returns false if the device will not finish.
    SlowRank(const torch::Device& device, std::function<bool()> waitForDevice);

    /// From now on; 1 and 0 change nothing.
    void set(double factor, double delayMs);
    [[nodiscard]] bool isSlow() const { return m_factor > 1.0 || m_delayNs > 0; }

    void stretch(std::int64_t beganNs) override;
    void delay() override;

private:
    torch::Device m_device;
    std::function<bool()> m_waitForDevice;
    torch::Tensor m_factors; ///< from the first stretched pass on
    double m_factor = 1.0;
    std::int64_t m_delayNs = 0;
};

} // namespace lockstep::engine
