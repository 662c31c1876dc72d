#include "engine/strategy/data/measure_cost.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace lockstep::engine {

namespace {

double medianMs(std::vector<std::int64_t> times)
{
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return static_cast<double>(*middle) / 1e6;
}

} // namespace

void MeasureCost::add(std::int64_t step, std::int64_t wallNs)
{
    if ((step - 1) % BlockSteps != 0) { // the previous block still affects a block's first step
        (isMeasured(step) ? m_with : m_without).push_back(wallNs);
    }
}

std::string MeasureCost::report() const
{
    if (m_with.empty() || m_without.empty()) {
        return "the cost of measuring is unknown: the run had fewer than " + std::to_string(BlockSteps * Blocks)
            + " steps";
    }
    const double with = medianMs(m_with);
    const double without = medianMs(m_without);
    std::array<char, 160> text{};
    std::snprintf(text.data(), text.size(),
        "measuring: %.4g ms per step with barriers, %.4g ms without (medians of %zu and %zu steps): %+.1f %%", with,
        without, m_with.size(), m_without.size(), (with / without - 1.0) * 100.0);
    return text.data();
}

} // namespace lockstep::engine
