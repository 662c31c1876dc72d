// Ways to reduce the ranks' arrays to one, each in a separate file, composed of messages between two ranks or
// of simpler collectives. All give the same result as Communicator::allReduce, on every rank the same bits; they differ
// in how many messages that takes and how long these are. p ranks, n bytes, alpha s a message, beta s a byte:
//
//     name                        messages after each other   bytes sent by the busiest rank
//     all_reduce                  the backend's own
//     reduce_broadcast            the backend's own, two of them
//     gather_broadcast            the backend's own; the root takes in (p-1) n
//     all_gather                  the backend's own; every rank takes in (p-1) n and reduces by itself
//     reduce_scatter_all_gather   the backend's own, two of them
//     ring                        2 (p-1)                     2 n (p-1)/p
//     tree                        2 log2 p (rounded up)       n log2 p
//     halving_doubling            2 log2 p                    2 n (p-1)/p   (p a power of two)
//     parameter_server            2                           (p-1) n at the server
//
// To add one: a file, a line here and one in registry.cpp.
#pragma once

#include "engine/comm/communicator.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::comm {

/// Memory that an algorithm works with, kept from call to call: one block of the host's and one of a device's.
class Scratch {
public:
    /// At least `bytes` bytes of the host's memory, aligned for every type; its contents are undefined.
    [[nodiscard]] std::byte* reserve(std::size_t bytes);
    /// Room for `times` arrays like `like`, of its type and in the memory that it is in; contents are undefined. Fails
    /// where the device has no memory left.
    [[nodiscard]] Result<View> room(const Communicator& group, const ConstView& like, std::int64_t times = 1);
    /// Host memory that the device's copies take, `bytes` of it.
    [[nodiscard]] Result<std::byte*> landing(const Communicator& group, std::size_t bytes);

private:
    struct Block {
        std::shared_ptr<std::byte> memory;
        std::size_t bytes = 0;
    };
    std::vector<std::max_align_t> m_memory;
    Block m_device;
    Block m_landing;
};

/// `data` is each rank's array before, and the reduction of all of them after.
using AllReduce = Result<void>(Communicator& group, View data, Reduction reduction, Scratch& scratch);

AllReduce nativeAllReduce;
AllReduce reduceBroadcast;
AllReduce gatherBroadcast;
AllReduce allGatherReduce;
AllReduce reduceScatterAllGather;
AllReduce ringAllReduce;
AllReduce treeAllReduce;
AllReduce halvingDoubling;
AllReduce parameterServer;

/// Makes one array of all the ranks' arrays, which are as long as `to`: what cannot be added up on the way. All of them
/// are in the host's memory; arrays in a device's are brought there first.
using Combine = std::function<void(const View& to, std::span<const void* const> arrays)>;
/// Like AllReduce, with every array brought to where it is combined.
using CombineAll = Result<void>(Communicator& group, View data, const Combine& combine, Scratch& scratch);

CombineAll gatherBroadcastCombine;
CombineAll allGatherCombine;
CombineAll parameterServerCombine;

/// Whether an algorithm's messages are sent one by one by us: what an emulated link can act on.
enum class MadeOf { Messages, Collectives };

struct Algorithm {
    std::string_view name; ///< value of `aggregation.algorithm`
    AllReduce* run;
    MadeOf madeOf;
    CombineAll* combineAll = nullptr; ///< null where the arrays are never in one place
};

[[nodiscard]] std::span<const Algorithm> algorithms();
/// Null if there is none of that name.
[[nodiscard]] const Algorithm* algorithm(std::string_view name);

} // namespace lockstep::comm
