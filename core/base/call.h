// The calls by which ranks exchange data, named as in torch.distributed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

enum class Call : std::uint8_t {
    Broadcast,
    Reduce,
    AllReduce,
    Gather,
    AllGather,
    Scatter,
    ReduceScatter,
    AllToAll,
    Barrier,
    Send,
    Receive
};

inline constexpr std::size_t CallCount = 11;
inline constexpr std::array<std::string_view, CallCount> CallNames{"broadcast", "reduce", "all_reduce", "gather",
    "all_gather", "scatter", "reduce_scatter", "all_to_all", "barrier", "send", "recv"};

[[nodiscard]] constexpr std::string_view nameOf(Call call)
{
    return CallNames[static_cast<std::size_t>(call)];
}
/// Between two ranks; the others are collectives of a whole group.
[[nodiscard]] constexpr bool isMessage(Call call)
{
    return call == Call::Send || call == Call::Receive;
}

} // namespace lockstep
