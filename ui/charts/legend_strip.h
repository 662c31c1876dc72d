// The legend: a strip above the axes, where it never covers a curve. As many lines as its entries need; a hidden series
// stays in it, dimmed, so that a click brings it back. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/qcp.h"
#include "ui/models/chart_axes.h"
#include "ui/models/palette.h"

#include <vector>

namespace lockstep::ui {

struct ChartStyle {
    ChartTheme theme;
    QFont font; ///< of ticks, labels and legend
    double lineFactor = 1.0; ///< device units for a pixel of the screen
    double penFactor = 1.0; ///< of lines, beside lineFactor
    bool marksLines = false; ///< sparse markers on lines: paper may be printed grey
    LegendPlace legend = LegendPlace::Above;
    bool isPaper = false; ///< pale instead of translucent: PDF outlines every translucent line

    /// A variant's colour on this ground.
    [[nodiscard]] QColor inkOf(const QColor& color) const { return onGround(color, theme.background); }
};

/// As its style says; of a style that says nothing, as its variant's dash.
[[nodiscard]] Qt::PenStyle penStyleOf(const SeriesSpec& series);
/// The marker of a series, in the legend and for its points.
[[nodiscard]] QCPScatterStyle markerOf(int number, const QColor& color, const QColor& ground, double size);
/// Solid; hatched for the phase "wait".
[[nodiscard]] QBrush barBrush(const SeriesSpec& series, const QColor& ink, double lineFactor);

class LegendStrip : public QCPLayoutElement {
    Q_OBJECT

public:
    explicit LegendStrip(QCustomPlot& plot);

    void setStyle(const ChartStyle& style);
    /// Takes the entries; `remark` follows them as a text. `width` is what the strip will have. On paper, entries that
    /// are wider than that, or take much of a page of `pageHeight`, stand in columns, with shorter names.
    void setEntries(const std::vector<SeriesSpec>& series, const QString& remark, int width, int pageHeight);
    /// A text of the strip as it is drawn.
    struct Placed {
        QString text;
        QRectF place; ///< of sample and text, in dots of the plot
        bool isRemark = false;
    };
    [[nodiscard]] std::vector<Placed> placed() const;
    /// The key of the entry at a place of the plot; empty if there is none.
    [[nodiscard]] QString keyAt(const QPointF& place) const;
    [[nodiscard]] int count() const;
    /// In a corner of the axes, an entry a line, rather than beside them.
    [[nodiscard]] bool isInside() const;

protected:
    void draw(QCPPainter* painter) override;
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

private:
    struct Entry {
        SeriesSpec series; ///< without its points
        QString shown; ///< its name, maybe shorter
        QRectF place; ///< relative to the strip
        bool isRemark = false; ///< a text alone
    };

    void layOut(int width);
    /// Height of the lines that names as they are would take; 0 where one is wider than the strip.
    double flow(int width);
    [[nodiscard]] bool layOutColumns(int columns, int width);
    [[nodiscard]] static double sampleRoom(const Entry& entry);
    /// The indent to the axes, if there is room.
    [[nodiscard]] double indent() const;
    void drawSample(QCPPainter& painter, const Entry& entry, const QRectF& place) const;

    ChartStyle m_style;
    std::vector<Entry> m_entries;
    int m_width = -1;
    int m_pageHeight = 0;
    double m_used = 0.0; ///< of the width, by the longest line
};

} // namespace lockstep::ui
