#include "engine/comm/guard/guarded_communicator.h"

#include "engine/comm/algorithms/composed.h"

#include <thread>

namespace lockstep::comm {

namespace {

using namespace std::chrono_literals;

/// After an error: how long the kernel may take to report the death of a process.
constexpr auto TimeToReportDeath = 300ms;

} // namespace

/// The group as composed operations use it: the owner's queue is busy with the collective.
class GuardedCommunicator::Messages final : public Communicator {
public:
    explicit Messages(GuardedCommunicator& owner)
        : Communicator(owner.rank(), owner.size())
        , m_owner(owner)
    { }
    ~Messages() override { finishStarted(); }
    [[nodiscard]] std::string_view backend() const override { return m_owner.backend(); }
    [[nodiscard]] Result<std::unique_ptr<Communicator>> split(int, int) override
    {
        return Error{"split: not while a collective is under way"};
    }

protected:
    Result<void> execute(const Operation& op, OperationTimes&) override
    {
        m_owner.exchange(op);
        return {};
    }

private:
    GuardedCommunicator& m_owner;
};

GuardedCommunicator::GuardedCommunicator(
    int rank, int size, std::shared_ptr<PeerRegistry> registry, GuardOptions options)
    : Communicator(rank, size)
    , m_registry(std::move(registry))
    , m_options(options)
{ }

Result<void> GuardedCommunicator::execute(const Operation& op, OperationTimes& times)
{
    if (hasFailed()) {
        return Error{m_failure};
    }
    m_times = &times;
    try {
        carryOutAny(op);
        return {};
    } catch (const Error& error) {
        m_failure = error.message;
    } catch (const TimedOut&) {
        m_failure = explainTimeout(op.what).message;
    } catch (const std::exception& error) {
        m_failure = explain(op.what, error.what()).message;
    }
    return Error{m_failure};
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
        return Error{m_failure};
    }
    const std::string gone = m_registry->whoIsGone();
    return gone.empty() ? Result<void>() : Result<void>(Error{gone});
}

void GuardedCommunicator::compareSignatures(const Operation& op)
{
    const CallSignature mine = signatureOf(op);
    if (size() == 1 || (!m_options.checksEveryCall && m_compared.contains(mine))) {
        return;
    }
    if (const auto same = requireSame(exchangeSignatures(mine)); !same) {
        throw same.error();
    }
    m_compared.insert(mine);
}

void GuardedCommunicator::runComposed(const Operation& op)
{
    Messages messages(*this);
    if (auto done = composed(messages, op, m_scratch); !done) {
        throw done.error();
    }
}

Error GuardedCommunicator::explain(Collective what, const std::string& cause) const
{
    const std::string name(nameOf(what));
    const auto until = std::chrono::steady_clock::now() + TimeToReportDeath;
    while (std::chrono::steady_clock::now() < until) {
        if (const std::string gone = m_registry->whoIsGone(); !gone.empty() && !m_registry->hasLeftForMissing()) {
            return {name + ": " + gone};
        }
        std::this_thread::sleep_for(5ms);
    }
    if (m_registry->hasLeftForMissing()) {
        return explainTimeout(what); // the rank that left came to the end of its time limit a little earlier
    }
    return {name + ": " + cause.substr(0, cause.find('\n'))};
}

Error GuardedCommunicator::explainTimeout(Collective what) const
{
    return {std::string(nameOf(what)) + ": not all ranks have arrived within "
        + std::to_string(m_options.timeout.count() / 1000) + " s; " + m_registry->whoIsMissing()};
}

void throwUnlessFits(const MessageHeader& sent, const View& expected, int from, int rank)
{
    if (auto fits = requireFit(sent, expected, from, rank); !fits) {
        throw fits.error();
    }
}

} // namespace lockstep::comm
