#include "analysis/machine_record.h"

#include <algorithm>
#include <cmath>

namespace lockstep::analysis {

namespace {

[[nodiscard]] std::uint64_t bitsOf(HeldBy what)
{
    const auto bits = [](auto... reasons) { return (static_cast<std::uint64_t>(reasons) | ...); };
    switch (what) {
    case HeldBy::Power:
        return bits(ClockReason::PowerLimit, ClockReason::HardwarePower);
    case HeldBy::Heat:
        return bits(ClockReason::Heat, ClockReason::HardwareHeat);
    case HeldBy::Hardware:
        return bits(ClockReason::HardwareSlowdown);
    }
    return 0;
}

} // namespace

bool isHeldBy(std::uint64_t clockReasons, HeldBy what)
{
    return (clockReasons & bitsOf(what)) != 0;
}

void MachineFiguresBuilder::Mean::add(double value)
{
    if (std::isfinite(value)) {
        sum += value;
        ++count;
        highest = count == 1 ? value : std::max(highest, value);
    }
}

void MachineFiguresBuilder::add(const Machine& machine)
{
    Host& host = m_hosts[machine.host];
    host.cores = machine.cores;
    host.mps = machine.mps;
    for (const MachineGpu& gpu : machine.gpus) {
        host.gpus[gpu.number].name = gpu.name;
    }
}

void MachineFiguresBuilder::add(const MachineSample& sample)
{
    Host& host = m_hosts[sample.host];
    const double seconds = host.samples > 0 ? static_cast<double>(sample.timeNs - host.lastNs) / 1e9 : 0.0;
    host.firstNs = host.samples == 0 ? sample.timeNs : host.firstNs;
    host.lastNs = sample.timeNs;
    ++host.samples;
    host.busy.add(sample.busyCores);
    host.workbench.add(sample.workbenchCores);
    host.samplingMs += std::isfinite(sample.samplingMs) ? sample.samplingMs : 0.0;
    if (std::isfinite(sample.freeMemoryBytes)) {
        host.lowestFree
            = std::isnan(host.lowestFree) ? sample.freeMemoryBytes : std::min(host.lowestFree, sample.freeMemoryBytes);
    }
    for (const RankUse& rank : sample.ranks) {
        host.ranks[rank.rank].cores.add(rank.cores);
        host.ranks[rank.rank].resident.add(rank.residentBytes);
    }
    for (const GpuShare& share : sample.shares) {
        if (share.rank >= 0) {
            host.ranks[share.rank].gpu.add(share.bytes);
        }
    }
    for (const GpuUse& use : sample.gpus) {
        Gpu& gpu = host.gpus[use.number];
        gpu.use.add(use.usePercent);
        gpu.memory.add(use.memoryBytes);
        gpu.power.add(use.powerW);
        gpu.temperature.add(use.temperatureC);
        gpu.clock.add(use.smMhz);
        gpu.energyJ += std::isfinite(use.powerW) ? use.powerW * seconds : 0.0;
        ++gpu.samples;
        for (std::size_t i = 0; i < HeldByCount; ++i) {
            gpu.held[i] += isHeldBy(use.clockReasons, static_cast<HeldBy>(i)) ? 1 : 0;
        }
    }
}

std::vector<MachineFigures> MachineFiguresBuilder::figures() const
{
    std::vector<MachineFigures> list;
    for (const auto& [name, host] : m_hosts) {
        MachineFigures figures;
        figures.host = name;
        figures.cores = host.cores;
        figures.samples = host.samples;
        figures.meanBusyCores = host.busy.mean();
        figures.lowestFreeMemoryBytes = host.lowestFree;
        figures.workbenchCores = host.workbench.mean();
        if (host.lastNs > host.firstNs) {
            figures.samplingCores = host.samplingMs * 1e6 / static_cast<double>(host.lastNs - host.firstNs);
        }
        for (const auto& [number, gpu] : host.gpus) {
            GpuFigures& shown = figures.gpus.emplace_back();
            shown.number = number;
            shown.name = gpu.name;
            shown.meanUsePercent = gpu.use.mean();
            shown.highestUsePercent = gpu.use.highest;
            shown.highestMemoryBytes = gpu.memory.highest;
            shown.meanPowerW = gpu.power.mean();
            shown.energyJ = gpu.power.count > 0 ? gpu.energyJ : NotMeasured;
            shown.highestTemperatureC = gpu.temperature.highest;
            shown.meanSmMhz = gpu.clock.mean();
            for (std::size_t i = 0; i < HeldByCount && gpu.samples > 0; ++i) {
                shown.heldShare[i] = static_cast<double>(gpu.held[i]) / static_cast<double>(gpu.samples);
            }
        }
        for (const auto& [rank, uses] : host.ranks) {
            figures.ranks.push_back({rank, uses.cores.mean(), uses.resident.highest, uses.gpu.highest});
        }
        figures.mps = host.mps;
        list.push_back(std::move(figures));
    }
    return list;
}

} // namespace lockstep::analysis
