// Which processor cores a thread may use.
#pragma once

#include <vector>

namespace lockstep {

/// Numbers of those that the calling thread may use, in order; empty where the kernel does not say.
[[nodiscard]] std::vector<int> coresOfThisThread();

} // namespace lockstep
