#include "launch/monitor/machine_sampler.h"

#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <unistd.h>

namespace lockstep::launch {

namespace {

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

const double TicksPerSecond = static_cast<double>(std::max<long>(1, sysconf(_SC_CLK_TCK)));
const double PageBytes = static_cast<double>(std::max<long>(1, sysconf(_SC_PAGESIZE)));

/// A process's time is counted in hundredths of a second: over less than this its mean would be noise.
constexpr double ShortestSeconds = 0.1;

/// How pages are shared is read at most this often, and in at most one part of this many of the time.
constexpr std::int64_t ShortestSharedNs = 1'000'000'000;
constexpr std::int64_t SharedPause = 400;

template <typename T>
double orNotMeasured(const std::optional<T>& value)
{
    return value ? static_cast<double>(*value) : analysis::NotMeasured;
}

} // namespace

Sampler::Sampler(std::unique_ptr<Nvml> nvml, std::string procFolder)
    : m_nvml(std::move(nvml))
    , m_proc(std::move(procFolder))
{
    m_machine.host = hostName();
    m_machine.cores = static_cast<std::int32_t>(std::max<long>(1, sysconf(_SC_NPROCESSORS_ONLN)));
    m_machine.memoryBytes = bytesIn(file("meminfo"), "MemTotal").value_or(0);
    if (m_nvml != nullptr) {
        for (const GpuFacts& gpu : m_nvml->gpus()) {
            m_machine.gpus.push_back({gpu.number, gpu.name, gpu.uuid, gpu.memoryBytes});
        }
    }
    begin();
}

std::string Sampler::file(const char* name) const
{
    return readProcFile(m_proc + '/' + name);
}

std::optional<ProcessTicks> Sampler::processOf(std::int64_t pid) const
{
    return processTicks(readProcFile(fmt::format("{}/{}/stat", m_proc, pid)));
}

void Sampler::begin()
{
    m_ranks.clear();
    m_before = cpuTicks(file("stat"));
    m_workbenchBefore = {processProcessorNs(), monotonicNs()};
}

void Sampler::watch(std::int32_t rank, std::int64_t pid)
{
    Watched watched;
    watched.pid = pid;
    watched.isGone = pid <= 0;
    watched.before = watched.isGone ? std::nullopt : processOf(pid);
    watched.beforeNs = monotonicNs();
    m_ranks[rank] = watched;
}

double Sampler::memoryOf(Watched& watched, const ProcessTicks& now) const
{
    const std::int64_t begin = monotonicNs();
    if (begin >= watched.nextSharedNs) {
        const auto bytes = bytesIn(readProcFile(fmt::format("{}/{}/smaps_rollup", m_proc, watched.pid)), "Pss");
        watched.sharedBytes = bytes ? bytes : watched.sharedBytes;
        const std::int64_t took = (monotonicNs() - begin) * static_cast<std::int64_t>(m_ranks.size());
        watched.nextSharedNs = begin + std::max(ShortestSharedNs, took * SharedPause);
    }
    return watched.sharedBytes ? static_cast<double>(*watched.sharedBytes)
                               : static_cast<double>(now.residentPages) * PageBytes;
}

void Sampler::addRanks(analysis::MachineSample& sample)
{
    for (auto& [rank, watched] : m_ranks) {
        if (watched.isGone) {
            continue;
        }
        const auto now = processOf(watched.pid);
        if (!now || (watched.before && watched.before->startedAt != now->startedAt)) {
            watched.isGone = true; // or another process has the id by now
            continue;
        }
        analysis::RankUse use;
        use.rank = rank;
        use.residentBytes = memoryOf(watched, *now);
        const double seconds = static_cast<double>(sample.timeNs - watched.beforeNs) / 1e9;
        if (!watched.before || seconds >= ShortestSeconds) {
            if (watched.before) {
                use.cores = static_cast<double>(now->busy - watched.before->busy) / TicksPerSecond / seconds;
            }
            watched.before = now;
            watched.beforeNs = sample.timeNs;
        }
        sample.ranks.push_back(use);
    }
}

void Sampler::addGpus(analysis::MachineSample& sample) const
{
    if (m_nvml == nullptr) {
        return;
    }
    const auto rankOf = [this](std::int64_t pid) {
        const auto found = std::find_if(m_ranks.begin(), m_ranks.end(),
            [pid](const auto& each) { return !each.second.isGone && each.second.pid == pid; });
        return found == m_ranks.end() ? -1 : found->first;
    };
    for (const analysis::MachineGpu& gpu : m_machine.gpus) {
        const GpuReading now = m_nvml->read(gpu.number);
        sample.gpus.push_back({gpu.number, orNotMeasured(now.usePercent), orNotMeasured(now.memoryUsePercent),
            orNotMeasured(now.memoryUsedBytes), orNotMeasured(now.powerW), orNotMeasured(now.powerLimitW),
            orNotMeasured(now.temperatureC), orNotMeasured(now.smMhz), orNotMeasured(now.memoryMhz),
            now.clockReasons.value_or(0)});
        for (const GpuProcess& process : now.processes) {
            sample.shares.push_back({gpu.number, rankOf(process.pid), orNotMeasured(process.bytes)});
        }
    }
}

analysis::MachineSample Sampler::sample()
{
    const std::int64_t cpuBefore = threadProcessorNs();
    analysis::MachineSample sample;
    sample.host = m_machine.host;
    sample.timeNs = monotonicNs();
    const auto ticks = cpuTicks(file("stat"));
    if (ticks && m_before && ticks->all > m_before->all) {
        // Relative to the elapsed ticks, not the clock: the same kernel counts both.
        sample.busyCores = static_cast<double>(ticks->busy - m_before->busy)
            / static_cast<double>(ticks->all - m_before->all) * m_machine.cores;
    }
    m_before = ticks;
    if (const auto free = bytesIn(file("meminfo"), "MemAvailable")) {
        sample.freeMemoryBytes = static_cast<double>(*free);
    }
    const Workbench now{processProcessorNs(), sample.timeNs};
    if (m_workbenchBefore && now.timeNs > m_workbenchBefore->timeNs) {
        sample.workbenchCores = static_cast<double>(now.cpuNs - m_workbenchBefore->cpuNs)
            / static_cast<double>(now.timeNs - m_workbenchBefore->timeNs);
    }
    m_workbenchBefore = now;
    addRanks(sample);
    addGpus(sample);
    sample.samplingMs = static_cast<double>(threadProcessorNs() - cpuBefore) / 1e6;
    return sample;
}

} // namespace lockstep::launch
