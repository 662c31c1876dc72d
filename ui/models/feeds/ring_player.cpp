#include "ui/models/feeds/ring_player.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

void RingPlayer::update(const RingModel& model)
{
    if (m_number) {
        const auto at = model.steps().find(*m_number);
        if (at != model.steps().end() && at->second.events().size() != m_step.events().size()) {
            // A rank's messages may come late and belong before those already played: the place is a time.
            const double whole = std::floor(m_place);
            const double part = m_place - whole;
            const auto passed = static_cast<std::size_t>(whole);
            const std::int64_t timeNs = passed == 0 ? -1 : m_step.timeOf(m_step.instants()[passed - 1]);
            m_step = at->second;
            const auto& instants = m_step.instants();
            const auto now = passed == 0 ? 0
                                         : std::count_if(instants.begin(), instants.end(),
                                             [&](const RingInstant& each) { return m_step.timeOf(each) <= timeNs; });
            m_place = static_cast<double>(now) + part;
        }
    }
    if (m_isFollowing && !model.steps().empty()) {
        const std::int64_t newest = model.steps().rbegin()->first;
        if (!m_number || (*m_number != newest && m_isPlaying && isAtEnd())) {
            open(model, newest);
        }
    }
}

void RingPlayer::open(const RingModel& model, std::int64_t step)
{
    const auto at = model.steps().find(step);
    if (at != model.steps().end()) {
        m_number = step;
        m_step = at->second;
        m_place = 0.0;
    }
}

void RingPlayer::follow(const RingModel& model)
{
    m_isFollowing = true;
    m_isPlaying = true;
    if (!model.steps().empty()) {
        open(model, model.steps().rbegin()->first);
    }
}

void RingPlayer::choose(const RingModel& model, std::int64_t step)
{
    if (model.steps().contains(step)) {
        m_isFollowing = false;
        open(model, step);
    }
}

void RingPlayer::play()
{
    if (isAtEnd() && m_step.isComplete()) {
        m_place = 0.0;
    }
    m_isPlaying = true;
}

void RingPlayer::stepOne()
{
    m_isPlaying = false;
    const auto& instants = m_step.instants();
    auto passed = static_cast<std::size_t>(m_place);
    while (passed < instants.size() && !instants[passed].isEnd) {
        ++passed;
    }
    m_place = static_cast<double>(std::min(passed + 1, instants.size()));
}

void RingPlayer::advance(double seconds)
{
    if (m_isPlaying) {
        // A message has two instants.
        m_place
            = std::min(m_place + 2.0 * m_messagesPerSecond * seconds, static_cast<double>(m_step.instants().size()));
    }
}

void RingPlayer::setMessagesPerSecond(double speed)
{
    m_messagesPerSecond = std::clamp(speed, SlowestMessagesPerSecond, FastestMessagesPerSecond);
}

bool RingPlayer::isAtEnd() const
{
    return m_place >= static_cast<double>(m_step.instants().size());
}

} // namespace lockstep::ui
