#include "engine/ranks/devices/cores.h"

#include "base/allowed_cores.h"

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <sched.h>
#include <string>

namespace lockstep::engine {

namespace {

/// Of this process; without /proc the calling thread, whose number is 0 to the kernel.
std::vector<pid_t> threadsOfProcess()
{
    std::vector<pid_t> threads{0};
    std::error_code failed;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", failed)) {
        const std::string name = task.path().filename().string();
        pid_t thread = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc()) {
            threads.push_back(thread);
        }
    }
    return threads;
}

} // namespace

std::int32_t coresAtStart()
{
    static const auto cores = static_cast<std::int32_t>(coresOfThisThread().size());
    return cores;
}

std::vector<int> coresOfRank(int rank, int ranks, int each, const std::vector<int>& allowed)
{
    const auto first = static_cast<std::size_t>(rank) * static_cast<std::size_t>(each);
    const auto count = static_cast<std::size_t>(each);
    if (static_cast<std::size_t>(ranks) * count <= allowed.size()) {
        const auto begin = allowed.begin() + static_cast<std::ptrdiff_t>(first);
        return {begin, begin + each};
    }
    if (each == 1 && !allowed.empty() && static_cast<std::size_t>(ranks) % allowed.size() == 0) {
        return {allowed[first % allowed.size()]};
    }
    return {};
}

void bindToCores(int rank, int ranks, int each)
{
    static_cast<void>(coresAtStart());
    const std::vector<int> cores = coresOfRank(rank, ranks, each, coresOfThisThread());
    if (cores.empty()) {
        return;
    }
    cpu_set_t mine;
    CPU_ZERO(&mine);
    for (const int core : cores) {
        CPU_SET(core, &mine);
    }
    for (const pid_t thread : threadsOfProcess()) {
        // If this is not allowed, the kernel keeps choosing the cores.
        static_cast<void>(sched_setaffinity(thread, sizeof(mine), &mine));
    }
}

} // namespace lockstep::engine
