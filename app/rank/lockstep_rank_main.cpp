// lockstep-rank: one rank of a run, as a separate process. LibTorch, no Qt.
#include "engine/program/rank_program.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

int main(int argc, char** argv)
{
    const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int code = lockstep::engine::runRankProgram(arguments);
    if (code == 0) {
        return 0;
    }
    // After a failure a GPU may still wait for a dead rank, and the libraries' shutdown would wait for the GPU.
    std::fflush(nullptr);
    std::_Exit(code);
}
