#include "engine/program/ready.h"

#include "base/descriptor.h"
#include "engine/data/kept_datasets.h"
#include "engine/program/process.h"
#include "engine/program/run_spec.h"
#include "experiment/spec.h"
#include "wire/messages.h"
#include "wire/ready_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <malloc.h>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace lockstep::engine {

namespace {

using wire::ReadyReport;

constexpr int ExitReady = 0;
constexpr int ExitNotReady = 3;
constexpr int ExitLost = 127; ///< of a rank that cannot begin, as of a program that cannot be executed

enum Received : std::size_t { Environment, Output, Errors };

/// What one packet asked for. Closes its descriptors.
struct Asked {
    wire::ForkRequest request{};
    std::string spec{};
    std::array<int, wire::ForkDescriptors> descriptors{-1, -1, -1};

    Asked() = default;
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    ~Asked()
    {
        for (const int each : descriptors) {
            if (each >= 0) {
                close(each);
            }
        }
    }
};

/// False once the workbench has closed its end, or has sent what it never sends.
bool receive(int socket, Asked& asked)
{
    std::vector<char> bytes(wire::MostForkBytes);
    iovec part{bytes.data(), bytes.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(asked.descriptors))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = uninterrupted([&] { return recvmsg(socket, &message, MSG_CMSG_CLOEXEC); });
    const cmsghdr* head = CMSG_FIRSTHDR(&message);
    if (got < static_cast<ssize_t>(sizeof(asked.request)) || head == nullptr || head->cmsg_type != SCM_RIGHTS
        || head->cmsg_len != CMSG_LEN(sizeof(asked.descriptors))) {
        return false;
    }
    std::memcpy(asked.descriptors.data(), CMSG_DATA(head), sizeof(asked.descriptors));
    std::memcpy(&asked.request, bytes.data(), sizeof(asked.request));
    asked.spec.assign(bytes.data() + sizeof(asked.request), static_cast<std::size_t>(got) - sizeof(asked.request));
    return true;
}

/// Replaces this process's environment; the descriptor holds NAME=VALUE entries that end with a zero byte each.
bool takeEnvironment(int descriptor)
{
    struct stat facts { };
    if (fstat(descriptor, &facts) != 0 || facts.st_size == 0) {
        return false;
    }
    std::string text(static_cast<std::size_t>(facts.st_size), '\0');
    if (lseek(descriptor, 0, SEEK_SET) != 0
        || readAll(descriptor, text.data(), text.size()) != static_cast<std::ptrdiff_t>(text.size())) {
        return false;
    }
    clearenv();
    for (std::size_t begin = 0; begin < text.size();) {
        const std::string_view entry(text.c_str() + begin);
        const auto equals = entry.find('=');
        if (equals != std::string_view::npos) {
            setenv(std::string(entry.substr(0, equals)).c_str(), entry.data() + equals + 1, 1);
        }
        begin += entry.size() + 1;
    }
    std::fill(text.begin(), text.end(), '\0'); // the secret was in it
    return true;
}

int threads()
{
    std::error_code failed;
    const std::filesystem::directory_iterator tasks("/proc/self/task", failed);
    return failed ? 0 : static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

class ReadyProcess {
public:
    explicit ReadyProcess(int socket)
        : m_socket(socket)
    { }

    /// Returns in a rank, with the descriptors taken over, or in this process with nothing when the workbench is gone.
    [[nodiscard]] bool serve();

private:
    struct Child {
        std::uint32_t id = 0;
        pid_t pid = 0;
        int descriptor = -1; ///< pidfd
    };

    [[nodiscard]] bool tell(const ReadyReport& report) const;
    /// True in the new rank.
    [[nodiscard]] bool fork(const Asked& asked);
    [[nodiscard]] bool becomeRank(const Asked& asked, pid_t parent);
    void reportEnd(const Child& child) const;
    void killAll() const;

    int m_socket;
    std::vector<Child> m_children;
};

bool ReadyProcess::tell(const ReadyReport& report) const
{
    return uninterrupted([&] { return send(m_socket, &report, sizeof(report), MSG_NOSIGNAL); }) == sizeof(report);
}

/// The data set is loaded for this rank and those that follow, but not beside ranks that are being measured.
void loadData(const std::string& specJson)
{
    try {
        const auto run = readRunSpec(specJson);
        if (run && !experiment::isSweep(*run)) {
            keepDataset(*run);
            malloc_trim(0); // a rank would copy what is free
        }
    } catch (const std::exception&) {
        // The rank meets the same and reports it.
    }
}

bool ReadyProcess::fork(const Asked& asked)
{
    if (m_children.empty()) {
        loadData(asked.spec);
    }
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (!becomeRank(asked, parent)) {
            _exit(ExitLost);
        }
        return true;
    }
    if (pid < 0) {
        static_cast<void>(tell({ReadyReport::Kind::NotStarted, asked.request.id, errno}));
        return false;
    }
    setpgid(pid, pid); // the rank calls it as well; either may be first
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0) {
        const int why = errno;
        kill(pid, SIGKILL);
        static_cast<void>(uninterrupted([&] { return waitpid(pid, nullptr, 0); }));
        static_cast<void>(tell({ReadyReport::Kind::NotStarted, asked.request.id, why}));
        return false;
    }
    m_children.push_back({asked.request.id, pid, descriptor});
    static_cast<void>(tell({ReadyReport::Kind::Started, asked.request.id, pid}));
    return false;
}

bool ReadyProcess::becomeRank(const Asked& asked, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        return false; // it died before the request above
    }
    close(m_socket);
    for (const Child& other : m_children) {
        close(other.descriptor);
    }
    const bool hasOutput
        = dup2(asked.descriptors[Output], STDOUT_FILENO) >= 0 && dup2(asked.descriptors[Errors], STDERR_FILENO) >= 0;
    if (!hasOutput || !takeEnvironment(asked.descriptors[Environment])) {
        return false;
    }
    prctl(PR_SET_NAME, ("rank " + environment("RANK")).c_str());
    return true;
}

/// Its own children end with it: while it has not been waited for, no other group has its number.
void ReadyProcess::reportEnd(const Child& child) const
{
    siginfo_t end{};
    const auto wait = [&](int how) {
        static_cast<void>(uninterrupted([&] { return waitid(P_PID, static_cast<id_t>(child.pid), &end, how); }));
    };
    wait(WEXITED | WNOWAIT);
    kill(-child.pid, SIGKILL);
    wait(WEXITED);
    close(child.descriptor);
    const auto kind = end.si_code == CLD_EXITED ? ReadyReport::Kind::Exited : ReadyReport::Kind::Killed;
    static_cast<void>(tell({kind, child.id, end.si_status}));
}

void ReadyProcess::killAll() const
{
    for (const Child& child : m_children) {
        kill(-child.pid, SIGKILL);
    }
}

bool ReadyProcess::serve()
{
    if (!tell({ReadyReport::Kind::Loaded, 0, static_cast<std::int32_t>(wire::ProtocolVersion)})) {
        return false;
    }
    while (true) {
        std::vector<pollfd> waited{{m_socket, POLLIN, 0}};
        for (const Child& child : m_children) {
            waited.push_back({child.descriptor, POLLIN, 0});
        }
        if (poll(waited.data(), waited.size(), -1) < 0) {
            continue; // interrupted
        }
        for (std::size_t i = m_children.size(); i > 0; --i) {
            if (waited[i].revents != 0) {
                reportEnd(m_children[i - 1]);
                m_children.erase(m_children.begin() + static_cast<std::ptrdiff_t>(i - 1));
            }
        }
        if (waited[0].revents != 0) {
            Asked asked;
            if (!receive(m_socket, asked)) {
                killAll();
                return false;
            }
            if (fork(asked)) {
                return true;
            }
        }
    }
}

} // namespace

int forkRanks(int socket, const std::function<int()>& train)
{
    if (!endWithParent()) {
        return ExitNotReady;
    }
    if (const int count = threads(); count != 1) {
        std::fprintf(stderr, "lockstep-rank: --ready: the libraries have started %d threads, which a fork would lose\n",
            count - 1);
        return ExitNotReady;
    }
    return ReadyProcess(socket).serve() ? train() : ExitReady;
}

} // namespace lockstep::engine
