#include "engine/telemetry/processor_watch.h"

#include "base/clock.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lockstep::engine {

namespace {

const std::int64_t NsPerTick = 1'000'000'000 / std::max<long>(1, sysconf(_SC_CLK_TCK));

constexpr std::int64_t ReadEveryNs = 500'000'000;

} // namespace

ProcessorWatch::ProcessorWatch(std::string procFolder, std::vector<int> cores)
    : m_proc(std::move(procFolder))
    , m_cores(std::move(cores))
{ }

bool ProcessorWatch::follow(Steps steps)
{
    const bool wereRunning = std::exchange(m_steps, steps) == Steps::Run;
    if (steps == Steps::Held && !std::exchange(m_hasHeld, true)) {
        m_isPreparation = wereRunning;
    }
    if (steps == Steps::Run && !wereRunning) {
        m_last = readNow();
        m_counted = std::exchange(m_isPreparation, false) ? ProcessorTimes{} : m_counted;
    } else if (wereRunning && (steps != Steps::Run || !m_last || monotonicNs() - m_last->timeNs >= ReadEveryNs)) {
        count();
    }
    return wereRunning && steps == Steps::Held;
}

void ProcessorWatch::finish()
{
    if (m_steps == Steps::Run) {
        count();
    }
}

ProcessorTimes ProcessorWatch::counted() const
{
    ProcessorTimes times = m_counted;
    if (times.runNs == 0) {
        return {}; // the kernel keeps no statistics
    }
    times.busyNs = m_isBusyKnown ? times.busyNs : 0;
    return times;
}

std::optional<ProcessorWatch::Reading> ProcessorWatch::readNow() const
{
    Reading now;
    now.timeNs = monotonicNs();
    std::error_code error;
    const std::filesystem::path tasks = m_proc + "/self/task";
    for (std::filesystem::directory_iterator each(tasks, error), end; !error && each != end; each.increment(error)) {
        // A thread may end meanwhile: its file is empty then.
        if (const auto times = threadTimes(readProcFile((each->path() / "schedstat").string()))) {
            now.threads.emplace(each->path().filename().string(), *times);
        }
    }
    if (error || now.threads.empty()) {
        return std::nullopt;
    }
    now.busyTicks = busyTicksOf(readProcFile(m_proc + "/stat"), m_cores);
    return now;
}

void ProcessorWatch::count()
{
    auto now = readNow();
    if (!now) {
        return;
    }
    if (m_last) {
        add(*m_last, *now);
    }
    m_last = std::move(now);
}

void ProcessorWatch::add(const Reading& last, const Reading& now)
{
    for (const auto& [id, times] : now.threads) {
        const auto found = last.threads.find(id);
        // Less than before: another thread has the id by now.
        const bool isSame = found != last.threads.end() && times.runNs >= found->second.runNs
            && times.delayNs >= found->second.delayNs;
        const ThreadTimes before = isSame ? found->second : ThreadTimes{};
        m_counted.runNs += times.runNs - before.runNs;
        m_counted.delayNs += times.delayNs - before.delayNs;
    }
    m_counted.watchedNs += now.timeNs - last.timeNs;
    m_isBusyKnown = m_isBusyKnown && now.busyTicks && last.busyTicks;
    m_counted.busyNs += m_isBusyKnown ? (*now.busyTicks - *last.busyTicks) * NsPerTick : 0;
}

} // namespace lockstep::engine
