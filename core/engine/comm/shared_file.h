// Memory that the ranks of one host share: a file without a name that one rank makes and all map (memfd_create(2)).
#pragma once

#include "base/result.h"

#include <cstddef>

namespace lockstep::comm {

/// Zeroed; pages that are never written take no memory. Gives its descriptor, which is the caller's to close.
[[nodiscard]] Result<int> makeSharedFile(const char* name, std::size_t bytes);
/// Closes the descriptor, also at an error; the memory is the caller's to munmap().
[[nodiscard]] Result<void*> mapSharedFile(int descriptor, std::size_t bytes);

} // namespace lockstep::comm
