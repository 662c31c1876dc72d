// The feeds of the shown runs, live and replayed: it carries out what changes the set of shown runs (ShownRuns), and
// has the common tick that pulls the feeds while data arrives, seldom enough that drawing does not slow the ranks down.
// GUI thread only.
#pragma once

#include "ui/models/feeds/run_feed.h"
#include "ui/models/palette.h"
#include "ui/models/redraw_pace.h"
#include "ui/models/runs/shown_runs.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::ui {

class LogModel;
class RunsTableModel;

class ShownFeeds : public QObject {
    Q_OBJECT

public:
    /// Table and log outlive the feeds; the table shows the ticks of runs(). `isBusy`: whether a run is active, so that
    /// the tick must not stop.
    ShownFeeds(RunsTableModel& table, LogModel& log, std::function<bool()> isBusy);

    /// Which runs are shown, also during a replay, which draws others.
    [[nodiscard]] const ShownRuns& runs() const { return m_runs; }

    /// Runs that have just been started as one experiment: what is shown goes, unless it is kept.
    void begin(std::vector<std::unique_ptr<RunFeed>> feeds);
    void addStored(std::unique_ptr<RunFeed> feed);
    /// Shows a run again whose feed is here: switched off, or received although it is not shown. False: it is not here.
    bool showAgain(const RunId& id);
    /// A live run of a busy session is still received, but no longer drawn.
    void hide(const RunId& id);
    /// Hides all others, as hide() does.
    void keepOnly(const std::vector<RunId>& ids);
    /// Whether what is shown now stays when a new experiment begins or another one is opened.
    void keepShown(bool isOn);
    /// In the legend of a chart, where they keep their place: off if any of them is shown.
    void toggle(const std::vector<RunId>& ids);
    /// Gives each run its look, and emits changed() now, not soon.
    void tell();
    /// Draws these replayed runs instead, in their order and colours; called again, others in their place. Live runs
    /// are still received. Table and store are left as they are.
    void replay(std::vector<std::unique_ptr<RunFeed>> feeds);
    /// Draws again what was drawn before replay(). Whatever else changes what is drawn ends a replay first.
    void endReplay();
    [[nodiscard]] bool isReplaying() const { return m_isReplaying; }
    /// Whether the tick continues although no run is active or read: a replay plays.
    void setTicking(bool isOn);
    /// Takes new data of all runs now, as on the tick.
    void tick();
    /// The user's name of a run, if it is drawn.
    void setLabel(const RunId& id, const QString& label);
    /// Ends all sources and the tick.
    void end();
    void setPalette(PaletteName palette);
    /// Takes new data for this run now, without waiting for the tick.
    void pullNow(const RunId& id);
    /// One of these runs changed its status: restarts the tick.
    void wake(const RunId& id);

    /// During a replay also what it hides; also of runs that are received although they are not shown.
    [[nodiscard]] RunFeed* find(const RunId& id) const;
    /// Those of runs(), in their order; during a replay the replayed ones.
    [[nodiscard]] std::vector<RunFeed*> list() const;
    /// list(), and those that are switched off: for the legends of charts.
    [[nodiscard]] std::vector<RunFeed*> inLegends() const;

Q_SIGNALS:
    /// On the common tick, before new data is taken.
    void aboutToTick();
    void replayEnded();
    /// On the common tick, if there is new data.
    void ticked();

private:
    struct Shown {
        std::unique_ptr<RunFeed> feed;
        bool isLive = false;
        bool isBehind = false; ///< the table lacks its latest figures
        bool isRead = false; ///< a stored run of which no more comes
        int quietTicks = 0;
    };

    /// In the order in which the runs were started, in whatever order they were ticked.
    void add(Shown shown);
    /// The feed lives until models know, since they may still ask it.
    void drop(const RunId& id);
    [[nodiscard]] std::vector<Shown*> inTurn();
    void updateTick();

    RunsTableModel& m_table;
    LogModel& m_log;
    const std::function<bool()> m_isBusy;
    ShownRuns m_runs;
    std::vector<Shown> m_shown; ///< of m_runs, or what is replayed
    std::vector<Shown> m_aside; ///< what a replay hides
    std::vector<Shown> m_received; ///< live runs that are not shown: each feed is the only reader of its source
    std::vector<std::unique_ptr<RunFeed>> m_gone;
    QTimer m_telling;
    bool m_isReplaying = false;
    bool m_isTicking = false;
    RunId m_nextStored; ///< read first on the next tick
    QTimer m_tick;
    PaletteName m_palette = PaletteName::Vibrant;
    RedrawPace m_pace;
    std::int64_t m_spentNs = 0; ///< this thread's processor time at the last tick
    QElapsedTimer m_sinceTable;
};

} // namespace lockstep::ui
