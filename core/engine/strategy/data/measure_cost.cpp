#include "engine/strategy/data/measure_cost.h"

#include "base/translate.h"

#include <fmt/format.h>

#include <algorithm>

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

Text MeasureCost::report() const
{
    if (m_with.empty() || m_without.empty()) {
        return {LS_TR("Messages", "the cost of measuring is unknown: the run had fewer than %1 steps"),
            {BlockSteps * Blocks}};
    }
    const double with = medianMs(m_with);
    const double without = medianMs(m_without);
    return {
        LS_TR("Messages", "measuring: %1 ms per step with barriers, %2 ms without (medians of %3 and %4 steps): %5 %"),
        {verbatim(fmt::format("{:.4g}", with)), verbatim(fmt::format("{:.4g}", without)), m_with.size(),
            m_without.size(), verbatim(fmt::format("{:+.1f}", (with / without - 1.0) * 100.0))}};
}

} // namespace lockstep::engine
