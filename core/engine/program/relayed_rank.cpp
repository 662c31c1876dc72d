#include "engine/program/relayed_rank.h"

#include "base/clock.h"
#include "base/private_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace lockstep::engine {

using wire::RelayKind;

namespace {

constexpr int ExitNotExecuted = 127; ///< as a shell's
/// Only a process that has left the rank's group can keep its output open for longer.
constexpr std::int64_t DrainLimitNs = 300'000'000;

/// Of a pipe or a pair of sockets: this side, which does not block, and the rank's.
using Ends = std::array<Descriptor, 2>;

template <typename Make>
bool openEnds(Ends& ends, const Make& make)
{
    std::array<int, 2> numbers{-1, -1};
    const bool isMade = make(numbers.data()) == 0;
    ends = {Descriptor(numbers[0]), Descriptor(numbers[1])};
    return isMade && fcntl(numbers[0], F_SETFL, O_NONBLOCK) == 0;
}

struct Channels {
    Ends connection;
    Ends output;
    Ends errors;

    [[nodiscard]] bool open()
    {
        const auto pipe = [](int* ends) { return pipe2(ends, O_CLOEXEC); };
        const auto sockets
            = [](int* ends) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends); };
        return openEnds(connection, sockets) && openEnds(output, pipe) && openEnds(errors, pipe);
    }
};

/// This process's environment with the given variables in place of its own.
std::vector<std::string> environmentOf(const std::map<std::string, std::string>& given)
{
    std::vector<std::string> entries;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (!given.contains(std::string(text.substr(0, text.find('='))))) {
            entries.emplace_back(text);
        }
    }
    for (const auto& [name, value] : given) {
        entries.push_back(name + "=" + value);
    }
    return entries;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

/// In the child: only what is safe between fork and exec.
[[noreturn]] void executeRank(
    const Channels& ends, pid_t relay, const char* program, char* const* words, char* const* names)
{
    setpgid(0, 0);
    restoreFileMask();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool isReady = getppid() == relay && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0
        && dup2(ends.output[1].number(), STDOUT_FILENO) >= 0 && dup2(ends.errors[1].number(), STDERR_FILENO) >= 0
        && fcntl(ends.connection[1].number(), F_SETFD, 0) == 0;
    if (isReady) {
        signal(SIGPIPE, SIG_DFL);
        execve(program, words, names);
        const char* why = strerror(errno);
        static_cast<void>(!write(STDERR_FILENO, why, strlen(why)));
    }
    _exit(ExitNotExecuted);
}

} // namespace

Result<RelayedRank> RelayedRank::start(const RelayedCommand& command)
{
    Channels ends;
    if (!ends.open()) {
        return failure(LS_TR("Messages", "the relay cannot start a rank: %1"), {systemError()});
    }
    auto variables = command.environment;
    variables["LOCKSTEP_TELEMETRY"] = "fd:" + std::to_string(ends.connection[1].number());
    const std::string program = command.program.empty() ? "/proc/self/exe" : command.program;
    std::vector<std::string> words = command.arguments;
    words.insert(words.begin(), command.program.empty() ? "lockstep-rank" : program);
    std::vector<std::string> entries = environmentOf(variables);
    const std::vector<char*> argv = pointersTo(words);
    const std::vector<char*> envp = pointersTo(entries);
    const pid_t relay = getpid();
    const pid_t child = fork();
    if (child == 0) {
        executeRank(ends, relay, program.c_str(), argv.data(), envp.data());
    }
    for (std::string& entry : entries) {
        std::fill(entry.begin(), entry.end(), '\0'); // a secret was among them
    }
    if (child < 0) {
        return failure(LS_TR("Messages", "the relay cannot start a rank: %1"), {systemError()});
    }
    setpgid(child, child); // the rank calls it as well; either may be first
    RelayedRank started;
    started.m_rank = command.rank;
    started.m_process = child;
    started.m_watch = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
    started.m_connection = std::move(ends.connection[0]);
    started.m_output = std::move(ends.output[0]);
    started.m_errors = std::move(ends.errors[0]);
    return started;
}

void RelayedRank::signal(int number) const
{
    if (isAlive() && m_process > 1 && kill(-m_process, number) != 0) {
        kill(m_process, number); // it has not reached setpgid yet
    }
}

void RelayedRank::send(std::span<const std::byte> bytes)
{
    if (isConnected()) {
        m_unsent.insert(m_unsent.end(), bytes.begin(), bytes.end());
        write();
    }
}

void RelayedRank::closeConnection()
{
    m_connection.close();
    m_unsent.clear();
}

void RelayedRank::addTo(std::vector<pollfd>& polled, bool mayRead) const
{
    if (isAlive() && m_watch.isOpen()) {
        polled.push_back({m_watch.number(), POLLIN, 0});
    }
    const auto wanted = static_cast<short>((mayRead ? POLLIN : 0) | (m_unsent.empty() ? 0 : POLLOUT));
    if (isConnected() && wanted != 0) {
        polled.push_back({m_connection.number(), wanted, 0});
    }
    for (const int each : {m_output.number(), m_errors.number()}) {
        if (each >= 0 && mayRead) {
            polled.push_back({each, POLLIN, 0});
        }
    }
}

void RelayedRank::serve(const Take& take, std::span<std::byte> room)
{
    seeEnd();
    write();
    if (room.empty()) {
        m_heardNs = monotonicNs();
        return;
    }
    read(m_connection, RelayKind::Data, take, room);
    read(m_output, RelayKind::Output, take, room);
    read(m_errors, RelayKind::Errors, take, room);
    if (m_end && monotonicNs() - m_heardNs > DrainLimitNs) {
        closeConnection();
        m_output.close();
        m_errors.close();
    }
}

void RelayedRank::write()
{
    while (isConnected() && !m_unsent.empty()) {
        const ssize_t n = ::send(m_connection.number(), m_unsent.data(), m_unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0) {
            if (!isTemporary(errno)) {
                m_unsent.clear(); // it has closed its end; what it has sent before is still read
            }
            return;
        }
        m_unsent.erase(m_unsent.begin(), m_unsent.begin() + n);
    }
}

void RelayedRank::read(Descriptor& descriptor, RelayKind kind, const Take& take, std::span<std::byte> room)
{
    if (!descriptor.isOpen()) {
        return;
    }
    const ssize_t n = ::read(descriptor.number(), room.data(), room.size());
    if (n > 0) {
        m_heardNs = monotonicNs();
        take(kind, room.first(static_cast<std::size_t>(n)));
    } else if (n == 0 || !isTemporary(errno)) {
        descriptor.close();
        take(kind, {});
    }
}

/// What the rank has started ends with it: while it has not been waited for, no other group has its number.
void RelayedRank::seeEnd()
{
    siginfo_t end{};
    if (m_end || waitid(P_PID, static_cast<id_t>(m_process), &end, WEXITED | WNOHANG | WNOWAIT) != 0
        || end.si_pid != m_process) {
        return;
    }
    kill(-m_process, SIGKILL);
    static_cast<void>(uninterrupted([&] { return waitid(P_PID, static_cast<id_t>(m_process), &end, WEXITED); }));
    m_end = End{end.si_code != CLD_EXITED, end.si_status};
    m_heardNs = monotonicNs();
}

} // namespace lockstep::engine
