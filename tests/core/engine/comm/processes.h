// Ranks as processes, and the last message of each.
#pragma once

#include "base/result.h"

#include <array>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lockstep::tests {

/// The last message of a rank's process; empty: it died without one.
struct Ending {
    std::string text;
    int status = 0;
};

/// A name for a group of ranks that no other group has.
inline std::string uniqueName()
{
    static int number = 0;
    return std::to_string(getpid()) + "-" + std::to_string(++number);
}

/// Runs `body` in as many processes, with the rank of each, and waits for all of them.
inline std::vector<Ending> asProcesses(int ranks, const std::function<Result<void>(int rank)>& body)
{
    std::vector<std::pair<pid_t, int>> children;
    for (int rank = 0; rank < ranks; ++rank) {
        std::array<int, 2> pipe{};
        if (::pipe(pipe.data()) != 0) {
            return {};
        }
        const pid_t child = fork();
        if (child == 0) {
            const auto result = body(rank);
            const std::string said = result ? "fine" : result.error().message;
            const auto written = write(pipe[1], said.data(), said.size());
            _exit(written < 0 ? 1 : 0);
        }
        close(pipe[1]);
        children.emplace_back(child, pipe[0]);
    }
    std::vector<Ending> endings;
    for (const auto& [child, pipe] : children) {
        Ending ending;
        std::array<char, 1024> buffer{};
        for (ssize_t n = 0; (n = read(pipe, buffer.data(), buffer.size())) > 0;) {
            ending.text.append(buffer.data(), static_cast<std::size_t>(n));
        }
        close(pipe);
        waitpid(child, &ending.status, 0);
        endings.push_back(ending);
    }
    return endings;
}

} // namespace lockstep::tests
