// The line that a run writes into its log every `log.every` steps.
#pragma once

#include "engine/telemetry/recorder.h"

#include <array>
#include <cstdint>
#include <string>

namespace lockstep::engine {

/// Sums over the steps since the last line.
class LogLineSums {
public:
    void add(const StepRow& row);
    /// "step 200 of 625: loss 0.3121, learning rate 0.1, data 1 %, forward 31 %, ..., 152,300 samples/s"; forgets the
    /// sums.
    [[nodiscard]] Text take(const StepRow& last, std::int64_t totalSteps);

private:
    std::int64_t m_wallNs = 0;
    std::int64_t m_samples = 0;
    std::array<std::int64_t, PhaseCount> m_phaseNs{};
};

} // namespace lockstep::engine
