// The base of backends that do not compare calls and do not name ranks in errors. It compares signatures before a call
// can hang or overwrite memory, names ranks in errors, and composes missing collectives from messages.
#pragma once

#include "engine/comm/algorithms/algorithms.h"
#include "engine/comm/call_signature.h"
#include "engine/comm/communicator.h"
#include "engine/comm/guard/peer_registry.h"
#include "engine/comm/message_header.h"

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lockstep::comm {

struct GuardOptions {
    std::chrono::milliseconds timeout{30000}; ///< of one operation
    bool checksEveryCall = false; ///< else the first use of each signature
};

class GuardedCommunicator : public Communicator {
public:
    void setTimeout(std::chrono::milliseconds timeout) override { m_options.timeout = timeout; }
    [[nodiscard]] Result<void> checkPeers() override;
    [[nodiscard]] Text deadPeer() override { return m_registry->whoHasDied(); }
    /// For a group whose calls are parts of another group's, which counts them.
    void leaveCallsUncounted() { m_countsCalls = false; }

protected:
    /// Thrown by the hooks below when an operation exceeds its time limit.
    struct TimedOut { };
    /// Thrown by them with what happened, where a dead rank may be the cause.
    struct Happened {
        Text what;
    };

    GuardedCommunicator(int rank, int size, std::shared_ptr<PeerRegistry> registry, GuardOptions options);

    // Hooks of the backend. They throw an Error with a whole message, TimedOut, or Happened or any std::exception,
    // which are then attributed to a dead rank if there is one.
    /// The `mine` of every rank, by rank.
    [[nodiscard]] virtual std::vector<CallSignature> exchangeSignatures(const CallSignature& mine) = 0;
    /// One collective that has something to do; may call runComposed().
    virtual void carryOut(const Operation& op) = 0;
    /// One SendReceive.
    virtual void exchange(const Operation& op) = 0;

    void runComposed(const Operation& op);
    /// Of the operation under way.
    [[nodiscard]] OperationTimes& times() { return *m_times; }
    [[nodiscard]] Result<void> execute(const Operation& op, OperationTimes& times) final;

    /// Of what the hooks throw; call it where that is caught. Throws anything else again.
    [[nodiscard]] Error explainCaught(Collective what) const;
    [[nodiscard]] const std::shared_ptr<PeerRegistry>& registry() const { return m_registry; }
    [[nodiscard]] const GuardOptions& options() const { return m_options; }
    [[nodiscard]] Scratch& scratch() { return m_scratch; }
    [[nodiscard]] bool hasFailed() const { return m_failure.has_value(); }
    /// The failure is that the ranks call different operations, which all of them have found.
    [[nodiscard]] bool hasFoundDifference() const { return m_hasFoundDifference; }

private:
    [[nodiscard]] Error explain(Collective what, const Text& cause) const;
    [[nodiscard]] Error explainTimeout(Collective what) const;
    void carryOutAny(const Operation& op);
    void compareSignatures(const Operation& op);

    std::shared_ptr<PeerRegistry> m_registry;
    GuardOptions m_options;
    std::set<CallSignature> m_compared;
    bool m_countsCalls = true;
    OperationTimes* m_times = nullptr;
    std::optional<Error> m_failure; ///< the group is unusable
    bool m_hasFoundDifference = false;
    Scratch m_scratch;
};

/// requireFit(), throwing its error.
void throwUnlessFits(const MessageHeader& sent, const View& expected, int from, int rank);

} // namespace lockstep::comm
