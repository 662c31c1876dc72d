// Lets processes that share only a name share memory: rank 0 listens on a Unix socket in the abstract namespace (which
// has no file and ends with the process) and passes a file's descriptor to each rank that asks (SCM_RIGHTS).
#pragma once

#include "base/descriptor.h"
#include "base/result.h"

#include <chrono>
#include <functional>
#include <string>

namespace lockstep::comm {

/// What the ranks of a run have in common and where each of them stands.
struct Rendezvous {
    std::string name; ///< unique to the run and the purpose, the same in every rank
    int rank = 0;
    int size = 1;
    std::chrono::milliseconds timeout{60'000};
    std::string what{}; ///< the run, in up to 64 characters that all ranks must share, such as a hash; may be empty
};

/// A descriptor, one for each rank, of the file that rank 0 creates with `make`. Each rank says its number, the number
/// of ranks and `what` before it gets one. Refused, with a line that says what to do: a rank of other numbers or
/// another run, one that comes twice, a second job that meets under this name. Only processes of the same user are let
/// in.
[[nodiscard]] Result<Descriptor> shareDescriptor(
    const Rendezvous& rendezvous, const std::function<Result<Descriptor>()>& make);

} // namespace lockstep::comm
