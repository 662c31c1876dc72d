// The feeds of the drawn runs, live and replayed: their order and colours, and the common tick that pulls them while
// data arrives, seldom enough that drawing does not slow the ranks down. GUI thread only.
#pragma once

#include "ui/models/feeds/run_feed.h"
#include "ui/models/palette.h"
#include "ui/models/redraw_pace.h"
#include "ui/shell/runs/variant_places.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::ui {

class LogModel;
class RunsTableModel;

class ShownFeeds : public QObject {
    Q_OBJECT

public:
    /// Table and log outlive the feeds. `isBusy`: whether a run is active, so that the tick must not stop.
    ShownFeeds(RunsTableModel& table, LogModel& log, std::function<bool()> isBusy);

    /// Runs that have just been started, a colour a variant: its place in the palette as the form has it, by name. Of
    /// variants that are not among them, the colour that they had last or have, else a free one.
    void addLive(std::vector<std::unique_ptr<RunFeed>> feeds, const std::map<std::string, std::size_t>& places = {});
    /// A stored run, in the colour of its variant where that is free or shown for the same settings.
    void addStored(std::unique_ptr<RunFeed> feed);
    /// Draws a run again that hide() left among the feeds; false if it is not among them.
    bool showAgain(const RunId& id);
    /// A live run of a busy session is still received, but no longer drawn.
    void hide(const RunId& id);
    /// Hides all others, as hide() does.
    void keepOnly(const std::vector<RunId>& ids);
    /// Emits changed() now, not soon.
    void tell();
    void clear();
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

    /// During a replay also what it hides.
    [[nodiscard]] RunFeed* find(const RunId& id) const;
    [[nodiscard]] std::vector<RunFeed*> list() const;

Q_SIGNALS:
    /// Feeds were added or removed. Once for many that are ticked together: soon, not at once.
    void changed();
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
        int quietTicks = 0;
        std::size_t place = 0; ///< of its colour in the palette, and on from the start after the last
    };

    void add(std::unique_ptr<RunFeed> feed, std::size_t place, bool isLive);
    /// The feed lives until `changed` has been told, since models may still ask it.
    void drop(const RunId& id);
    [[nodiscard]] std::vector<Shown*> inTurn();
    void updateTick();
    void setPace();
    [[nodiscard]] std::vector<VariantPlaces::Taken> taken() const;

    RunsTableModel& m_table;
    LogModel& m_log;
    const std::function<bool()> m_isBusy;
    std::vector<Shown> m_shown;
    std::vector<Shown> m_aside; ///< what a replay hides
    std::vector<std::unique_ptr<RunFeed>> m_gone;
    QTimer m_telling;
    bool m_isReplaying = false;
    bool m_isTicking = false;
    RunId m_nextStored; ///< read first on the next tick
    QTimer m_tick;
    PaletteName m_palette = PaletteName::Vibrant;
    VariantPlaces m_places;
    RedrawPace m_pace;
    std::int64_t m_spentNs = 0; ///< this thread's processor time at the last tick
    QElapsedTimer m_sinceTable;
};

} // namespace lockstep::ui
