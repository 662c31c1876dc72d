// What is to be drawn, laid out in the dots of its paper. Private to ui/export.
#pragma once

#include "ui/charts/qcp.h"
#include "ui/export/figure_boxes.h"
#include "ui/export/render.h"

#include <memory>

namespace lockstep::ui {

inline constexpr double MmPerInch = 25.4;
inline constexpr double PointsPerInch = 72.0;
/// QCustomPlot lays out in whole dots: at this resolution that is invisible, and 1/4 pt is a whole dot.
inline constexpr int VectorDpi = 288;

/// For a painter on a PDF or an SVG.
void setVectorModes(QCPPainter& painter);

/// `length` in dots at `dpi`, at least 1; `perInch`: its unit.
[[nodiscard]] int paperDots(double length, double dpi, double perInch = MmPerInch);

class PaperPage {
public:
    PaperPage(const PaperOptions& options, int dpi)
        : m_size(paperDots(options.widthMm, dpi), paperDots(options.heightMm, dpi))
    { }
    virtual ~PaperPage() = default;
    virtual void draw(QCPPainter& painter) = 0;
    /// Adds texts and panels where draw() draws them; nothing of a drawing.
    virtual void addBoxes(FigureBoxes& boxes) = 0;
    [[nodiscard]] QSize size() const { return m_size; }

private:
    QSize m_size;
};

/// A title and a page for any resolution; what it was made of outlives it.
struct Sheet {
    QString title;
    std::function<std::unique_ptr<PaperPage>(const PaperOptions& options, int dpi)> page;
};

[[nodiscard]] Sheet sheetOf(const ChartSpec& chart);
[[nodiscard]] Sheet sheetOf(const Drawing& drawing);
[[nodiscard]] Sheet sheetOf(const PanelFigure& figure);
[[nodiscard]] Sheet sheetOf(const Picture& picture);

} // namespace lockstep::ui
