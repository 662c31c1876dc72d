// The feeds of what is drawn, live and replayed: their order and colours, and the common tick that pulls them while
// something moves. GUI thread only.
#pragma once

#include "ui/models/palette.h"
#include "ui/models/run_feed.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace lockstep::ui {

class LogModel;
class RunsTableModel;

class ShownFeeds : public QObject {
    Q_OBJECT

public:
    /// Table and log outlive the feeds. `isBusy`: whether a run is under way, so that the tick must not rest.
    ShownFeeds(RunsTableModel& table, LogModel& log, std::function<bool()> isBusy);

    /// Runs that have just been started, a colour a variant.
    void addLive(std::vector<std::unique_ptr<RunFeed>> feeds);
    /// A stored run, in the colour of its variant's place where that is free.
    void addStored(std::unique_ptr<RunFeed> feed);
    /// A live run of a busy session is still received, but no longer drawn.
    void hide(const RunId& id);
    void clear();
    /// Ends all sources and the tick.
    void end();
    void setPalette(PaletteName palette);
    /// Takes what has come for this run now, without waiting for the tick.
    void pullNow(const RunId& id);
    /// A run of these has changed its status: the tick runs again.
    void wake(const RunId& id);

    [[nodiscard]] RunFeed* find(const RunId& id) const;
    [[nodiscard]] std::vector<RunFeed*> list() const;

Q_SIGNALS:
    /// Feeds have come or gone.
    void changed();
    /// On the common tick, when something came in.
    void ticked();

private:
    struct Shown {
        std::unique_ptr<RunFeed> feed;
        bool isLive = false;
        bool isBehind = false; ///< the table does not have its latest figures yet
        int quietTicks = 0;
    };

    void add(std::unique_ptr<RunFeed> feed, const QColor& color, bool isLive);
    void tick();
    void updateTick();
    [[nodiscard]] std::vector<Shown>::iterator place(const RunId& id);
    [[nodiscard]] QColor freeColor(const analysis::RunRecord& record) const;

    RunsTableModel& m_table;
    LogModel& m_log;
    const std::function<bool()> m_isBusy;
    std::vector<Shown> m_shown;
    QTimer m_tick;
    PaletteName m_palette = PaletteName::Vibrant;
    int m_ticks = 0;
};

} // namespace lockstep::ui
