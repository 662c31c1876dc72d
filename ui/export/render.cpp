#include "ui/export/render.h"

#include "ui/charts/chart_painter.h"
#include "ui/export/paper_chart.h"
#include "ui/export/pgfplots.h"

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
    case PaperFormat::Pgfplots:
        return Error{"PGFPlots draws charts only: choose pdf, svg, png or csv for " + sheet.title.toStdString()};
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
    case PaperFormat::Pgfplots:
        return QStringLiteral("tex");
    }
    return {};
}

std::optional<PaperFormat> formatFromName(const QString& name)
{
    for (const PaperFormat format : PaperFormats) {
        if (nameOf(format).compare(name, Qt::CaseInsensitive) == 0 || suffixOf(format) == name) {
            return format;
        }
    }
    return std::nullopt;
}

QString nameOf(PaperFormat format)
{
    return format == PaperFormat::Pgfplots ? QStringLiteral("PGFPlots") : suffixOf(format).toUpper();
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
    if (format == PaperFormat::Pgfplots) {
        return pgfplotsFiles(chart, options, chart.id).front().bytes;
    }
    return renderAs(format, sheetOf(chart), options, [&] { return chartCsv(chart); });
}

Result<std::vector<PaperFile>> renderFiles(
    const ChartSpec& chart, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    if (format == PaperFormat::Pgfplots) {
        return pgfplotsFiles(chart, options, baseName);
    }
    LOCKSTEP_TRY_ASSIGN(auto bytes, render(chart, format, options));
    return std::vector<PaperFile>{{baseName + u'.' + suffixOf(format), std::move(bytes)}};
}

Result<std::vector<PaperFile>> renderFiles(
    const Drawing& drawing, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    LOCKSTEP_TRY_ASSIGN(auto bytes, render(drawing, format, options));
    return std::vector<PaperFile>{{baseName + u'.' + suffixOf(format), std::move(bytes)}};
}

Result<QByteArray> render(const Drawing& drawing, PaperFormat format, const PaperOptions& options)
{
    return renderAs(format, sheetOf(drawing), options, drawing.csv);
}

} // namespace lockstep::ui
