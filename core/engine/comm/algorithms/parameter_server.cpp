// The synchronous parameter server (Li et al., "Scaling distributed machine learning with the parameter server", 2014),
// with rank 0 as the server: every worker sends its array to it and waits for the result. Two messages for a worker,
// but all of them pass through the server's one link.
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/algorithms/gathered.h"
#include "engine/comm/algorithms/pieces.h"

namespace lockstep::comm {

namespace {

constexpr int Server = 0;

Result<void> askServer(Communicator& group, View data)
{
    if (auto sent = group.send(data, Server); !sent) {
        return sent;
    }
    return group.receive(data, Server);
}

Result<void> answerWorkers(Communicator& group, View data)
{
    for (int worker = 1; worker < group.size(); ++worker) {
        if (auto sent = group.send(data, worker); !sent) {
            return sent;
        }
    }
    return {};
}

} // namespace

Result<void> parameterServer(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    if (group.rank() != Server) {
        return askServer(group, data);
    }
    const auto incoming = scratch.room(group, data);
    if (!incoming) {
        return incoming.error();
    }
    for (int worker = 1; worker < group.size(); ++worker) {
        if (auto received = group.receive(*incoming, worker); !received) {
            return received;
        }
        reduceInto(group, data, reduction, incoming->data);
    }
    return answerWorkers(group, data);
}

Result<void> parameterServerCombine(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    if (group.rank() != Server) {
        return askServer(group, data);
    }
    const int p = group.size();
    const auto all = scratch.room(group, data, p);
    if (!all) {
        return all.error();
    }
    copyTo(group, equalPart(*all, Server, p), data);
    for (int worker = 1; worker < p; ++worker) {
        if (auto received = group.receive(equalPart(*all, worker, p), worker); !received) {
            return received;
        }
    }
    if (auto combined = combineGathered(group, data, combine, *all, scratch); !combined) {
        return combined;
    }
    return answerWorkers(group, data);
}

} // namespace lockstep::comm
