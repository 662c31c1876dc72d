// What the curves of a plot draw on screen: all lines as one picture, then all markers over it. Private to ui/charts
// and ui/export.
#pragma once

#include "ui/charts/curve_raster.h"
#include "ui/charts/qcp.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockstep::ui {

class CurveSheet : public QCPAbstractItem {
    Q_OBJECT

public:
    /// In a layer above the curves; the plot owns it.
    explicit CurveSheet(QCustomPlot& plot);

    /// For the lines of a curve that is being drawn with `painter`.
    [[nodiscard]] CurveRaster& raster(const QCPPainter& painter);
    /// A place of the plot in dots of the raster.
    [[nodiscard]] QPointF dotOf(const QPointF& place) const { return (place - m_place.topLeft()) * m_dots; }
    /// Dots a pixel of the plot.
    [[nodiscard]] double dots() const { return m_dots; }
    /// Once the lines of all curves are there.
    void afterwards(std::function<void(QCPPainter&)> draw) { m_later.push_back(std::move(draw)); }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }

protected:
    void draw(QCPPainter* painter) override;

private:
    std::optional<CurveRaster> m_raster;
    bool m_hasLines = false; ///< that have not been drawn yet
    QRectF m_place; ///< of the axes
    double m_dots = 1.0;
    std::vector<std::function<void(QCPPainter&)>> m_later;
};

} // namespace lockstep::ui
