// The common clock of a replay: runs side by side, each from its own first step, at 0.1 to 100 times their speed. Time
// is passed in, so it needs no clock. GUI thread only.
#pragma once

#include "store/replay/replayed_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::ui {

/// A stored run as it was before its first message: its Deltas bring the rest.
[[nodiscard]] analysis::RunRecord recordAtStart(analysis::RunRecord record);

class ReplayPlayer {
public:
    static constexpr double SlowestSpeed = 0.1;
    static constexpr double FastestSpeed = 100.0;

    explicit ReplayPlayer(std::vector<store::ReplayedRunPtr> recordings);

    /// Gives what recording `number` has received by the time of each take(), from its beginning; nothing once the
    /// clock has been set back: then a new one is needed.
    [[nodiscard]] std::unique_ptr<store::DeltaSource> source(std::size_t number) const;

    /// Since the first step began.
    [[nodiscard]] double seconds() const;
    [[nodiscard]] double length() const;
    [[nodiscard]] bool isAtEnd() const { return *m_timeNs >= m_lengthNs; }
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    /// At the end: again from the beginning.
    void play();
    void pause() { m_isPlaying = false; }
    void advance(double realSeconds);
    void seek(double seconds);

    void setSpeed(double speed);
    [[nodiscard]] double speed() const { return m_speed; }

    /// Pauses at the next, or the last, moment at which a run has ended a step.
    void stepForward();
    void stepBack();
    /// Pauses at the end of the next message between ranks.
    void nextMessage();
    [[nodiscard]] bool hasMessages() const { return !m_messagesNs.empty(); }

private:
    void stopAt(std::int64_t timeNs);

    std::vector<store::ReplayedRunPtr> m_recordings;
    std::shared_ptr<std::int64_t> m_timeNs = std::make_shared<std::int64_t>(0); ///< shared with the sources
    std::int64_t m_lengthNs = 0;
    std::vector<std::int64_t> m_stepsNs; ///< ascending, since each run's first step began
    std::vector<std::int64_t> m_messagesNs;
    double m_speed = 1.0;
    bool m_isPlaying = true;
};

} // namespace lockstep::ui
