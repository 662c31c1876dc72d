#include "engine/strategy/data/traffic_sampler.h"

#include "base/clock.h"

namespace lockstep::engine {

namespace {

/// The ring view shows a few steps a second; recording more would only cost bytes.
constexpr std::int64_t TrafficEveryNs = 100'000'000;

} // namespace

TrafficSampler::TrafficSampler(RankGroup& group, Recorder& recorder)
    : m_group(group)
    , m_recorder(recorder)
{
    m_group.communicator->setListener([this](const comm::MessageEvent& event) { listen(event); });
}

TrafficSampler::~TrafficSampler()
{
    m_group.communicator->setListener({});
}

void TrafficSampler::beginStep(std::int64_t step, std::int64_t nextStep)
{
    m_step = step;
    m_messages = 0;
    m_isSampled = m_group.board->isTrafficSampled(step);
    const std::int64_t now = monotonicNs();
    if (m_group.communicator->rank() == 0 && now - m_lastSampleNs >= TrafficEveryNs) {
        m_lastSampleNs = now;
        m_group.board->sampleTraffic(nextStep);
    }
}

void TrafficSampler::listen(const comm::MessageEvent& event)
{
    if (m_isSampled) {
        m_recorder.traffic({m_step, m_messages++, event.to, event.from, static_cast<std::int64_t>(event.bytes),
            event.startNs, event.endNs - event.startNs});
    }
}

} // namespace lockstep::engine
