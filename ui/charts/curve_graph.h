// One curve: lines whose cost does not depend on the width of their pen, gaps where a value is missing, an error band,
// sparse markers. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/curve_sheet.h"
#include "ui/charts/qcp.h"
#include "ui/models/chart_spec.h"

#include <optional>
#include <vector>

namespace lockstep::ui {

/// QCustomPlot strokes an antialiased curve wider than a pixel as one path, which takes seconds for noisy data. Here
/// points are first reduced to what each column of dots shows; then flat columns are joined by lines, and steep ones
/// drawn as upright bars, both on the plot's sheet. PDF and SVG get one path a curve.
class CurveGraph : public QCPGraph {
    Q_OBJECT

public:
    /// The sheet is of the same plot.
    CurveGraph(QCPAxis* x, QCPAxis* y, CurveSheet& sheet)
        : QCPGraph(x, y)
        , m_sheet(sheet)
    { }

    /// x ascending; NaN (or, on a log axis, values not above zero) are gaps.
    void setSeries(const SeriesSpec& series, Scale xScale, Scale yScale);
    /// Markers at least `spacing` apart, from `start` right of the axis on.
    void setMarkers(const QCPScatterStyle& style, double spacing, double start);
    /// The width of the stretches in which lines that lie on each other take turns.
    void setStripeLength(double length) { m_stripeLength = length; }
    /// How far right of its place it is drawn.
    void setAside(double length) { m_aside = length; }

protected:
    void draw(QCPPainter* painter) override;

private:
    /// What one column of dots shows of the curve.
    struct Column {
        double x = 0.0;
        double first = 0.0;
        double low = 0.0;
        double high = 0.0;
        double last = 0.0;
        bool isLowFirst = true;
        bool isGap = false;
        bool isOfMany = false; ///< points

        void add(double y);
        void appendTo(QVector<QPointF>& points) const;
    };

    [[nodiscard]] QVector<QPointF> visiblePoints() const;
    /// What of the line lies in this curve's stretches, with gaps between them.
    [[nodiscard]] QVector<QPointF> ownStripes(const QVector<QPointF>& points) const;
    [[nodiscard]] bool isOwnStripe(double x) const;
    /// The point of the line at a distance from one of its points.
    [[nodiscard]] static QPointF beside(const QVector<QPointF>& points, qsizetype point, double distance);
    [[nodiscard]] static std::vector<Column> columnsOf(const QVector<QPointF>& points, double pixel);
    void drawBand(QCPPainter& painter) const;
    void drawWhiskers(QCPPainter& painter) const;
    void drawPaths(QCPPainter& painter, const std::vector<Column>& columns) const;
    void drawOnSheet(const QCPPainter& painter, QVector<QPointF> line) const;
    static void inkColumns(CurveRaster& raster, const std::vector<Column>& columns);
    void drawMarkers(QCPPainter& painter, const QVector<QPointF>& points) const;

    CurveSheet& m_sheet;
    double m_aside = 0.0;
    std::vector<double> m_low;
    std::vector<double> m_high;
    bool m_hasWhiskers = false;
    QCPScatterStyle m_marker;
    double m_spacing = 0.0;
    double m_start = 0.0;
    int m_stripe = 0;
    int m_stripes = 1;
    std::optional<double> m_stripesEnd;
    double m_stripeLength = 14.0;
};

} // namespace lockstep::ui
