#include "engine/program/local_ranks.h"

#include "base/descriptor.h"
#include "engine/program/process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lockstep::engine {

namespace {

constexpr int ExitRankFailed = 3;
constexpr std::uint16_t StandardPort = 29500; ///< torchrun's
constexpr std::chrono::seconds TimeToEnd{2};
/// The others notice that a rank has died, and name it.
constexpr std::chrono::seconds TimeToSayWhy{1};

void becomeRank(const Options& options, std::int32_t rank, const std::string& port)
{
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    setenv("MASTER_PORT", port.c_str(), 1);
    const std::string number = std::to_string(rank);
    std::vector<std::string> words{"lockstep-rank", "--spec", options.specPath, "--rank", number, "--world-size",
        std::to_string(options.localRanks), "--local-rank", number};
    if (!options.recordPath.empty()) {
        words.insert(words.end(), {"--record", options.recordPath});
    }
    std::vector<char*> arguments;
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    if (endWithParent()) {
        execv("/proc/self/exe", arguments.data());
        std::fprintf(stderr, "lockstep-rank: cannot start a rank: %s\n", std::strerror(errno));
    }
    _exit(ExitRankFailed);
}

int exitCodeOf(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : ExitRankFailed;
}

void signalAll(const std::vector<pid_t>& ranks, int signal)
{
    for (const pid_t rank : ranks) {
        kill(rank, signal);
    }
}

/// Waits up to `limit` for them to end; leaves the others in `ranks`. Gives the worst exit code of those ended.
int waitFor(std::vector<pid_t>& ranks, std::chrono::milliseconds limit)
{
    int worst = 0;
    const auto deadline = std::chrono::steady_clock::now() + limit;
    while (!ranks.empty() && std::chrono::steady_clock::now() < deadline) {
        std::erase_if(ranks, [&worst](pid_t rank) {
            int status = 0;
            const bool hasEnded = waitpid(rank, &status, WNOHANG) == rank;
            worst = hasEnded ? std::max(worst, exitCodeOf(status)) : worst;
            return hasEnded;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return worst;
}

/// Those that have not ended in time are killed.
void endAll(std::vector<pid_t>& ranks)
{
    signalAll(ranks, SIGTERM);
    waitFor(ranks, TimeToEnd);
    signalAll(ranks, SIGKILL);
    while (!ranks.empty()) {
        waitFor(ranks, TimeToEnd);
    }
}

} // namespace

int runLocalRanks(const Options& options)
{
    const std::uint16_t free = freePort();
    const std::string port = std::to_string(free != 0 ? free : StandardPort);
    std::vector<pid_t> ranks;
    for (std::int32_t rank = 0; rank < options.localRanks; ++rank) {
        const pid_t child = fork();
        if (child == 0) {
            becomeRank(options, rank, port);
        }
        if (child < 0) {
            std::fprintf(stderr, "lockstep-rank: cannot start rank %d: %s\n", rank, std::strerror(errno));
            endAll(ranks);
            return ExitRankFailed;
        }
        ranks.push_back(child);
    }
    int worst = 0;
    while (!ranks.empty()) {
        int status = 0;
        const pid_t ended = uninterrupted([&] { return waitpid(-1, &status, 0); });
        std::erase(ranks, ended);
        if (WIFSIGNALED(status)) {
            std::fprintf(stderr, "lockstep-rank: a rank was ended by signal %d\n", WTERMSIG(status));
        }
        worst = std::max(worst, exitCodeOf(status));
        if (worst != 0) {
            worst = std::max(worst, waitFor(ranks, TimeToSayWhy));
            endAll(ranks);
        }
    }
    return worst;
}

} // namespace lockstep::engine
