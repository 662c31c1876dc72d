// float16 has no numbers between 0 and 6e-8: gradients would vanish. So the loss is scaled up before backward and gradients down
// after it, by a factor that grows while all goes well and falls when something overflows; that step is then left out
// (Micikevicius et al., "Mixed Precision Training", 2018, section 3.2; the numbers are those of torch.amp.GradScaler).
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace lockstep::engine {

class LossScaler {
public:
    [[nodiscard]] double scale() const { return m_scale; }
    /// Divides the gradients by the scale and chooses the next step's. False where they hold no numbers: the step must be
    /// left out. Waits for the device, which has the answer.
    [[nodiscard]] bool unscale(torch::Tensor& gradients);

    [[nodiscard]] std::int64_t stepsLeftOut() const { return m_stepsLeftOut; }

    /// As from a checkpoint.
    [[nodiscard]] torch::Tensor state() const;
    void setState(const torch::Tensor& state);

private:
    double m_scale = 65536.0;
    std::int64_t m_goodSteps = 0; ///< since it last changed
    std::int64_t m_stepsLeftOut = 0;
};

} // namespace lockstep::engine
