#include "engine/comm/guard/guarded_communicator.h"

#include "engine/comm/algorithms/composed.h"
#include "engine/comm/failures.h"

#include <thread>

namespace lockstep::comm {

namespace {

using namespace std::chrono_literals;

/// After an error: how long the kernel may take to report the death of a process.
constexpr auto TimeToReportDeath = 300ms;

} // namespace

GuardedCommunicator::GuardedCommunicator(
    int rank, int size, std::shared_ptr<PeerRegistry> registry, GuardOptions options)
    : Communicator(rank, size)
    , m_registry(std::move(registry))
    , m_options(options)
{ }

Result<void> GuardedCommunicator::execute(const Operation& op, OperationTimes& times)
{
    if (hasFailed()) {
        return *m_failure;
    }
    m_times = &times;
    try {
        carryOutAny(op);
        return {};
    } catch (...) {
        m_failure = explainCaught(op.what);
    }
    return *m_failure;
}

void GuardedCommunicator::carryOutAny(const Operation& op)
{
    if (op.what == Collective::SendReceive) {
        exchange(op);
        return;
    }
    if (m_countsCalls) {
        m_registry->beginCall();
    }
    compareSignatures(op);
    // Empty on this rank means empty on every rank, because they call the same.
    if (op.what == Collective::Barrier || op.in.byteCount() > 0 || op.out.byteCount() > 0) {
        carryOut(op);
    }
}

Result<void> GuardedCommunicator::checkPeers()
{
    if (hasFailed()) {
        return *m_failure;
    }
    const Text gone = m_registry->deadPeers();
    return gone.empty() ? Result<void>() : Result<void>(failureOf(gone));
}

void GuardedCommunicator::compareSignatures(const Operation& op)
{
    const CallSignature mine = signatureOf(op);
    if (size() == 1 || (!m_options.checksEveryCall && m_compared.contains(mine))) {
        return;
    }
    if (const auto same = requireSame(exchangeSignatures(mine)); !same) {
        m_hasFoundDifference = true;
        throw same.error();
    }
    m_compared.insert(mine);
}

void GuardedCommunicator::runComposed(const Operation& op)
{
    const auto send = [this](const Operation& message) -> Result<void> {
        exchange(message);
        return {};
    };
    if (auto done = composed(*this, send, op, m_scratch); !done) {
        throw done.error();
    }
}

Error GuardedCommunicator::explainCaught(Collective what) const
{
    try {
        throw;
    } catch (const Error& error) {
        return error;
    } catch (const TimedOut&) {
        return explainTimeout(what);
    } catch (const Happened& happened) {
        return explain(what, happened.what);
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return explain(what, verbatim(text.substr(0, text.find('\n'))));
    }
}

Error GuardedCommunicator::explain(Collective what, const Text& cause) const
{
    const auto until = std::chrono::steady_clock::now() + TimeToReportDeath;
    while (std::chrono::steady_clock::now() < until) {
        if (const Text gone = m_registry->deadPeers(); !gone.empty() && !m_registry->hasLeftForMissing()) {
            return failureOf(ofOperation(what, gone));
        }
        std::this_thread::sleep_for(5ms);
    }
    if (m_registry->hasLeftForMissing()) {
        return explainTimeout(what); // the rank that left came to the end of its time limit a little earlier
    }
    return failureOf(ofOperation(what, cause));
}

Error GuardedCommunicator::explainTimeout(Collective what) const
{
    return failureOf(ofOperation(what, notAllArrived(m_options.timeout, m_registry->whoIsMissing())));
}

void throwUnlessFits(const MessageHeader& sent, const View& expected, int from, int rank)
{
    if (auto fits = requireFit(sent, expected, from, rank); !fits) {
        throw fits.error();
    }
}

} // namespace lockstep::comm
