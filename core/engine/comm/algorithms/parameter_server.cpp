// The synchronous parameter server (Li et al., "Scaling distributed machine learning with the parameter server", 2014),
// with rank 0 as the server: every worker sends its array to it and waits for the result. Two messages for a worker,
// but all of them pass through the server's one link.
#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/algorithms/pieces.h"

namespace lockstep::comm {

Result<void> parameterServer(Communicator& group, View data, Reduction reduction, Scratch& scratch)
{
    constexpr int Server = 0;
    if (group.rank() != Server) {
        if (auto sent = group.send(data, Server); !sent) {
            return sent;
        }
        return group.receive(data, Server);
    }
    const View incoming{scratch.reserve(data.byteCount()), data.count, data.type};
    for (int worker = 1; worker < group.size(); ++worker) {
        if (auto received = group.receive(incoming, worker); !received) {
            return received;
        }
        reduceInto(data, reduction, incoming.data);
    }
    for (int worker = 1; worker < group.size(); ++worker) {
        if (auto sent = group.send(data, worker); !sent) {
            return sent;
        }
    }
    return {};
}

} // namespace lockstep::comm
