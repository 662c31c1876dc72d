#include "ui/export/render.h"

#include "ui/charts/chart_painter.h"
#include "ui/models/envelope.h"

#include <QBuffer>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <memory>

namespace lockstep::ui {

namespace {

constexpr double MmPerInch = 25.4;
constexpr double PointsPerInch = 72.0;
/// A pixel of the screen is 0.75 pt on paper, for lines 0.5 pt: print is sharper.
constexpr double WidthsPerInch = 96.0;
constexpr double PaperPen = 2.0 / 3.0;
/// QCustomPlot lays out in whole dots: at this resolution that is invisible, and 1/4 pt is a whole dot.
constexpr int VectorDpi = 288;
/// More points than any printer resolves on a page; the CSV has them all.
constexpr std::size_t MostPrintedPoints = 4000;

int dots(double length, double dpi, double perInch = MmPerInch)
{
    return std::max(1, static_cast<int>(std::lround(length / perInch * dpi)));
}

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
    font.setPixelSize(dots(points, dpi, PointsPerInch));
    font.setKerning(false);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QColor paperColor(const QColor& color, PaperOptions::Colors colors)
{
    if (colors == PaperOptions::Colors::AsOnScreen) {
        return color;
    }
    if (colors == PaperOptions::Colors::Grey) {
        const int level = qGray(color.rgb());
        return {level, level, level};
    }
    // A variant keeps its place in the palette; colours of other meaning (phases) stay.
    const auto& wanted
        = variantColors(colors == PaperOptions::Colors::Vibrant ? PaletteName::Vibrant : PaletteName::HighContrast);
    for (const PaletteName palette : {PaletteName::Vibrant, PaletteName::HighContrast}) {
        const auto& known = variantColors(palette);
        const auto at = std::find(known.begin(), known.end(), color);
        if (at != known.end()) {
            return wanted[static_cast<std::size_t>(at - known.begin()) % wanted.size()];
        }
    }
    return color;
}

/// Fewer points, extremes kept: drops what is outside the axis and thins the rest to what paper can show.
void thin(SeriesSpec& series, const AxisSpec& axis)
{
    const auto begin = series.x.begin();
    auto first = axis.minimum ? std::lower_bound(begin, series.x.end(), *axis.minimum) : begin;
    auto last = axis.maximum ? std::upper_bound(begin, series.x.end(), *axis.maximum) : series.x.end();
    first -= first == begin ? 0 : 1;
    last += last == series.x.end() ? 0 : 1;
    const auto from = static_cast<std::size_t>(first - begin);
    const auto to = static_cast<std::size_t>(std::max(first, last) - begin);
    const auto keep = decimated(series.y, from, to, MostPrintedPoints / 2);
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

ChartSpec forPaper(ChartSpec chart, const PaperOptions& options)
{
    std::erase_if(chart.series, [](const SeriesSpec& series) { return !series.isVisible; });
    for (SeriesSpec& series : chart.series) {
        series.color = paperColor(series.color, options.colors);
        if (chart.x.categories.empty()) {
            thin(series, chart.x);
        }
    }
    return chart;
}

/// What is to be drawn, laid out in the dots of its paper.
class Page {
public:
    Page(const PaperOptions& options, int dpi)
        : m_size(dots(options.widthMm, dpi), dots(options.heightMm, dpi))
    { }
    virtual ~Page() = default;
    virtual void draw(QCPPainter& painter) = 0;
    [[nodiscard]] QSize size() const { return m_size; }

private:
    QSize m_size;
};

struct Sheet {
    QString title;
    std::function<std::unique_ptr<Page>(const PaperOptions& options, int dpi)> page;
};

/// A plot that is never shown.
class ChartPage final : public Page {
public:
    ChartPage(const ChartSpec& chart, const PaperOptions& options, int dpi)
        : Page(options, dpi)
    {
        ChartStyle style;
        style.theme = paperTheme();
        style.font = paperFont(options.fontPt, dpi);
        style.lineFactor = dpi / WidthsPerInch;
        style.penFactor = PaperPen;
        style.isPaper = true;
        style.marksLines = options.markers == PaperOptions::Markers::Sparse;
        m_plot.setFont(style.font);
        m_plot.resize(size());
        m_plot.setViewport(QRect(QPoint(0, 0), size()));
        ChartPainter painter(m_plot);
        painter.setStyle(style);
        painter.setChart(forPaper(chart, options), ChartPainter::Ranges::Fit);
    }

    void draw(QCPPainter& painter) override { m_plot.toPainter(&painter, size().width(), size().height()); }

private:
    QCustomPlot m_plot;
};

class DrawingPage final : public Page {
public:
    DrawingPage(const Drawing& drawing, const PaperOptions& options, int dpi)
        : Page(options, dpi)
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

/// Draws onto a vector device; false if that failed.
bool drawVectors(Page& page, QPaintDevice& device)
{
    QCPPainter painter;
    if (!painter.begin(&device)) {
        return false;
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    page.draw(painter);
    return painter.end();
}

/// Qt rounds the page to whole points, which is up to 0.18 mm; the file says the size that was asked for.
QByteArray withExactPage(QByteArray pdf, const PaperOptions& options)
{
    const auto begin = pdf.indexOf("/MediaBox [");
    const auto end = begin < 0 ? -1 : pdf.indexOf(']', begin);
    if (end < 0) {
        return pdf;
    }
    const QByteArray box = "/MediaBox [0 0 " + QByteArray::number(options.widthMm / MmPerInch * PointsPerInch, 'f', 6)
        + ' ' + QByteArray::number(options.heightMm / MmPerInch * PointsPerInch, 'f', 6) + ']';
    const auto room = end + 1 - begin;
    return box.size() == room ? pdf.replace(begin, room, box) : pdf;
}

Result<QByteArray> renderPdf(const Sheet& sheet, const PaperOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(sheet.title);
        writer.setCreator(QStringLiteral("Lockstep"));
        writer.setResolution(VectorDpi);
        writer.setPageSize(
            QPageSize(QSizeF(options.widthMm, options.heightMm), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        if (!options.specJson.isEmpty()) {
            writer.addFileAttachment(
                QStringLiteral("spec.json"), options.specJson.toUtf8(), QStringLiteral("application/json"));
        }
        const auto page = sheet.page(options, VectorDpi);
        if (!drawVectors(*page, writer)) {
            return Error{"the PDF could not be drawn"};
        }
    }
    return withExactPage(std::move(bytes), options);
}

Result<QByteArray> renderSvg(const Sheet& sheet, const PaperOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto page = sheet.page(options, VectorDpi);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(VectorDpi);
    generator.setSize(page->size());
    generator.setViewBox(QRect(QPoint(0, 0), page->size()));
    generator.setTitle(sheet.title);
    generator.setDescription(options.specJson.toHtmlEscaped());
    if (!drawVectors(*page, generator)) {
        return Error{"the SVG could not be drawn"};
    }
    // Qt writes the size of whole dots.
    const auto setSize = [&](const char* name, double mm) {
        const QByteArray begin = QByteArray(name) + "=\"";
        const auto at = bytes.indexOf(begin);
        const auto end = at < 0 ? -1 : bytes.indexOf("mm\"", at);
        if (end > at && end - at < 40) {
            bytes.replace(at, end - at, begin + QByteArray::number(mm));
        }
    };
    setSize("width", options.widthMm);
    setSize("height", options.heightMm);
    return bytes;
}

QImage imageOf(const Sheet& sheet, const PaperOptions& options, int dpi)
{
    QImage image(dots(options.widthMm, dpi), dots(options.heightMm, dpi), QImage::Format_RGB32);
    if (image.isNull()) {
        return image;
    }
    const int dotsPerMetre = static_cast<int>(std::lround(dpi / 0.0254));
    image.fill(Qt::white);
    const auto page = sheet.page(options, dpi);
    QCPPainter painter;
    painter.begin(&image);
    painter.setMode(QCPPainter::pmNoCaching);
    page->draw(painter);
    painter.end();
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    return image;
}

Result<QByteArray> renderPng(const Sheet& sheet, const PaperOptions& options)
{
    QImage image = imageOf(sheet, options, options.dpi);
    if (image.isNull()) {
        return Error{"the PNG is too large: choose fewer dots an inch or a smaller size"};
    }
    image.setText(QStringLiteral("Title"), sheet.title);
    if (!options.specJson.isEmpty()) {
        image.setText(QStringLiteral("Lockstep-Spec"), options.specJson);
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) {
        return Error{"the PNG could not be made"};
    }
    return bytes;
}

Result<QByteArray> renderAs(
    PaperFormat format, const Sheet& sheet, const PaperOptions& options, const std::function<QByteArray()>& csv)
{
    switch (format) {
    case PaperFormat::Pdf:
        return renderPdf(sheet, options);
    case PaperFormat::Svg:
        return renderSvg(sheet, options);
    case PaperFormat::Png:
        return renderPng(sheet, options);
    case PaperFormat::Csv:
        return csv();
    }
    return Error{"unknown format"};
}

} // namespace

QString suffixOf(PaperFormat format)
{
    switch (format) {
    case PaperFormat::Pdf:
        return QStringLiteral("pdf");
    case PaperFormat::Svg:
        return QStringLiteral("svg");
    case PaperFormat::Png:
        return QStringLiteral("png");
    case PaperFormat::Csv:
        return QStringLiteral("csv");
    }
    return {};
}

std::optional<PaperFormat> formatFromSuffix(const QString& suffix)
{
    for (const PaperFormat format : {PaperFormat::Pdf, PaperFormat::Svg, PaperFormat::Png, PaperFormat::Csv}) {
        if (suffixOf(format) == suffix) {
            return format;
        }
    }
    return std::nullopt;
}

QImage renderImage(const ChartSpec& chart, const PaperOptions& options, int dpi)
{
    return imageOf(sheetOf(chart), options, dpi);
}

QImage renderImage(const Drawing& drawing, const PaperOptions& options, int dpi)
{
    return imageOf(sheetOf(drawing), options, dpi);
}

Result<QByteArray> render(const ChartSpec& chart, PaperFormat format, const PaperOptions& options)
{
    return renderAs(format, sheetOf(chart), options, [&] { return chartCsv(chart); });
}

Result<QByteArray> render(const Drawing& drawing, PaperFormat format, const PaperOptions& options)
{
    return renderAs(format, sheetOf(drawing), options, drawing.csv);
}

} // namespace lockstep::ui
