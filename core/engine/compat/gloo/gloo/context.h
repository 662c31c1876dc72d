// What LibTorch's ProcessGroupGloo.hpp must see of Gloo, where the LibTorch has Gloo inside but none of its headers
// (the PyPI package). c10d holds all of it by pointers and makes and frees it inside LibTorch, so names and one call
// are enough.
#pragma once

#include <chrono>
#include <memory>

namespace gloo {

class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout);
};

} // namespace gloo
