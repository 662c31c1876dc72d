// lockstep-rank: one rank of a run, as a process of its own. LibTorch, no Qt.
#include "engine/program/rank_program.h"

#include <string_view>
#include <vector>

int main(int argc, char** argv)
{
    const std::vector<std::string_view> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    return lockstep::engine::runRankProgram(arguments);
}
