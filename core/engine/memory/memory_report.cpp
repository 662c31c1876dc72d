#include "engine/memory/memory_report.h"

#include "base/clock.h"
#include "base/translate.h"
#include "engine/memory/memory_account.h"
#include "experiment/settings.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

namespace lockstep::engine {

namespace {

constexpr std::int64_t SampleEveryNs = 100'000'000;

struct Resident {
    std::int64_t now = 0;
    std::int64_t most = 0;
};

/// VmRSS and VmHWM of proc(5), which has them in kB of 1024 bytes; zeros where there is no such file.
Resident residentBytes()
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/status", "re"), &std::fclose);
    Resident resident;
    std::array<char, 256> line{};
    while (file && std::fgets(line.data(), static_cast<int>(line.size()), file.get()) != nullptr) {
        long long kilobytes = 0;
        if (std::sscanf(line.data(), "VmHWM: %lld", &kilobytes) == 1) {
            resident.most = kilobytes * 1024;
        } else if (std::sscanf(line.data(), "VmRSS: %lld", &kilobytes) == 1) {
            resident.now = kilobytes * 1024;
            break; // it comes after the other
        }
    }
    return resident;
}

} // namespace

MemoryReport::MemoryReport(
    Recorder& recorder, const plan::MemoryPlan& planned, const LastingOnDevice& lasting, DeviceUse use)
    : m_recorder(recorder)
    , m_lasting(lasting)
    , m_planned(planned)
    , m_use(use)
{ }

MemoryBytes MemoryReport::onDevice(std::int64_t used, std::int64_t workspace) const
{
    MemoryBytes bytes = m_lasting.bytes;
    of(bytes, MemoryKind::Workspace) += workspace;
    const std::int64_t lasting = sumOf(bytes) - m_lasting.foreignBytes;
    of(bytes, MemoryKind::Activations) += std::max<std::int64_t>(0, used - lasting);
    return bytes;
}

void MemoryReport::checkLimit() const
{
    if (m_lasting.limitBytes == 0 || m_lasting.device.is_cpu()) {
        return;
    }
    const DeviceMemoryUse use = m_use(m_lasting.device);
    if (const std::int64_t sum = use.most + m_lasting.foreignBytes; sum > m_lasting.limitBytes) {
        throw MemoryLimitReached(refusal(nameOf(&experiment::RankSettings::memoryMb),
            LS_TR("Messages", "the tensors took %1 MB of GPU memory, of %2 MB that are allowed (%3)"),
            {verbatim(megabytes(sum)), verbatim(megabytes(m_lasting.limitBytes)),
                verbatim(kindsText(onDevice(use.most, use.workspace)))}));
    }
}

void MemoryReport::beginStep()
{
    checkLimit();
    if (MemoryAccount* account = MemoryAccount::current()) {
        account->restartPeaks();
    }
    restartMost(m_lasting.device);
}

void MemoryReport::endStep(std::int64_t step, Step which)
{
    const MemoryAccount* account = MemoryAccount::current();
    if (account == nullptr) {
        return;
    }
    const bool isOnDevice = !m_lasting.device.is_cpu();
    const DeviceMemoryUse use = m_use(m_lasting.device);
    const MemoryBytes most = isOnDevice ? onDevice(use.most, use.workspace) : account->peaks();
    const std::int64_t sum = isOnDevice ? use.most + m_lasting.foreignBytes : account->peak();
    for (std::size_t kind = 0; kind < MemoryKindCount; ++kind) {
        m_most[kind] = std::max(m_most[kind], most[kind]);
    }
    m_mostOfSum = std::max(m_mostOfSum, sum);
    m_highest = std::max(m_highest, sum);
    if (which == Step::Last || m_lastNs == 0 || monotonicNs() - m_lastNs >= SampleEveryNs) {
        tell(step);
    }
}

void MemoryReport::finish(std::int64_t step)
{
    checkLimit();
    tell(step);
}

void MemoryReport::tell(std::int64_t step)
{
    const MemoryAccount* account = MemoryAccount::current();
    if (account == nullptr) {
        return;
    }
    m_lastNs = monotonicNs();
    const bool isOnDevice = !m_lasting.device.is_cpu();
    const Resident resident = residentBytes();
    const DeviceMemoryUse use = m_use(m_lasting.device);
    m_recorder.memory({.step = step,
        .timeNs = m_lastNs,
        .live = isOnDevice ? onDevice(use.live, use.workspace) : account->live(),
        .most = m_most,
        .mostOfSum = m_mostOfSum,
        .highest = isOnDevice ? m_highest : account->highest(),
        .residentBytes = resident.now,
        .highestResidentBytes = resident.most,
        .planned = m_planned.bytes,
        .plannedHighest = m_planned.highest});
    m_most = {};
    m_mostOfSum = 0;
}

} // namespace lockstep::engine
