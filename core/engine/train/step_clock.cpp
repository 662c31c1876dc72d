#include "engine/train/step_clock.h"

#include "base/clock.h"

#include <torch/torch.h>

namespace lockstep::engine {

namespace {

// A whole-batch step over many chunks would otherwise write thousands of spans that nobody can see.
constexpr std::size_t MostSpansOfAStep = 256;
// Each pass of a pipeline is to be seen, and each sum within the layers that ranks share cuts one in two.
constexpr std::size_t MostSpansOfPasses = 16'384;

} // namespace

StepClock::StepClock(torch::Device device)
    : m_device(device)
{
    m_spans.reserve(MostSpansOfAStep);
}

StepClock::Within::Within(StepClock* clock, Phase phase)
    : m_clock(clock)
{
    if (m_clock != nullptr) {
        m_outer = m_clock->m_open;
        m_microBatch = m_clock->m_microBatch;
        m_clock->begin(phase, m_microBatch);
    }
}

StepClock::Within::~Within()
{
    if (m_clock == nullptr) {
        return;
    }
    if (m_outer) {
        m_clock->begin(*m_outer, m_microBatch);
    } else {
        m_clock->stop();
    }
}

void StepClock::start()
{
    m_spans.clear();
    m_phaseNs.fill(0);
    m_open.reset();
    m_startNs = monotonicNs();
}

void StepClock::begin(Phase phase, std::int32_t microBatch)
{
    const std::int64_t now = closeOpenPhase();
    m_open = phase;
    m_microBatch = microBatch;
    m_phaseStartNs = now;
}

std::int64_t StepClock::stop()
{
    return closeOpenPhase();
}

std::int64_t StepClock::closeOpenPhase()
{
    if (m_open && m_device.is_cuda()) {
        torch::cuda::synchronize(m_device.index());
    }
    const std::int64_t now = monotonicNs();
    if (m_open) {
        const std::int64_t duration = now - m_phaseStartNs;
        m_phaseNs[static_cast<std::size_t>(*m_open)] += duration;
        if (m_spans.size() < (m_microBatch >= 0 ? MostSpansOfPasses : MostSpansOfAStep)) {
            m_spans.push_back({*m_open, m_phaseStartNs, duration, m_microBatch});
        }
        m_open.reset();
    }
    return now;
}

} // namespace lockstep::engine
