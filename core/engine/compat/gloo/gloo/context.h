// The declarations of Gloo that LibTorch's ProcessGroupGloo.hpp needs, for a LibTorch that has Gloo but not its headers
// (the PyPI package). c10d only holds pointers and creates and frees inside LibTorch, so names and one call are enough.
#pragma once

#include <chrono>
#include <memory>

namespace gloo {

class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout);
};

} // namespace gloo
