#include "ui/export/render.h"

#include "analysis/plain_text.h"
#include "base/translate.h"
#include "ui/export/eps.h"
#include "ui/export/flat_paint.h"
#include "ui/export/paper_chart.h"
#include "ui/export/paper_files.h"
#include "ui/export/paper_pages.h"
#include "ui/export/tex/pgfplots.h"
#include "ui/models/shown_text.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {

namespace {

/// Draws onto a vector device; false if that failed.
bool drawVectors(PaperPage& page, QPaintDevice& device)
{
    QCPPainter painter;
    if (!painter.begin(&device)) {
        return false;
    }
    setVectorModes(painter);
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

enum class Transparency { Kept, Flattened };

Result<QByteArray> renderPdf(const Sheet& sheet, const PaperOptions& options, Transparency transparency)
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
        FlatPaint flat(writer, Qt::white);
        QPaintDevice& device = transparency == Transparency::Flattened ? static_cast<QPaintDevice&>(flat) : writer;
        if (!drawVectors(*page, device)) {
            return refusal({}, LS_TR("Refusals", "the PDF could not be drawn"));
        }
    }
    return withExactPage(std::move(bytes), options);
}

Result<QByteArray> renderEps(const Sheet& sheet, const PaperOptions& options)
{
    LOCKSTEP_TRY_ASSIGN(const QByteArray pdf, renderPdf(sheet, options, Transparency::Flattened));
    return epsFromPdf(pdf, options.specJson);
}

/// Later versions of Qt escape title and description themselves.
QString asSvgText(const QString& text)
{
    static const bool isEscapedByQt = [] {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setDescription(QStringLiteral("&"));
        QPainter painter(&generator);
        painter.end();
        return bytes.contains("&amp;");
    }();
    return isEscapedByQt ? text : text.toHtmlEscaped();
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
    generator.setTitle(asSvgText(sheet.title));
    generator.setDescription(asSvgText(options.specJson));
    if (!drawVectors(*page, generator)) {
        return refusal({}, LS_TR("Refusals", "the SVG could not be drawn"));
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
    QImage image(paperDots(options.widthMm, dpi), paperDots(options.heightMm, dpi), QImage::Format_RGB32);
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
        return refusal({}, LS_TR("Refusals", "the PNG is too large: choose fewer dots per inch or a smaller size"));
    }
    image.setText(QStringLiteral("Title"), sheet.title);
    if (!options.specJson.isEmpty()) {
        image.setText(QStringLiteral("Lockstep-Spec"), options.specJson);
    }
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) {
        return refusal({}, LS_TR("Refusals", "the PNG could not be made"));
    }
    return bytes;
}

/// With the mark of UTF-8 where spreadsheets need it to read the text: where it is not ASCII.
QByteArray markedUtf8(QByteArray csv)
{
    const bool isAscii = std::ranges::all_of(csv, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
    return isAscii ? csv : csv.prepend(Utf8Mark.data(), Utf8Mark.size());
}

/// Formats that show the picture, as one file.
Result<std::vector<PaperFile>> pictureFile(
    const Sheet& sheet, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    auto bytes = format == PaperFormat::Pdf ? renderPdf(sheet, options, Transparency::Kept)
        : format == PaperFormat::Svg        ? renderSvg(sheet, options)
        : format == PaperFormat::Eps        ? renderEps(sheet, options)
                                            : renderPng(sheet, options);
    if (!bytes) {
        return bytes.error();
    }
    return std::vector<PaperFile>{{baseName + u'.' + suffixOf(format), *std::move(bytes)}};
}

Result<std::vector<PaperFile>> filesOf(
    const ChartSpec& chart, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    if (format == PaperFormat::Pgfplots) {
        return pgfplotsFiles(chart, options, baseName);
    }
    if (format == PaperFormat::Csv) {
        return std::vector<PaperFile>{
            {baseName + QStringLiteral(".csv"), markedUtf8(chartCsv(withShownSeries(chart, options)))}};
    }
    return pictureFile(sheetOf(chart), format, options, baseName);
}

Result<std::vector<PaperFile>> filesOf(
    const PanelFigure& figure, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    if (format == PaperFormat::Pgfplots) {
        return pgfplotsFiles(figure, options, baseName);
    }
    if (format == PaperFormat::Csv) { // a table a panel
        std::vector<PaperFile> files;
        for (std::size_t i = 0; i < figure.panels.size(); ++i) {
            files.push_back({fileNameOf(QStringLiteral("%1-%2-%3").arg(baseName).arg(i + 1).arg(figure.panels[i].id))
                    + QStringLiteral(".csv"),
                markedUtf8(chartCsv(withShownSeries(figure.panels[i], options)))});
        }
        return files;
    }
    return pictureFile(sheetOf(figure), format, options, baseName);
}

Result<std::vector<PaperFile>> filesOf(
    const Drawing& drawing, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    if (format == PaperFormat::Pgfplots) {
        return refusal("--format",
            LS_TR("Refusals", "PGFPlots draws charts only; allowed for “%1”: PDF, SVG, PNG, EPS, CSV"),
            {verbatim(drawing.title.toStdString())});
    }
    if (format == PaperFormat::Csv) {
        return std::vector<PaperFile>{{baseName + QStringLiteral(".csv"), markedUtf8(drawing.csv())}};
    }
    return pictureFile(sheetOf(drawing), format, options, baseName);
}

Result<void> checkAxis(const char* name, const AxisSpec& axis, const AxisEnds& ends)
{
    const double low = ends.low.value_or(-std::numeric_limits<double>::infinity());
    const double high = ends.high.value_or(std::numeric_limits<double>::infinity());
    if (!(low < high)) {
        return refusal(name, LS_TR("Refusals", "the lower end must be below the upper end"));
    }
    if (axis.scale == Scale::Log && ((ends.low && low <= 0.0) || high <= 0.0)) {
        return refusal(name, LS_TR("Refusals", "the axis is logarithmic: its ends must be above 0"));
    }
    return {};
}

/// What was asked of the axes must fit those of every chart.
Result<void> checkAxes(const Picture& picture, const PaperOptions& options)
{
    const auto check = [&](const ChartSpec& chart) -> Result<void> {
        LOCKSTEP_TRY(checkAxis("x", chart.x, options.x));
        return checkAxis("y", chart.y, options.y);
    };
    if (const auto* chart = std::get_if<ChartSpec>(&picture)) {
        return check(*chart);
    }
    if (const auto* figure = std::get_if<PanelFigure>(&picture)) {
        for (const ChartSpec& each : figure->panels) {
            LOCKSTEP_TRY(check(each));
        }
    }
    return {};
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
    case PaperFormat::Eps:
        return QStringLiteral("eps");
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

bool showsPicture(PaperFormat format)
{
    return format != PaperFormat::Csv && format != PaperFormat::Pgfplots;
}

QImage renderImage(const Picture& picture, const PaperOptions& options, int dpi)
{
    return imageOf(sheetOf(picture), options, dpi);
}

QString idOf(const Picture& picture)
{
    return std::visit([](const auto& each) { return fileNameOf(each.id); }, picture);
}

QString titleOf(const Picture& picture)
{
    return std::visit([](const auto& each) { return each.title; }, picture);
}

QString specOf(const Picture& picture)
{
    const std::string json = std::visit([](const auto& each) { return each.specJson.toStdString(); }, picture);
    return QString::fromStdString(analysis::cleanJson(json));
}

Result<QByteArray> render(const Picture& picture, PaperFormat format, const PaperOptions& options)
{
    LOCKSTEP_TRY_ASSIGN(auto files, renderFiles(picture, format, options, idOf(picture)));
    return std::move(files.front().bytes);
}

Result<std::vector<PaperFile>> renderFiles(
    const Picture& picture, PaperFormat format, const PaperOptions& options, const QString& baseName)
{
    LOCKSTEP_TRY(checkAxes(picture, options));
    return std::visit([&](const auto& each) { return filesOf(each, format, options, baseName); }, picture);
}

} // namespace lockstep::ui
