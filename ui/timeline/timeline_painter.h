// Draws a timeline: one lane a rank, the phases or a pipeline's micro-batches in their colours. The screen and the
// export use the same function; its cost depends on the dots of the paper, not on the number of spans. Any thread that
// may use QFont.
#pragma once

#include "ui/models/feeds/critical_path_marks.h"
#include "ui/models/feeds/pipeline_steps.h"
#include "ui/models/feeds/timeline_marks.h"
#include "ui/models/feeds/timeline_model.h"
#include "ui/models/palette.h"
#include "ui/timeline/timeline_legend.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lockstep::ui {

/// Time that a slow rank was told to lose, within its backward pass.
struct SlowPart {
    std::size_t lane = 0;
    TimelineWindow time;
};

/// What is drawn.
struct TimelineScene {
    TimelineWindow window;
    std::vector<TimelineMark> marks;
    QString note; ///< under the drawing: what it lacks; empty: nothing
    TimelineColours colours = TimelineColours::Phase;
    std::vector<PipelineStep> steps{}; ///< whose idle time is shaded; of a pipeline by micro-batch
    std::vector<TimelineWindow> cuts{}; ///< parts of the window that are left out of the axis, in order
    std::vector<std::vector<analysis::PathPiece>> paths{}; ///< critical ones, of the steps shown; empty: not drawn
    std::vector<SlowPart> slow{};
    QStringList bubble{}; ///< above the lanes: how large the bubble is, what the critical paths consist of
};

/// How it is drawn.
struct TimelineStyle {
    ChartTheme theme;
    QFont font;
    double scale = 1.0; ///< a pixel of the screen in the painter's units
    double dot = 1.0; ///< a dot of the device in the painter's units: spans begin and end on whole ones
    double pen = 1.0; ///< thin lines: thinner in print than on screen
    bool isGrey = false; ///< for a print without colours
};

/// The layout, for painting and for the mouse.
class TimelineLayout {
public:
    /// Between two cuts: time and place are proportional.
    struct Piece {
        TimelineWindow time;
        double left = 0.0;
        double right = 0.0;
    };

    TimelineLayout(
        const QRectF& area, const TimelineModel& model, const TimelineScene& scene, const TimelineStyle& style);

    [[nodiscard]] const QRectF& plot() const { return m_plot; }
    [[nodiscard]] QRectF laneRect(std::size_t lane) const;
    /// -1: beside the lanes.
    [[nodiscard]] int laneAt(double y) const;
    [[nodiscard]] double xOf(std::int64_t ns) const;
    [[nodiscard]] std::int64_t nsAt(double x) const;
    [[nodiscard]] std::int64_t nsPerDot() const;
    [[nodiscard]] int columns() const;
    /// From left to right, at least one; the axis is cut between them.
    [[nodiscard]] const std::vector<Piece>& pieces() const { return m_pieces; }
    [[nodiscard]] int columnsOf(const Piece& piece) const;
    /// What the axis shows, without what is cut out.
    [[nodiscard]] std::int64_t shownNs() const;
    [[nodiscard]] const std::vector<LegendEntry>& legend() const { return m_legend; }
    /// The bubble's description, in lines that fit.
    [[nodiscard]] const QStringList& bubble() const { return m_bubble; }
    [[nodiscard]] int legendRows() const { return m_legend.empty() ? 0 : m_legend.back().row + 1; }
    /// Text rows, from the top: the legend, the bubble, the interventions (when there are any), the step numbers.
    [[nodiscard]] double rowHeight() const { return m_row; }
    [[nodiscard]] double gutter() const { return m_plot.left() - m_area.left(); }
    [[nodiscard]] const QRectF& area() const { return m_area; }

private:
    QRectF m_area;
    std::vector<LegendEntry> m_legend;
    QStringList m_bubble;
    QRectF m_plot;
    void divide(const TimelineScene& scene, double cutWidth);

    std::vector<Piece> m_pieces;
    std::size_t m_lanes;
    double m_dot;
    double m_row;
};

void paintTimeline(QPainter& painter, const QRectF& area, const TimelineModel& model, const TimelineScene& scene,
    const TimelineStyle& style);

/// What the model lacks and what is cut out, for TimelineScene::note.
[[nodiscard]] QString timelineNote(const TimelineModel& model, const std::vector<TimelineWindow>& cuts);
/// A phase's name in the window's language.
[[nodiscard]] QString phaseText(Phase phase);
/// `640 ns`, `12.3 µs`, `1.23 ms`, `2.34 s`.
[[nodiscard]] QString nanosecondsText(std::int64_t ns);

} // namespace lockstep::ui
