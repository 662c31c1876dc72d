#include "ui/export/paper_pages.h"

#include "ui/charts/chart_painter.h"
#include "ui/export/paper_chart.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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

ChartStyle paperStyle(const PaperOptions& options, int dpi)
{
    ChartStyle style;
    style.theme = paperTheme();
    style.font = paperFont(options.fontPt, dpi);
    style.lineFactor = dpi / WidthsPerInch;
    style.penFactor = PaperPen;
    style.isPaper = true;
    style.marksLines = options.markers == PaperOptions::Markers::Sparse;
    style.legend = options.legend;
    return style;
}

/// The letters of a line without the room above and below them.
QRectF lettersOf(const QRectF& line)
{
    const double room = 0.15 * line.height();
    return line.adjusted(0.0, room, 0.0, -room);
}

/// A plot that is never shown.
class ChartPage final : public PaperPage {
public:
    ChartPage(const ChartSpec& chart, const PaperOptions& options, int dpi)
        : PaperPage(options, dpi)
    {
        const ChartStyle style = paperStyle(options, dpi);
        m_plot.setFont(style.font);
        m_plot.resize(size());
        m_plot.setViewport(QRect(QPoint(0, 0), size()));
        m_painter.setStyle(style);
        m_painter.setChart(forPaper(chart, options), ChartPainter::Ranges::Fit);
        m_isInside = options.legend == LegendPlace::TopRight || options.legend == LegendPlace::BottomRight;
        layOut();
    }

    void draw(QCPPainter& painter) override { m_plot.toPainter(&painter, size().width(), size().height()); }

    void addBoxes(FigureBoxes& boxes) override
    {
        layOut();
        FigurePanel panel{QRectF(QPointF(0.0, 0.0), QSizeF(size())), QRectF(m_plot.axisRect()->rect()), {}, {}};
        for (const LegendStrip::Placed& each : m_painter.legend().placed()) {
            if (!m_isInside) {
                boxes.texts.push_back({each.text, lettersOf(each.place), 0});
            }
        }
        for (const auto& [axis, labels] : {std::pair(m_plot.xAxis, &panel.xLabels), {m_plot.yAxis, &panel.yLabels}}) {
            for (const AxisText& each : AxisFit::textsOf(*axis)) {
                boxes.texts.push_back({each.text, lettersOf(each.place), 0});
                if (!each.isTitle) {
                    *labels += each.text;
                }
            }
        }
        boxes.panels.push_back(std::move(panel));
    }

    /// Where the axes begin.
    [[nodiscard]] int left() const { return m_plot.axisRect()->left(); }
    /// Further right.
    void moveLeft(int to)
    {
        QMargins least = m_plot.axisRect()->minimumMargins();
        least.setLeft(to - m_plot.axisRect()->outerRect().left());
        m_plot.axisRect()->setMinimumMargins(least);
        layOut();
    }

private:
    void layOut()
    {
        updateLayout(m_plot);
        m_painter.settle();
    }

    QCustomPlot m_plot;
    ChartPainter m_painter{m_plot}; ///< places texts again once the plot is laid out
    bool m_isInside = false; ///< the legend
};

/// The legend of several charts, alone.
class LegendPage final {
public:
    LegendPage(const std::vector<SeriesSpec>& series, const PaperOptions& options, QSize page, int dpi)
        : m_strip(new LegendStrip(m_plot))
    {
        ChartStyle style = paperStyle(options, dpi);
        m_edge = static_cast<int>(std::lround(6.0 * style.lineFactor));
        style.legend = LegendPlace::Above;
        m_plot.plotLayout()->clear();
        m_plot.setBackground(style.theme.background);
        m_plot.plotLayout()->addElement(0, 0, m_strip);
        m_plot.plotLayout()->setMargins(QMargins(m_edge, m_edge, m_edge, 0));
        m_strip->setStyle(style);
        m_strip->setEntries(series, {}, page.width() - 2 * m_edge, page.height());
        m_size = QSize(page.width(), m_strip->minimumSize().height() + m_edge);
        m_plot.setViewport(QRect(QPoint(0, 0), m_size));
        updateLayout(m_plot);
    }

    [[nodiscard]] int height() const { return m_size.height(); }
    void draw(QCPPainter& painter) { m_plot.toPainter(&painter, m_size.width(), m_size.height()); }
    void addBoxes(FigureBoxes& boxes, int top) const
    {
        for (const LegendStrip::Placed& each : m_strip->placed()) {
            boxes.texts.push_back({each.text, lettersOf(each.place).translated(0.0, top), -1});
        }
    }

private:
    QCustomPlot m_plot;
    LegendStrip* m_strip;
    QSize m_size;
    int m_edge = 0;
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
    void addBoxes(FigureBoxes&) override { }

private:
    const Drawing& m_drawing;
    PaperStyle m_style;
};

/// The curves of all panels, each once; nothing where one look has two names.
std::optional<std::vector<SeriesSpec>> sharedSeries(const PanelFigure& figure, const PaperOptions& options)
{
    std::vector<SeriesSpec> shared;
    for (const ChartSpec& chart : figure.panels) {
        for (SeriesSpec& series : forPaper(chart, options).series) {
            if (series.name.isEmpty() || !series.isInLegend) {
                continue;
            }
            const auto isAlike = [&](const SeriesSpec& other) {
                return other.color == series.color && other.dash == series.dash && other.marker == series.marker
                    && other.style == series.style;
            };
            const auto known = std::ranges::find_if(shared, isAlike);
            if (known != shared.end() && known->name != series.name) {
                return std::nullopt;
            }
            if (known == shared.end()) {
                shared.push_back(std::move(series));
            }
        }
    }
    return shared;
}

/// Charts in rows, each with a letter and its title above it; one legend for all where that is possible.
class PanelsPage final : public PaperPage {
public:
    PanelsPage(const PanelFigure& figure, const PaperOptions& options, int dpi)
        : PaperPage(options, dpi)
        , m_figure(figure)
        , m_font(paperFont(options.fontPt, dpi))
        , m_isBelow(options.legend == LegendPlace::Below)
    {
        m_font.setBold(true);
        PaperOptions each = options;
        const bool isBeside = options.legend == LegendPlace::Above || m_isBelow;
        const auto shared = isBeside && figure.panels.size() > 1 ? sharedSeries(figure, options) : std::nullopt;
        if (shared && !shared->empty()) {
            m_legend = std::make_unique<LegendPage>(*shared, options, size(), dpi);
            each.legend = LegendPlace::None;
        }
        const int legend = m_legend ? m_legend->height() : 0;
        m_cell
            = QSize(size().width() / figure.columnCount(), std::max(1, (size().height() - legend) / figure.rowCount()));
        breakCaptions();
        each.widthMm = m_cell.width() * MmPerInch / dpi;
        each.heightMm = (m_cell.height() - m_caption) * MmPerInch / dpi;
        for (const ChartSpec& chart : figure.panels) {
            m_pages.push_back(std::make_unique<ChartPage>(chart, each, dpi));
        }
        alignColumns();
    }

    void draw(QCPPainter& painter) override
    {
        painter.fillRect(QRect(QPoint(0, 0), size()), paperTheme().background);
        for (std::size_t i = 0; i < m_pages.size(); ++i) {
            painter.save();
            painter.translate(cellAt(i).topLeft());
            painter.setFont(m_font);
            painter.setPen(paperTheme().text);
            painter.drawText(
                captionRect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip, m_captions[static_cast<qsizetype>(i)]);
            painter.translate(0, m_caption);
            m_pages[i]->draw(painter);
            painter.restore();
        }
        if (m_legend) {
            painter.save();
            painter.translate(0, legendTop());
            m_legend->draw(painter);
            painter.restore();
        }
    }

    void addBoxes(FigureBoxes& boxes) override
    {
        for (std::size_t i = 0; i < m_pages.size(); ++i) {
            const QRectF cell = cellAt(i);
            const int panel = static_cast<int>(i);
            FigureBoxes own;
            m_pages[i]->addBoxes(own);
            const QPointF origin = cell.topLeft() + QPointF(0.0, m_caption);
            for (FigureText& text : own.texts) {
                boxes.texts.push_back({text.text, text.place.translated(origin), panel});
            }
            own.panels.front().plot.translate(origin);
            own.panels.front().cell = cell;
            boxes.panels.push_back(std::move(own.panels.front()));
            const QString& caption = m_captions[static_cast<qsizetype>(i)];
            const QRectF letters
                = QFontMetricsF(m_font).boundingRect(captionRect(), Qt::AlignLeft | Qt::AlignTop, caption);
            boxes.texts.push_back({caption, lettersOf(letters).translated(cell.topLeft()), panel});
        }
        if (m_legend) {
            m_legend->addBoxes(boxes, legendTop());
        }
    }

private:
    [[nodiscard]] QRectF cellAt(std::size_t panel) const
    {
        const auto number = static_cast<int>(panel);
        const int columns = m_figure.columnCount();
        const int top = m_legend && !m_isBelow ? m_legend->height() : 0;
        const int row = number / columns;
        return {QPointF(number % columns * m_cell.width(), top + row * m_cell.height()), QSizeF(m_cell)};
    }
    [[nodiscard]] QRectF captionRect() const
    {
        const int edge = QFontMetrics(m_font).height() / 2;
        return QRectF(edge, 0, m_cell.width() - 2 * edge, m_caption);
    }
    [[nodiscard]] int legendTop() const { return m_isBelow ? size().height() - m_legend->height() : 0; }

    /// Titles in as many lines as they need, at most three.
    void breakCaptions()
    {
        const QFontMetricsF metrics(m_font);
        qsizetype most = 1;
        for (std::size_t i = 0; i < m_figure.panels.size(); ++i) {
            m_captions += titleWithin(panelTitle(m_figure, i), metrics, captionRect().width());
            most = std::max(most, m_captions.back().count(u'\n') + 1);
        }
        m_caption = static_cast<int>(std::ceil(static_cast<double>(most) * metrics.lineSpacing()));
    }
    /// The axes of a column begin at one place.
    void alignColumns()
    {
        const auto columns = static_cast<std::size_t>(m_figure.columnCount());
        for (std::size_t column = 0; column < columns; ++column) {
            int left = 0;
            for (std::size_t i = column; i < m_pages.size(); i += columns) {
                left = std::max(left, m_pages[i]->left());
            }
            for (std::size_t i = column; i < m_pages.size(); i += columns) {
                m_pages[i]->moveLeft(left);
            }
        }
    }

    const PanelFigure& m_figure;
    QFont m_font;
    bool m_isBelow;
    int m_caption = 0; ///< height
    QSize m_cell;
    QStringList m_captions; ///< in lines
    std::unique_ptr<LegendPage> m_legend; ///< of all; null: a panel has its own
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

Sheet sheetOf(const Picture& picture)
{
    return std::visit([](const auto& each) { return sheetOf(each); }, picture);
}

} // namespace lockstep::ui
