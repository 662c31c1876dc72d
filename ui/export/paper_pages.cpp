#include "ui/export/paper_pages.h"

#include "ui/charts/chart_painter.h"
#include "ui/export/paper_chart.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

/// A pixel of the screen is 0.75 pt on paper, for lines 0.5 pt: print is sharper.
constexpr double WidthsPerInch = 96.0;
constexpr double PaperPen = 2.0 / 3.0;
/// More points than any printer resolves on a page; the CSV has them all.
constexpr std::size_t MostPrintedPoints = 4000;

/// A TrueType family where there is one: PDF files get such fonts embedded as text, others as outlines.
QFont paperFont(double points, int dpi)
{
    QFont font = QGuiApplication::font();
    for (const char* family : {"Arial", "Liberation Sans", "Helvetica Neue", "Noto Sans", "DejaVu Sans"}) {
        if (QFontDatabase::hasFamily(QLatin1String(family))) {
            font.setFamilies({QLatin1String(family), font.family(), QStringLiteral("Noto Sans CJK SC")});
            break;
        }
    }
    // In dots of the paper, independent of the screen's points.
    font.setPixelSize(paperDots(points, dpi, PointsPerInch));
    font.setKerning(false);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Fewer points, extremes kept: drops what is outside the axis and thins the rest to what paper can show.
void thin(SeriesSpec& series, const AxisSpec& axis)
{
    const auto keep = drawnPoints(series, axis, MostPrintedPoints);
    if (keep.size() == series.x.size()) {
        return;
    }
    const auto take = [&](std::vector<double>& column) {
        std::vector<double> kept;
        kept.reserve(keep.size());
        for (const std::uint32_t i : keep) {
            kept.push_back(column[i]);
        }
        column = std::move(kept);
    };
    const bool hasBand = series.low.size() == series.x.size() && series.high.size() == series.x.size();
    if (hasBand) {
        take(series.low);
        take(series.high);
    }
    take(series.x);
    take(series.y);
}

ChartSpec forPaper(const ChartSpec& chart, const PaperOptions& options)
{
    ChartSpec paper = onPaper(chart, options);
    if (paper.x.categories.empty()) {
        for (SeriesSpec& series : paper.series) {
            thin(series, paper.x);
        }
    }
    return paper;
}

/// A plot that is never shown.
class ChartPage final : public PaperPage {
public:
    ChartPage(const ChartSpec& chart, const PaperOptions& options, int dpi)
        : PaperPage(options, dpi)
    {
        ChartStyle style;
        style.theme = paperTheme();
        style.font = paperFont(options.fontPt, dpi);
        style.lineFactor = dpi / WidthsPerInch;
        style.penFactor = PaperPen;
        style.isPaper = true;
        style.marksLines = options.markers == PaperOptions::Markers::Sparse;
        style.legend = options.legend;
        m_plot.setFont(style.font);
        m_plot.resize(size());
        m_plot.setViewport(QRect(QPoint(0, 0), size()));
        m_painter.setStyle(style);
        m_painter.setChart(forPaper(chart, options), ChartPainter::Ranges::Fit);
    }

    void draw(QCPPainter& painter) override { m_plot.toPainter(&painter, size().width(), size().height()); }

private:
    QCustomPlot m_plot;
    ChartPainter m_painter{m_plot}; ///< places texts again once the plot is laid out
};

class DrawingPage final : public PaperPage {
public:
    DrawingPage(const Drawing& drawing, const PaperOptions& options, int dpi)
        : PaperPage(options, dpi)
        , m_drawing(drawing)
        , m_style{paperFont(options.fontPt, dpi), dpi / WidthsPerInch, options.colors}
    { }

    void draw(QCPPainter& painter) override
    {
        m_drawing.paint(painter, QRectF(QPointF(0, 0), QSizeF(size())), m_style);
    }

private:
    const Drawing& m_drawing;
    PaperStyle m_style;
};

/// Charts in rows, each with a letter and its title above it.
class PanelsPage final : public PaperPage {
public:
    PanelsPage(const PanelFigure& figure, const PaperOptions& options, int dpi)
        : PaperPage(options, dpi)
        , m_figure(figure)
        , m_font(paperFont(options.fontPt, dpi))
    {
        m_font.setBold(true);
        m_caption = QFontMetrics(m_font).lineSpacing();
        const int columns = figure.columnCount();
        const int rows = figure.rowCount();
        PaperOptions each = options;
        each.widthMm = options.widthMm / columns;
        each.heightMm = options.heightMm / rows - m_caption * MmPerInch / dpi;
        for (const ChartSpec& chart : figure.panels) {
            m_pages.push_back(std::make_unique<ChartPage>(chart, each, dpi));
        }
    }

    void draw(QCPPainter& painter) override
    {
        const int columns = m_figure.columnCount();
        const QSize cell(size().width() / columns, size().height() / m_figure.rowCount());
        painter.fillRect(QRect(QPoint(0, 0), size()), paperTheme().background);
        for (std::size_t i = 0; i < m_pages.size(); ++i) {
            const auto number = static_cast<int>(i);
            painter.save();
            painter.translate(QPoint(number % columns * cell.width(), number / columns * cell.height()));
            painter.setFont(m_font);
            painter.setPen(paperTheme().text);
            painter.drawText(QRect(m_caption / 2, 0, cell.width() - m_caption / 2, m_caption),
                Qt::AlignLeft | Qt::AlignVCenter, panelTitle(m_figure, i));
            painter.translate(0, m_caption);
            m_pages[i]->draw(painter);
            painter.restore();
        }
    }

private:
    const PanelFigure& m_figure;
    QFont m_font;
    int m_caption = 0; ///< height
    std::vector<std::unique_ptr<ChartPage>> m_pages;
};

} // namespace

void setVectorModes(QCPPainter& painter)
{
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
}

int paperDots(double length, double dpi, double perInch)
{
    return std::max(1, static_cast<int>(std::lround(length / perInch * dpi)));
}

Sheet sheetOf(const ChartSpec& chart)
{
    return {chart.title,
        [&chart](const PaperOptions& options, int dpi) { return std::make_unique<ChartPage>(chart, options, dpi); }};
}

Sheet sheetOf(const Drawing& drawing)
{
    return {drawing.title, [&drawing](const PaperOptions& options, int dpi) {
                return std::make_unique<DrawingPage>(drawing, options, dpi);
            }};
}

Sheet sheetOf(const PanelFigure& figure)
{
    return {figure.title,
        [&figure](const PaperOptions& options, int dpi) { return std::make_unique<PanelsPage>(figure, options, dpi); }};
}

} // namespace lockstep::ui
