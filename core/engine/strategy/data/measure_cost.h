// The cost of measuring: a measured run skips measuring in some blocks of steps, and compares the times.
#pragma once

#include "base/text.h"

#include <cstdint>
#include <vector>

namespace lockstep::engine {

class MeasureCost {
public:
    static constexpr std::int64_t BlockSteps = 16;
    static constexpr std::int64_t Blocks = 4; ///< the last one is not measured

    /// The same on every rank.
    [[nodiscard]] static bool isMeasured(std::int64_t step) { return (step - 1) / BlockSteps % Blocks != Blocks - 1; }

    void add(std::int64_t step, std::int64_t wallNs);
    /// One sentence, for the log.
    [[nodiscard]] Text report() const;

private:
    std::vector<std::int64_t> m_with;
    std::vector<std::int64_t> m_without;
};

} // namespace lockstep::engine
