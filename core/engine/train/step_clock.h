// Where the time of one step goes: phases follow each other without a gap, and repeat (chunks) without extra rows.
#pragma once

#include "base/phase.h"

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::engine {

class StepClock {
public:
    struct Span {
        Phase phase;
        std::int64_t startNs;
        std::int64_t durationNs;
        std::int32_t microBatch = -1; ///< of a pipeline's pass
    };

    /// Another phase within the one that is open, which goes on afterwards. Nothing without a clock.
    class Within {
    public:
        Within(StepClock* clock, Phase phase);
        ~Within();
        Within(const Within&) = delete;
        Within& operator=(const Within&) = delete;

    private:
        StepClock* m_clock;
        std::optional<Phase> m_outer;
        std::int32_t m_microBatch = -1;
    };

    /// A GPU works behind the program's back, so there a phase ends when the GPU has done it.
    explicit StepClock(torch::Device device);

    /// A step starts now; forgets the one before.
    void start();
    /// Ends the phase that is open and opens this one.
    void begin(Phase phase, std::int32_t microBatch = -1);
    /// Ends the phase that is open; gives the time now.
    std::int64_t stop();

    [[nodiscard]] std::int64_t startNs() const { return m_startNs; }
    /// When the phase that was opened last began.
    [[nodiscard]] std::int64_t phaseStartNs() const { return m_phaseStartNs; }
    [[nodiscard]] const std::array<std::int64_t, PhaseCount>& phaseNs() const { return m_phaseNs; }
    [[nodiscard]] const std::vector<Span>& spans() const { return m_spans; }

private:
    std::int64_t closeOpenPhase();

    torch::Device m_device;
    std::int64_t m_startNs = 0;
    std::int64_t m_phaseStartNs = 0;
    std::optional<Phase> m_open;
    std::int32_t m_microBatch = -1; ///< of the open phase
    std::array<std::int64_t, PhaseCount> m_phaseNs{};
    std::vector<Span> m_spans;
};

} // namespace lockstep::engine
