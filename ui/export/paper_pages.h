// What is to be drawn, laid out in the dots of its paper. Private to ui/export.
#pragma once

#include "ui/charts/qcp.h"
#include "ui/export/render.h"

#include <memory>

namespace lockstep::ui {

inline constexpr double MmPerInch = 25.4;
inline constexpr double PointsPerInch = 72.0;

/// `length` in dots at `dpi`, at least 1; `perInch`: its unit.
[[nodiscard]] int paperDots(double length, double dpi, double perInch = MmPerInch);

class Page {
public:
    Page(const PaperOptions& options, int dpi)
        : m_size(paperDots(options.widthMm, dpi), paperDots(options.heightMm, dpi))
    { }
    virtual ~Page() = default;
    virtual void draw(QCPPainter& painter) = 0;
    [[nodiscard]] QSize size() const { return m_size; }

private:
    QSize m_size;
};

/// A title and a page for any resolution; what it was made of outlives it.
struct Sheet {
    QString title;
    std::function<std::unique_ptr<Page>(const PaperOptions& options, int dpi)> page;
};

[[nodiscard]] Sheet sheetOf(const ChartSpec& chart);
[[nodiscard]] Sheet sheetOf(const Drawing& drawing);
[[nodiscard]] Sheet sheetOf(const PanelFigure& figure);

} // namespace lockstep::ui
