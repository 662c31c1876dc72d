// Records the messages of a few steps a second, for the ring view. All ranks sample the same steps.
#pragma once

#include "engine/ranks/rank_group.h"
#include "engine/telemetry/recorder.h"

#include <cstdint>

namespace lockstep::engine {

class TrafficSampler {
public:
    /// Both must outlive it.
    TrafficSampler(RankGroup& group, Recorder& recorder);
    ~TrafficSampler();
    TrafficSampler(const TrafficSampler&) = delete;
    TrafficSampler& operator=(const TrafficSampler&) = delete;

    /// `nextStep`: the first step that all ranks can still be asked to sample.
    void beginStep(std::int64_t step, std::int64_t nextStep);

private:
    void listen(const comm::MessageEvent& event);

    RankGroup& m_group;
    Recorder& m_recorder;
    std::int64_t m_step = 0;
    std::int64_t m_messages = 0; ///< of this step
    bool m_isSampled = false;
    std::int64_t m_lastSampleNs = 0;
};

} // namespace lockstep::engine
