// A collective called with inputs whose result is known.
#pragma once

#include "engine/comm/communicator.h"
#include "engine/comm/expected_result.h"

#include <string>
#include <vector>

namespace lockstep::tests {

struct Buffers {
    std::vector<std::byte> in;
    std::vector<std::byte> out;
};

/// One call with known inputs; `count` elements of a rank's part.
inline Result<void> callAndCheck(comm::Communicator& group, comm::Collective what, comm::DataType type,
    comm::Reduction reduction, int root, std::int64_t count, bool isAsync)
{
    const std::int64_t whole = count * group.size();
    const bool takesWhole = what == comm::Collective::Scatter || what == comm::Collective::ReduceScatter
        || what == comm::Collective::AllToAll;
    const bool givesWhole
        = what == comm::Collective::Gather || what == comm::Collective::AllGather || what == comm::Collective::AllToAll;
    const std::int64_t inCount = takesWhole ? whole : count;
    const std::int64_t outCount = givesWhole ? whole : count;
    Buffers buffers{std::vector<std::byte>(static_cast<std::size_t>(inCount) * comm::sizeOf(type) + 1),
        std::vector<std::byte>(static_cast<std::size_t>(outCount) * comm::sizeOf(type) + 1, std::byte{0xa5})};
    const comm::ExpectedResult answer(type, reduction, group.size());
    const comm::View in{buffers.in.data(), inCount, type};
    const comm::View out{buffers.out.data(), outCount, type};
    answer.fill(in, group.rank());
    comm::Operation op{.what = what, .in = in, .out = out, .reduction = reduction, .root = root};
    if (auto done = isAsync ? group.start(op)->wait() : group.run(op); !done) {
        return done;
    }
    const std::int64_t wrong = answer.countWrong(op, group.rank());
    return wrong == 0 ? Result<void>()
                      : Error{std::string(nameOf(what)) + " " + std::string(nameOf(type)) + " "
                          + std::string(nameOf(reduction)) + ": " + std::to_string(wrong) + " of "
                          + std::to_string(out.count) + " are wrong on rank " + std::to_string(group.rank())};
}

} // namespace lockstep::tests
