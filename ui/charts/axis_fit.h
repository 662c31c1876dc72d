// Fits ticks and titles of a plot's axes to their length: labels that do not overlap, titles that are not cut by the
// page. Private to ui/charts and ui/export.
#pragma once

#include "ui/charts/axis_numbers.h"
#include "ui/charts/legend_strip.h"
#include "ui/charts/qcp.h"
#include "ui/models/chart_spec.h"

#include <QFontMetricsF>

#include <array>
#include <cstddef>
#include <vector>

namespace lockstep::ui {

/// A title in as many lines as it needs, at most three, each no longer than `room`; the rest is cut.
[[nodiscard]] QString titleWithin(const QString& title, const QFontMetricsF& metrics, double room);

/// A text of an axis as it is drawn, in dots of the plot.
struct AxisText {
    QString text;
    QRectF place;
    bool isTitle = false;
};

class AxisFit {
public:
    /// The plot outlives it.
    explicit AxisFit(QCustomPlot& plot)
        : m_plot(plot)
    { }

    /// The titles and units; titles follow the range from then on.
    void setAxis(QCPAxis* axis, const AxisSpec& spec);
    /// As many ticks as have room, titles no longer than their axes, and on paper room for the last label; `endsRoom`
    /// is kept right of the axes. True if anything changed: the plot then has to be laid out again.
    [[nodiscard]] bool fit(const ChartStyle& style, int endsRoom);

    /// The title, and the labels of numbers: those of categories are turned where they need it.
    [[nodiscard]] static std::vector<AxisText> textsOf(const QCPAxis& axis);

private:
    /// Into m_specs and m_rooms.
    [[nodiscard]] std::size_t indexOf(const QCPAxis* axis) const { return axis == m_plot.xAxis ? 0 : 1; }
    void setTitle(QCPAxis* axis, const ChartStyle& style);
    void fitTicks(QCPAxis* axis, const ChartStyle& style);

    QCustomPlot& m_plot;
    std::array<AxisSpec, 2> m_specs; ///< label, unit, scale and categories
    std::array<LabelRoom, 2> m_rooms{};
    double m_lastLabelEnd = 0.0; ///< of the x axis, in dots
};

} // namespace lockstep::ui
