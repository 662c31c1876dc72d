#include "ui/models/feeds/replay_player.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep::ui {

namespace {

class ReplayedSource final : public store::DeltaSource {
public:
    ReplayedSource(store::ReplayedRunPtr recording, std::shared_ptr<const std::int64_t> timeNs)
        : m_recording(std::move(recording))
        , m_timeNs(std::move(timeNs))
    { }

    store::DeltaPtr take() override
    {
        const std::int64_t toNs = m_recording->beginNs() + *m_timeNs;
        return toNs <= m_takenNs ? nullptr : m_recording->between(std::exchange(m_takenNs, toNs), toNs);
    }

private:
    store::ReplayedRunPtr m_recording;
    std::shared_ptr<const std::int64_t> m_timeNs;
    std::int64_t m_takenNs = std::numeric_limits<std::int64_t>::min();
};

/// Those from the begin of the first step on.
void append(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& times, std::int64_t beginNs)
{
    for (const std::int64_t timeNs : times) {
        if (timeNs > beginNs) {
            to.push_back(timeNs - beginNs);
        }
    }
}

} // namespace

analysis::RunRecord recordAtStart(analysis::RunRecord record)
{
    const analysis::Summary summary = std::exchange(record.summary, {});
    record.summary.secondsToFirstLoss = summary.secondsToFirstLoss;
    record.summary.startSeconds = summary.startSeconds;
    record.status = analysis::RunStatus::Starting;
    record.message.clear();
    return record;
}

ReplayPlayer::ReplayPlayer(std::vector<store::ReplayedRunPtr> recordings)
    : m_recordings(std::move(recordings))
{
    for (const store::ReplayedRunPtr& recording : m_recordings) {
        m_lengthNs = std::max(m_lengthNs, recording->endNs() - recording->beginNs());
        append(m_stepsNs, recording->stepEndsNs(), recording->beginNs());
        append(m_messagesNs, recording->messageEndsNs(), recording->beginNs());
    }
    std::ranges::sort(m_stepsNs);
    std::ranges::sort(m_messagesNs);
}

std::unique_ptr<store::DeltaSource> ReplayPlayer::source(std::size_t number) const
{
    return std::make_unique<ReplayedSource>(m_recordings.at(number), m_timeNs);
}

double ReplayPlayer::seconds() const
{
    return static_cast<double>(*m_timeNs) / 1e9;
}

double ReplayPlayer::length() const
{
    return static_cast<double>(m_lengthNs) / 1e9;
}

void ReplayPlayer::play()
{
    if (isAtEnd()) {
        *m_timeNs = 0;
    }
    m_isPlaying = true;
}

void ReplayPlayer::advance(double realSeconds)
{
    if (m_isPlaying) {
        seek(seconds() + realSeconds * m_speed);
        m_isPlaying = !isAtEnd();
    }
}

void ReplayPlayer::seek(double seconds)
{
    const double timeNs = std::clamp(seconds * 1e9, 0.0, static_cast<double>(m_lengthNs));
    *m_timeNs = std::min(m_lengthNs, static_cast<std::int64_t>(std::llround(timeNs)));
}

void ReplayPlayer::setSpeed(double speed)
{
    m_speed = std::clamp(speed, SlowestSpeed, FastestSpeed);
}

void ReplayPlayer::stepForward()
{
    const auto next = std::ranges::upper_bound(m_stepsNs, *m_timeNs);
    stopAt(next == m_stepsNs.end() ? m_lengthNs : *next);
}

void ReplayPlayer::stepBack()
{
    const auto at = std::ranges::lower_bound(m_stepsNs, *m_timeNs);
    stopAt(at == m_stepsNs.begin() ? 0 : *std::prev(at));
}

void ReplayPlayer::nextMessage()
{
    const auto next = std::ranges::upper_bound(m_messagesNs, *m_timeNs);
    stopAt(next == m_messagesNs.end() ? m_lengthNs : *next);
}

void ReplayPlayer::stopAt(std::int64_t timeNs)
{
    m_isPlaying = false;
    *m_timeNs = timeNs;
}

} // namespace lockstep::ui
