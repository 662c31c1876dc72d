#include "store/account/clock_correction.h"

namespace lockstep::store {

void ClockCorrection::learn(const wire::ClockSample& sample)
{
    m_clocks.add(sample.ranks, {sample.timeNs, sample.offsetNs, sample.errorNs}, sample.trips);
}

void ClockCorrection::learn(const Delta& delta)
{
    for (const auto& [rank, sample] : delta.clocks) {
        learn(sample);
    }
}

void ClockCorrection::apply(Delta& delta) const
{
    if (!isNeeded()) {
        return;
    }
    Delta::parts([&]<typename Entry>(const char*, std::vector<Entry> Delta::*part) {
        if constexpr (requires(Entry entry) { entry.what; }) {
            for (auto& [rank, what] : delta.*part) {
                eachTime(what, [this, of = rank](std::int64_t& time) {
                    const auto offset = m_clocks.at(of, time);
                    time += offset ? offset->offsetNs : 0;
                });
            }
        }
    });
}

Delta ClockCorrection::applied(const Delta& delta) const
{
    Delta moved = delta;
    apply(moved);
    return moved;
}

} // namespace lockstep::store
