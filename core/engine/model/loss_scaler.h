// float16 has no numbers between 0 and 6e-8: gradients would vanish. So the loss is scaled up before backward and
// gradients down after it, by a factor that grows while nothing overflows and shrinks when something does; that step is
// skipped (Micikevicius et al., "Mixed Precision Training", 2018, section 3.2; the numbers are those of
// torch.amp.GradScaler).
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>

namespace lockstep::engine {

class LossScaler {
public:
    [[nodiscard]] double scale() const { return m_scale; }
    /// Whether all are finite. Waits for the device.
    [[nodiscard]] static bool areFinite(std::span<const torch::Tensor> gradients);
    /// Divides the gradients by the scale and chooses the next step's; `areFinite`: on every rank that takes this step.
    /// Returns false if they are not: skip the step.
    [[nodiscard]] bool unscale(std::span<torch::Tensor> gradients, bool areFinite);

    [[nodiscard]] std::int64_t stepsSkipped() const { return m_stepsSkipped; }

    /// As from a checkpoint.
    [[nodiscard]] torch::Tensor state() const;
    void setState(const torch::Tensor& state);

private:
    double m_scale = 65536.0;
    std::int64_t m_goodSteps = 0; ///< since it last changed
    std::int64_t m_stepsSkipped = 0;
};

} // namespace lockstep::engine
