// Ways to reduce the ranks' arrays to one, each in a separate file, composed of messages between two ranks or
// of simpler collectives. All give the same result as Communicator::allReduce, bitwise equal on every rank; they differ
// in the number and length of messages. p ranks, n bytes, alpha s per message, beta s per byte:
//
//     name                        consecutive messages        bytes sent by the busiest rank
//     all_reduce                  the backend's own
//     reduce_broadcast            the backend's own, two of them
//     gather_broadcast            the backend's own; the root receives (p-1) n
//     all_gather                  the backend's own; every rank receives (p-1) n and reduces it all
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

/// An algorithm's scratch memory, kept between calls: one block on the host and one on a device.
class Scratch {
public:
    /// At least `bytes` bytes of the host's memory, aligned for every type; its contents are undefined.
    [[nodiscard]] std::byte* reserve(std::size_t bytes);
    /// Room for `times` arrays like `like`, of the same type and in the same memory; contents are undefined. Fails if
    /// the device is out of memory.
    [[nodiscard]] Result<View> room(const Communicator& group, const ConstView& like, std::int64_t times = 1);
    /// `bytes` of host memory for copies to and from the device.
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

/// Combines all ranks' arrays, each as long as `to`, where they cannot be added up on the way. All are in host memory;
/// arrays on a device are copied there first.
using Combine = std::function<void(const View& to, std::span<const void* const> arrays)>;
/// Like AllReduce, but gathers all arrays before it combines them.
using CombineAll = Result<void>(Communicator& group, View data, const Combine& combine, Scratch& scratch);

CombineAll gatherBroadcastCombine;
CombineAll allGatherCombine;
CombineAll parameterServerCombine;

/// Whether we send an algorithm's messages one by one, so that an emulated link can act on them.
enum class MadeOf { Messages, Collectives };

struct Algorithm {
    std::string_view name; ///< value of `aggregation.algorithm`
    AllReduce* run;
    MadeOf madeOf;
    CombineAll* combineAll = nullptr; ///< null if no rank ever holds all arrays
};

[[nodiscard]] std::span<const Algorithm> algorithms();
/// Null for an unknown name.
[[nodiscard]] const Algorithm* algorithm(std::string_view name);

} // namespace lockstep::comm
