// Parses the files of /proc that the monitor and ranks read. An unexpected line gives no value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

/// Since boot, in kernel ticks, all cores together.
struct CpuTicks {
    std::int64_t busy = 0;
    std::int64_t all = 0;
};

/// Of the first line of /proc/stat. Guests are in user time already; waiting for a disk is idle.
[[nodiscard]] std::optional<CpuTicks> cpuTicks(std::string_view stat);

/// CpuTicks::busy of these cores alone, by number. Nothing unless each of them has a whole line.
[[nodiscard]] std::optional<std::int64_t> busyTicksOf(std::string_view stat, std::span<const int> cores);

/// Since a thread began.
struct ThreadTimes {
    std::int64_t runNs = 0; ///< on a core
    std::int64_t delayNs = 0; ///< runnable, but without a core
};

/// Of /proc/PID/task/TID/schedstat, which a kernel without scheduling statistics lacks or fills with zeros.
[[nodiscard]] std::optional<ThreadTimes> threadTimes(std::string_view schedstat);

struct ProcessTicks {
    std::int64_t busy = 0; ///< user and system time of all threads, in ticks
    std::int64_t startedAt = 0; ///< in ticks since boot: distinguishes processes that had the same id
    std::int64_t residentPages = 0;
};

/// Of /proc/PID/stat. A zombie gives no value.
[[nodiscard]] std::optional<ProcessTicks> processTicks(std::string_view stat);

/// Of the line `name: 123 kB` of /proc/meminfo, in bytes.
[[nodiscard]] std::optional<std::int64_t> bytesIn(std::string_view meminfo, std::string_view name);

/// Empty where it cannot be read. At most 1 MiB, which every file read here fits into.
[[nodiscard]] std::string readProcFile(const std::string& path);

} // namespace lockstep
