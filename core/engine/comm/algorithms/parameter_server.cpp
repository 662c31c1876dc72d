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
    LOCKSTEP_TRY(group.send(data, Server));
    return group.receive(data, Server);
}

Result<void> answerWorkers(Communicator& group, View data)
{
    for (int worker = 1; worker < group.size(); ++worker) {
        LOCKSTEP_TRY(group.send(data, worker));
    }
    return {};
}

} // namespace

Result<void> parameterServer(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    if (group.rank() != Server) {
        return askServer(group, data);
    }
    LOCKSTEP_TRY_ASSIGN(const auto incoming, scratch.room(group, data));
    for (int worker = 1; worker < group.size(); ++worker) {
        LOCKSTEP_TRY(group.receive(incoming, worker));
        reduceInto(group, data, reduction, incoming.data);
    }
    return answerWorkers(group, data);
}

Result<void> parameterServerCombine(Communicator& group, View data, const Combine& combine, Scratch& scratch)
{
    if (group.rank() != Server) {
        return askServer(group, data);
    }
    const int p = group.size();
    LOCKSTEP_TRY_ASSIGN(const auto all, scratch.room(group, data, p));
    copyTo(group, equalPart(all, Server, p), data);
    for (int worker = 1; worker < p; ++worker) {
        LOCKSTEP_TRY(group.receive(equalPart(all, worker, p), worker));
    }
    LOCKSTEP_TRY(combineGathered(group, data, combine, all, scratch));
    return answerWorkers(group, data);
}

} // namespace lockstep::comm
