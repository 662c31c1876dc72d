// Plays the recorded steps of a ring slowly: which step, and how far in it. It moves through the events received and
// stops where they end. Time is passed in, so it needs no clock. GUI thread only.
#pragma once

#include "ui/models/feeds/ring_model.h"

#include <cstdint>
#include <optional>

namespace lockstep::ui {

class RingPlayer {
public:
    static constexpr double SlowestMessagesPerSecond = 0.5;
    static constexpr double FastestMessagesPerSecond = 64.0;

    /// Takes new data. While it follows, the newest step is next after the current one.
    void update(const RingModel& model);

    /// Plays the newest recorded step, then the one newest by then.
    void follow(const RingModel& model);
    /// Plays this step from its beginning; no-op if it is not kept.
    void choose(const RingModel& model, std::int64_t step);
    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }

    void play(); ///< at the end: again from the beginning
    void pause() { m_isPlaying = false; }
    [[nodiscard]] bool isPlaying() const { return m_isPlaying; }
    /// Pauses behind the end of the next exchange.
    void stepOne();
    void advance(double seconds);

    void setMessagesPerSecond(double speed);
    [[nodiscard]] double messagesPerSecond() const { return m_messagesPerSecond; }

    /// The current step: empty while none has been recorded.
    [[nodiscard]] std::optional<std::int64_t> number() const { return m_number; }
    [[nodiscard]] const RingStep& step() const { return m_step; }
    [[nodiscard]] double place() const { return m_place; }
    [[nodiscard]] bool isAtEnd() const;
    [[nodiscard]] RingPicture picture() const { return m_step.pictureAt(m_place); }

private:
    void open(const RingModel& model, std::int64_t step);

    RingStep m_step;
    std::optional<std::int64_t> m_number;
    double m_place = 0.0;
    double m_messagesPerSecond = 4.0;
    bool m_isFollowing = true;
    bool m_isPlaying = true;
};

} // namespace lockstep::ui
