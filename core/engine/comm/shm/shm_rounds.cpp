#include "engine/comm/shm/shm_rounds.h"

#include "base/clock.h"

#include <algorithm>
#include <vector>

namespace lockstep::comm {

namespace {

constexpr std::int64_t FollowUpNs = 100'000;

} // namespace

ShmRounds::ShmRounds(Region& region, int rank, std::chrono::milliseconds timeout)
    : m_region(region)
    , m_rank(rank)
    , m_meeting(region, rank, timeout)
{ }

Result<void> ShmRounds::begin(const Operation& op, const OperationTimes& times, const SharedPlace& place)
{
    // Operations in quick succession belong to one algorithm: the other ranks are on time.
    const bool isFollowUp = times.enterNs - m_lastExitNs < FollowUpNs;
    m_meeting.expect(isFollowUp ? Awaited::Soon : Awaited::Whenever);
    LOCKSTEP_TRY(m_meeting.state());
    if (op.what == Collective::SendReceive) {
        return {};
    }
    ++m_operations;
    m_hasMet = false;
    RankBlock& mine = m_region.rank(m_rank);
    CallSignature& signature = mine.signatures[m_operations % 2];
    signature = signatureOf(op);
    signature.space = spaceOf(op, m_rank);
    signature.place = place;
    return {};
}

Result<void> ShmRounds::meet(const Operation& op)
{
    auto met = m_meeting.meet(op.what);
    m_parity ^= 1;
    if (met && !m_hasMet) {
        m_hasMet = true;
        m_meeting.expect(Awaited::Soon);
        return compareSignatures();
    }
    return met;
}

void ShmRounds::end()
{
    m_lastExitNs = monotonicNs();
}

Result<void> ShmRounds::compareSignatures()
{
    const auto at = m_operations % 2;
    const CallSignature& mine = m_region.rank(m_rank).signatures[at];
    bool areSame = true;
    for (int r = 0; r < m_region.size(); ++r) {
        const RankBlock& other = m_region.rank(r);
        areSame = areSame && other.signatures[at] == mine;
    }
    if (areSame) {
        return {};
    }
    std::vector<CallSignature> all;
    for (int r = 0; r < m_region.size(); ++r) {
        all.push_back(m_region.rank(r).signatures[at]);
    }
    return m_meeting.breakGroup(requireSame(all).error());
}

} // namespace lockstep::comm
