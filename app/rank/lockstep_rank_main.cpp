// lockstep-rank: one rank of a run, as a separate process. LibTorch, no Qt.
#include "app/commit.h"
#include "base/private_files.h"
#include "base/process_limits.h"
#include "engine/program/run_rank.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

int main(int argc, char** argv)
{
    lockstep::beginProcess();
    lockstep::raiseOpenFileLimit();
    const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int code = lockstep::engine::runRankProgram(arguments, lockstep::builtFrom());
    // The destructors of the libraries take a tenth of a second and are of no use. After a failure a GPU may still wait
    // for a dead rank, and the libraries' shutdown would wait for the GPU.
    std::fflush(nullptr);
    std::_Exit(code);
}
