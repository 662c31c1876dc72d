// The header that precedes each message between two ranks.
#pragma once

#include "base/result.h"
#include "engine/comm/failures.h"
#include "engine/comm/types.h"

#include <cstdint>
#include <string>

namespace lockstep::comm {

/// Two 64-bit integers, so that every backend can send it as data.
struct MessageHeader {
    std::int64_t count = 0;
    std::int64_t type = 0;
};

inline MessageHeader headerOf(const ConstView& data)
{
    return {data.count, static_cast<std::int64_t>(data.type)};
}

/// An error unless the message that rank `from` sends is the one that `rank` expects.
[[nodiscard]] inline Result<void> requireFit(const MessageHeader& sent, const View& expected, int from, int rank)
{
    if (sent.count == expected.count && sent.type == static_cast<std::int64_t>(expected.type)) {
        return {};
    }
    return failureOf(ofOperation(Collective::SendReceive,
        {LS_TR("Messages", "%1 has sent %2 %3, %4 expected %5 %6"),
            {rankName(from), sent.count, verbatim(nameOf(static_cast<DataType>(sent.type))), rankName(rank),
                expected.count, verbatim(nameOf(expected.type))}}));
}

} // namespace lockstep::comm
