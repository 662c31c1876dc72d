// Memory that the ranks of one host share: a file without a name that one rank makes and all map (memfd_create(2)).
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

#include <cstddef>

namespace lockstep::comm {

/// Zeroed; pages that are never written take no memory.
[[nodiscard]] Result<Descriptor> makeSharedFile(const char* name, std::size_t bytes);
/// The memory is the caller's to munmap(); it outlives the descriptor.
[[nodiscard]] Result<void*> mapSharedFile(const Descriptor& file, std::size_t bytes);

} // namespace lockstep::comm
