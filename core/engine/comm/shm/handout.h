// Lets processes that share only a name share memory: rank 0 listens on a Unix socket in the abstract namespace (which
// has no file and ends with the process) and passes a file's descriptor to each rank that asks (SCM_RIGHTS).
#pragma once

#include "base/result.h"

#include <chrono>
#include <functional>
#include <string>

namespace lockstep::comm {

/// A descriptor, one for each rank, of the file that rank 0 creates with `make`. `name`: unique to the run and the
/// purpose, the same in every rank. Only processes of the same user are let in.
[[nodiscard]] Result<int> shareDescriptor(const std::string& name, int rank, int size,
    std::chrono::milliseconds timeout, const std::function<Result<int>()>& make);

} // namespace lockstep::comm
