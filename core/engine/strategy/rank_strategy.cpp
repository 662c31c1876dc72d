#include "engine/strategy/rank_strategy.h"

#include "plan/slices.h"

#include <utility>

namespace lockstep::engine {

RankStrategy::RankStrategy(std::unique_ptr<RankGroup> group)
    : m_group(std::move(group))
{ }

bool RankStrategy::apply(const wire::Control& control)
{
    const bool isLink = control.command == wire::Command::SetLink || control.command == wire::Command::SetLinkBandwidth;
    if ((isLink && !takesLinks()) || !m_group->stragglers.apply(control)) {
        return false;
    }
    m_group->applyLinks();
    applyLinks();
    return true;
}

comm::WatchedCommunicator::Timer RankStrategy::timerOf(StepClock* clock)
{
    if (clock == nullptr) {
        return {};
    }
    return [clock](const comm::OperationTimes& times) { clock->communicated(times); };
}

void RankStrategy::setClock(StepClock* clock)
{
    if (clock == nullptr || m_group->network == nullptr) {
        ranks().setTimer(timerOf(clock));
        return;
    }
    // Over several hosts no rank sees the others arrive: who came last is known once the rows of all are.
    ranks().setTimer(
        [clock](const comm::OperationTimes& times) { clock->communicated(times, StepClock::CallOf::All); });
}

Result<void> RankStrategy::checkPeers()
{
    return ranks().checkPeers();
}

Text RankStrategy::deadPeer()
{
    return ranks().deadPeer();
}

Result<void> RankStrategy::allReduceSum(std::span<double> numbers)
{
    auto added = m_group->allReduceSum(numbers);
    ranks().takeBytesSent();
    return added;
}

Result<void> RankStrategy::synchronize()
{
    return ranks().finish();
}

Text RankStrategy::overLinks(const Text& text) const
{
    return ranks().hasLinks() ? Text(LS_TR("Messages", "%1, built from messages over an emulated link"), {text}) : text;
}

LabelledInputs RankStrategy::shareOf(const LabelledInputs& set, int part, int parts)
{
    const plan::Slice slice = plan::sliceOf(set.size(), part, parts);
    return {set.inputs.narrow(0, slice.first, slice.count), set.labels.narrow(0, slice.first, slice.count)};
}

Result<TestScore> RankStrategy::scoreOfAll(std::array<double, 3> numbers)
{
    LOCKSTEP_TRY(allReduceSum(numbers));
    return TestSums::scoreOf(numbers);
}

} // namespace lockstep::engine
