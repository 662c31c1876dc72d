// Replays stored runs in the window: reads them, plays them through the pages in place of what is shown, and shows that
// again when it is left. Writes nothing. GUI thread only.
#pragma once

#include "store/replay/replayed_run_reader.h"
#include "ui/models/feeds/replay_player.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::ui {

class ReplayBar;
class RunController;
class RunFeed;

class ReplaySession : public QObject {
    Q_OBJECT

public:
    /// Controller and bar outlive the session.
    ReplaySession(QString storeFolder, RunController& controller, ReplayBar& bar, QObject* parent);
    ~ReplaySession() override;

    /// Reads these runs and plays them side by side; those that have not ended are left out. Ends a former replay.
    void start(const std::vector<RunId>& ids);
    void leave();
    [[nodiscard]] bool isOn() const { return m_player.has_value() || !m_reading.empty(); }

    void togglePlay();
    void stepBack();
    void stepForward();
    void nextMessage();
    void seek(double seconds);
    void setSpeed(double speed);

Q_SIGNALS:
    /// A replay has begun or ended.
    void changed();
    /// In one line for the user.
    void failed(const QString& message);

private:
    struct Reading {
        analysis::RunRecord record;
        std::unique_ptr<store::ReplayedRunReader> reader;
        store::ReplayedRunPtr recording;
    };

    void poll();
    void begin();
    void end();
    /// Feeds from the beginning to where the clock is.
    [[nodiscard]] std::vector<std::unique_ptr<RunFeed>> feeds() const;
    /// Moves the clock and shows where it is then.
    void move(const std::function<void(ReplayPlayer&)>& how);
    void showState();

    QString m_storeFolder;
    RunController& m_controller;
    ReplayBar& m_bar;
    QTimer m_poll;
    std::vector<Reading> m_reading; ///< until all are read, then empty
    std::vector<Reading> m_runs; ///< that are replayed
    std::optional<ReplayPlayer> m_player;
    QElapsedTimer m_sinceTick;
};

} // namespace lockstep::ui
