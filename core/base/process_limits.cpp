#include "base/process_limits.h"

#include "base/proc_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep {

namespace {

/// Of open files, as this process was started; a child needs it where nothing may be allocated.
rlimit s_filesAtStart{};
bool s_isRaised = false;

/// A number at the front of `text`, after blanks.
std::optional<std::int64_t> numberOf(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

/// `visit(name)` for each entry; whether the folder can be read.
template <typename Visit>
bool visitFolder(const char* path, Visit visit)
{
    DIR* folder = opendir(path);
    if (folder == nullptr) {
        return false;
    }
    while (const dirent* entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            visit(std::string_view(entry->d_name));
        }
    }
    closedir(folder);
    return true;
}

/// Threads of this user's processes.
std::int64_t tasksOfUser()
{
    std::int64_t tasks = 0;
    visitFolder("/proc", [&tasks](std::string_view name) {
        const std::string folder = "/proc/" + std::string(name);
        struct stat facts { };
        if (!numberOf(name) || ::stat(folder.c_str(), &facts) != 0 || facts.st_uid != getuid()) {
            return;
        }
        const std::string status = readProcFile(folder + "/status");
        constexpr std::string_view Threads = "\nThreads:";
        const auto at = status.find(Threads);
        tasks
            += at == std::string::npos ? 1 : numberOf(std::string_view(status).substr(at + Threads.size())).value_or(1);
    });
    return tasks;
}

std::optional<Allowance> userAllowance()
{
    rlimit limit{};
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return std::nullopt;
    }
    return Allowance{static_cast<std::int64_t>(limit.rlim_cur), tasksOfUser(), "ulimit -u"};
}

std::optional<Allowance> stricter(const std::optional<Allowance>& a, const std::optional<Allowance>& b)
{
    if (!a || !b) {
        return a ? a : b;
    }
    return a->left() <= b->left() ? a : b;
}

} // namespace

void raiseOpenFileLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) {
        return;
    }
    s_filesAtStart = limit;
    limit.rlim_cur = limit.rlim_max;
    s_isRaised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

void restoreOpenFileLimit()
{
    if (s_isRaised) {
        setrlimit(RLIMIT_NOFILE, &s_filesAtStart);
    }
}

std::optional<Allowance> openFileAllowance()
{
    rlimit limit{};
    std::int64_t used = -1; // the one that reads the folder
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return std::nullopt;
    }
    const auto most = static_cast<std::int64_t>(limit.rlim_cur);
    if (!visitFolder("/proc/self/fd", [&used](std::string_view) { ++used; })) {
        return errno == EMFILE ? std::optional(Allowance{most, most, "ulimit -n"}) : std::nullopt;
    }
    return Allowance{most, used, "ulimit -n"};
}

std::optional<Allowance> processAllowance()
{
    return stricter(userAllowance(), groupAllowance(readProcFile("/proc/self/cgroup"), "/sys/fs/cgroup"));
}

std::optional<Allowance> groupAllowance(std::string_view memberships, const std::string& root)
{
    std::optional<Allowance> strictest;
    while (!memberships.empty()) {
        const std::string_view line = memberships.substr(0, memberships.find('\n'));
        memberships.remove_prefix(std::min(line.size() + 1, memberships.size()));
        // `4:pids:/group` of version 1, `0::/group` of version 2.
        const auto first = line.find(':');
        const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos) {
            continue;
        }
        const std::string_view controllers = line.substr(first + 1, second - first - 1);
        if (!controllers.empty() && controllers != "pids") {
            continue;
        }
        const std::string mount = controllers.empty() ? root : root + "/pids";
        // Each group above it binds as well. A container may see its own as the root, under another's name.
        for (std::string group(line.substr(second + 1));; group.resize(group.rfind('/'))) {
            const auto most = numberOf(readProcFile(mount + group + "/pids.max"));
            const auto used = numberOf(readProcFile(mount + group + "/pids.current"));
            if (most && used) {
                strictest = stricter(strictest, Allowance{*most, *used, "pids.max"});
            }
            if (group.find('/') == std::string::npos) {
                break;
            }
        }
    }
    return strictest;
}

Text atLimit(int code, const Text& why)
{
    const bool isOfFiles = code == EMFILE;
    const auto allowed = isOfFiles ? openFileAllowance() : code == EAGAIN ? processAllowance() : std::nullopt;
    if (!allowed) {
        return why;
    }
    return {isOfFiles ? LS_TR("Messages", "%1: this process may open %2 files (%3)")
                      : LS_TR("Messages", "%1: %2 processes and threads are allowed (%3)"),
        {why, allowed->most, verbatim(allowed->by)}};
}

Text atLimit(int code)
{
    return atLimit(code, systemError(code));
}

Text systemFailure(const std::system_error& error)
{
    // Errors of files and streams are of this type as well.
    const bool isOfThread = error.code() == std::errc::resource_unavailable_try_again;
    return isOfThread ? Text(LS_TR("Messages", "a thread could not be created: %1"), {atLimit(error.code().value())})
                      : verbatim(error.what());
}

} // namespace lockstep
