#include "engine/run/straggler.h"

#include "base/clock.h"
#include "engine/comm/link/link.h"

#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <utility>

namespace lockstep::engine {

namespace {

/// Of a product that takes some microseconds: a stretched pass ends no later than that.
constexpr std::int64_t Side = 64;
/// The last part of a delay is not slept: a sleep ends some 0.05 ms late, and a core that slept is slower at first.
constexpr std::int64_t AwakeNs = 200'000;

} // namespace

Straggler::Straggler(const torch::Device& device, std::function<bool()> waitForDevice)
    : m_device(device)
    , m_waitForDevice(std::move(waitForDevice))
{ }

void Straggler::beginStep(const Stragglers::Values& values)
{
    m_factor = values.factor;
    m_delayNs = static_cast<std::int64_t>(values.delayMs * 1e6);
    m_hasDelayed = false;
}

void Straggler::stretch(std::int64_t beganNs)
{
    if (m_factor <= 1.0 || !m_waitForDevice()) {
        return;
    }
    beganNs = std::max(beganNs, m_delayEndNs);
    const std::int64_t now = monotonicNs();
    const auto end = now + static_cast<std::int64_t>(static_cast<double>(now - beganNs) * (m_factor - 1.0));
    const torch::NoGradGuard noGrad;
    if (!m_factors.defined()) {
        m_factors = torch::zeros({Side, Side}, torch::TensorOptions().device(m_device));
    }
    // Arithmetic of the same kind, so that the rank occupies its core as on a slow machine.
    while (monotonicNs() < end) {
        static_cast<void>(torch::mm(m_factors, m_factors));
        if (!m_waitForDevice()) {
            return;
        }
    }
}

void Straggler::delay()
{
    if (std::exchange(m_hasDelayed, true) || m_delayNs <= 0 || !m_waitForDevice()) {
        return;
    }
    const std::int64_t end = monotonicNs() + m_delayNs;
    comm::sleepUntilNs(end - AwakeNs);
    while (monotonicNs() < end) { }
    m_delayEndNs = monotonicNs();
}

} // namespace lockstep::engine
