#include "launch/run_monitor.h"

#include <utility>

namespace lockstep::launch {

namespace {

/// The monitor knows the ranks of all runs that are alive together: those of a run by its place.
constexpr std::int32_t RanksOfAPlace = 1 << 12;

} // namespace

RunMonitor::RunMonitor(MachineMonitor* monitor, std::int32_t place, Collector& collector)
    : m_monitor(monitor)
    , m_collector(collector)
    , m_firstRank(place * RanksOfAPlace)
{ }

void RunMonitor::watch(std::int32_t rank, const wire::Hello& hello)
{
    if (m_monitor == nullptr) {
        return;
    }
    if (!std::exchange(m_isMonitored, true)) {
        connect(m_monitor, &MachineMonitor::described, this, &RunMonitor::addMachine);
        connect(m_monitor, &MachineMonitor::sampled, this, &RunMonitor::addSample);
        m_monitor->begin();
        if (const auto& known = m_monitor->machine()) {
            addMachine(*known);
        }
    }
    m_monitor->watch(m_firstRank + rank, hello);
}

void RunMonitor::end()
{
    if (m_isMonitored && m_monitor != nullptr) {
        m_monitor->end();
        m_monitor->disconnect(this);
    }
}

void RunMonitor::addMachine(const analysis::Machine& machine)
{
    if (!std::exchange(m_isDescribed, true)) {
        analysis::Machine described = machine;
        described.mps = m_mps;
        m_collector.add(std::move(described));
    }
}

/// Ranks of other runs are other processes to this one.
void RunMonitor::addSample(const analysis::MachineSample& sample)
{
    const auto isOwn = [&](std::int32_t rank) { return rank >= m_firstRank && rank < m_firstRank + RanksOfAPlace; };
    analysis::MachineSample own = sample;
    std::erase_if(own.ranks, [&](const analysis::RankUse& use) { return !isOwn(use.rank); });
    for (analysis::RankUse& use : own.ranks) {
        use.rank -= m_firstRank;
    }
    for (analysis::GpuShare& share : own.shares) {
        share.rank = isOwn(share.rank) ? share.rank - m_firstRank : -1;
    }
    m_collector.add(std::move(own));
}

} // namespace lockstep::launch
