// An interactive timeline: the wheel zooms at the mouse, dragging pans, a double click goes back to the newest steps.
// Draws from the run's model when something has changed, at most once a frame. GUI thread only.
#pragma once

#include "ui/models/feeds/timeline_model.h"
#include "ui/models/palette.h"
#include "ui/timeline/timeline_painter.h"

#include <QPixmap>
#include <QPointer>
#include <QWidget>

#include <optional>

namespace lockstep::ui {

class RunFeed;

class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setFeed(RunFeed* feed);
    void setTheme(const ChartTheme& theme);
    /// By phase if a run has no micro-batches, whatever is set here.
    void setColours(TimelineColours colours);
    void setPathShown(bool isShown);
    /// Keeps the newest steps visible.
    void setFollowing(bool on);
    [[nodiscard]] bool isFollowing() const { return m_isFollowing; }
    void showWhole();

    [[nodiscard]] const TimelineWindow& shownWindow() const { return m_window; }
    void setShownWindow(const TimelineWindow& window);
    /// What is drawn now, for the export too.
    [[nodiscard]] const TimelineScene& scene() const;
    /// What is at this place, in words; empty if nothing.
    [[nodiscard]] QStringList readOut(const QPointF& place) const;

    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void followingChanged(bool on);
    /// Whether the run shown is a pipeline, whose spans can be coloured by micro-batch.
    void microBatchesChanged(bool hasMicroBatches);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void advance();
    /// Redraws the picture; moving the mouse alone does not need it.
    void invalidate();
    void setTexts();
    void showMicroBatches();
    [[nodiscard]] TimelineLayout layoutNow() const;

    QPointer<RunFeed> m_feed;
    ChartTheme m_theme = lightTheme();
    TimelineWindow m_window;
    TimelineColours m_colours = TimelineColours::Phase;
    bool m_hasMicroBatches = false;
    bool m_showsPath = false;
    bool m_isFollowing = true;
    mutable std::optional<TimelineScene> m_scene; ///< until something changes
    QPixmap m_picture;
    bool m_isStale = true;
    std::optional<QPointF> m_mouse;
    std::optional<QPointF> m_dragFrom;
    TimelineWindow m_dragWindow;
};

/// Shown in place of the view while the run has no spans. Null: there is no run.
[[nodiscard]] QString timelineEmptyText(const RunFeed* feed);

} // namespace lockstep::ui
