#include "base/proc_files.h"

#include "base/descriptor.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fcntl.h>
#include <unistd.h>

namespace lockstep {

namespace {

/// Takes the next word off the front.
std::string_view nextWord(std::string_view& text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
        text = {};
        return {};
    }
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::int64_t> nextNumber(std::string_view& text)
{
    const std::string_view word = nextWord(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

/// The numbers of a line of /proc/stat.
std::optional<CpuTicks> ticksOf(std::string_view line)
{
    // user nice system idle iowait irq softirq steal
    constexpr std::size_t Idle = 3;
    constexpr std::size_t WaitsForDisk = 4;
    CpuTicks ticks;
    for (std::size_t i = 0; i < 8; ++i) {
        const auto value = nextNumber(line);
        if (!value) {
            return i > Idle ? std::optional(ticks) : std::nullopt; // old kernels report fewer
        }
        ticks.all += *value;
        ticks.busy += i == Idle || i == WaitsForDisk ? 0 : *value;
    }
    return ticks;
}

std::string_view nextLine(std::string_view& text)
{
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

} // namespace

std::optional<CpuTicks> cpuTicks(std::string_view stat)
{
    std::string_view line = nextLine(stat);
    return nextWord(line) == "cpu" ? ticksOf(line) : std::nullopt;
}

std::optional<std::int64_t> busyTicksOf(std::string_view stat, std::span<const int> cores)
{
    constexpr std::string_view Prefix = "cpu";
    std::int64_t busy = 0;
    std::size_t found = 0;
    // A last line without its end was cut.
    while (stat.starts_with(Prefix) && stat.find('\n') != std::string_view::npos) {
        std::string_view line = nextLine(stat).substr(Prefix.size());
        if (line.starts_with(' ')) {
            continue; // all cores together
        }
        const auto core = nextNumber(line);
        if (!core || std::ranges::find(cores, *core) == cores.end()) {
            continue;
        }
        const auto ticks = ticksOf(line);
        found += ticks ? 1 : 0;
        busy += ticks ? ticks->busy : 0;
    }
    return found == cores.size() && found > 0 ? std::optional(busy) : std::nullopt;
}

std::optional<ThreadTimes> threadTimes(std::string_view schedstat)
{
    std::string_view line = nextLine(schedstat);
    const auto run = nextNumber(line);
    const auto delay = nextNumber(line);
    return run && delay ? std::optional(ThreadTimes{*run, *delay}) : std::nullopt;
}

std::optional<ProcessTicks> processTicks(std::string_view stat)
{
    // The name may hold spaces and brackets; nothing after it does.
    const auto end = stat.rfind(')');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view rest = stat.substr(end + 1);
    const std::string_view state = nextWord(rest);
    if (state.empty() || state == "Z" || state == "X") {
        return std::nullopt;
    }
    // Numbers of proc(5): 4 parent, ..., 14 user time, 15 system time, ..., 22 start, 23 virtual size, 24 resident.
    std::array<std::int64_t, 25> field{};
    for (std::size_t i = 4; i <= 24; ++i) {
        const auto value = nextNumber(rest);
        if (!value && i != 23) {
            return std::nullopt; // the virtual size may not fit, and is not needed
        }
        field[i] = value.value_or(0);
    }
    return ProcessTicks{field[14] + field[15], field[22], field[24]};
}

std::optional<std::int64_t> bytesIn(std::string_view meminfo, std::string_view name)
{
    while (!meminfo.empty()) {
        std::string_view line = nextLine(meminfo);
        if (line.size() > name.size() && line.substr(0, name.size()) == name && line[name.size()] == ':') {
            line.remove_prefix(name.size() + 1);
            const auto kibibytes = nextNumber(line);
            return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string readProcFile(const std::string& path)
{
    std::string text;
    const Descriptor file(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
    constexpr std::size_t Most = 1024 * 1024;
    std::array<char, 4096> buffer;
    while (text.size() < Most) {
        const auto got = uninterrupted([&] { return ::read(file.number(), buffer.data(), buffer.size()); });
        if (got <= 0) {
            break;
        }
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

} // namespace lockstep
