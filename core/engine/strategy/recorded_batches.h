// When a rank's passes are recorded as graphs, and for which batches the graphs are replayed.
#pragma once

#include "engine/data/batches.h"

#include <cstdint>

namespace lockstep::engine {

class RecordedBatches {
public:
    explicit RecordedBatches(bool isOn)
        : m_isOn(isOn)
    { }

    /// Whether anything is recorded, so that batches must stay in place.
    [[nodiscard]] bool isOn() const { return m_isOn; }
    /// Nothing can be recorded: from now on every batch runs kernel by kernel.
    void giveUp() { m_isOn = false; }

    enum class Way { Run, Record, Replay };
    /// The next batch. On Record the caller records it, or gives up.
    [[nodiscard]] Way next(const Batch& batch);

private:
    bool m_isOn;
    bool m_isRecorded = false;
    const void* m_inputs = nullptr; ///< address of the recorded batch
    std::int64_t m_size = 0; ///< samples of the recorded batches, or of those to be recorded
    std::int64_t m_steps = 0; ///< batches of that size in a row
};

} // namespace lockstep::engine
