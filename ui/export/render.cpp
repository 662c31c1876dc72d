#include "ui/export/render.h"

#include "experiment/value.h"
#include "ui/charts/chart_painter.h"
#include "ui/models/envelope.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double MmPerInch = 25.4;
/// Qt lays text out for 96 dots an inch; vector formats are drawn at that resolution so that a point is a point.
constexpr int LayoutDpi = 96;
/// More points than any printer resolves on a column; the CSV has them all.
constexpr std::size_t MostPrintedPoints = 4000;

int dots(double mm, int dpi)
{
    return static_cast<int>(std::lround(mm / MmPerInch * dpi));
}

QColor grey(const QColor& color)
{
    const int level = qGray(color.rgb());
    return {level, level, level};
}

/// What paper needs of it: fewer points (extremes kept), grey where asked.
ChartSpec forPaper(ChartSpec chart, const PaperOptions& options)
{
    for (SeriesSpec& series : chart.series) {
        if (options.colors == PaperOptions::Colors::Grey) {
            series.color = grey(series.color);
        }
        if (series.x.size() <= MostPrintedPoints) {
            continue;
        }
        const auto keep = decimated(series.y, 0, series.y.size(), MostPrintedPoints / 2);
        std::vector<double> x;
        std::vector<double> y;
        for (const std::uint32_t i : keep) {
            x.push_back(series.x[i]);
            y.push_back(series.y[i]);
        }
        series.x = std::move(x);
        series.y = std::move(y);
    }
    return chart;
}

/// A plot that nobody sees, laid out for the paper at 96 dots an inch.
class PaperPlot {
public:
    PaperPlot(const ChartSpec& chart, const PaperOptions& options)
        : m_width(dots(options.widthMm, LayoutDpi))
        , m_height(dots(options.heightMm, LayoutDpi))
    {
        QFont font = QCoreApplication::instance() != nullptr ? QGuiApplication::font() : QFont();
        // In device dots: the painters below have 96 an inch, whatever the screen has.
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(options.fontPt * LayoutDpi / 72.0))));
        m_plot.setFont(font);
        m_plot.resize(m_width, m_height);
        ChartPainter painter(m_plot);
        painter.setStyle({paperTheme(), font, 1.0});
        painter.setChart(forPaper(chart, options), ChartPainter::Ranges::Fit);
    }

    void draw(QCPPainter& painter) { m_plot.toPainter(&painter, m_width, m_height); }
    [[nodiscard]] QSize size() const { return {m_width, m_height}; }

private:
    QCustomPlot m_plot;
    int m_width;
    int m_height;
};

Result<QByteArray> renderPdf(const ChartSpec& chart, const PaperOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(chart.title);
        writer.setCreator(QStringLiteral("Lockstep"));
        writer.setResolution(LayoutDpi);
        writer.setPageSize(
            QPageSize(QSizeF(options.widthMm, options.heightMm), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        if (!options.specJson.isEmpty()) {
            writer.addFileAttachment(
                QStringLiteral("spec.json"), options.specJson.toUtf8(), QStringLiteral("application/json"));
        }
        PaperPlot plot(chart, options);
        QCPPainter painter;
        painter.begin(&writer);
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        plot.draw(painter);
        if (!painter.end()) {
            return Error{"the PDF could not be drawn"};
        }
    }
    return bytes;
}

Result<QByteArray> renderSvg(const ChartSpec& chart, const PaperOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    PaperPlot plot(chart, options);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(LayoutDpi);
    generator.setSize(plot.size());
    generator.setViewBox(QRect(QPoint(0, 0), plot.size()));
    generator.setTitle(chart.title);
    generator.setDescription(options.specJson);
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    plot.draw(painter);
    if (!painter.end()) {
        return Error{"the SVG could not be drawn"};
    }
    return bytes;
}

Result<QByteArray> renderPng(const ChartSpec& chart, const PaperOptions& options)
{
    QImage image = renderImage(chart, options, options.dpi);
    if (image.isNull()) {
        return Error{"the PNG is too large: choose fewer dots an inch or a smaller size"};
    }
    image.setText(QStringLiteral("Title"), chart.title);
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

QByteArray csvText(const QString& text)
{
    QByteArray field = text.toUtf8();
    if (field.contains(',') || field.contains('"') || field.contains('\n')) {
        field = '"' + field.replace('"', "\"\"") + '"';
    }
    return field;
}

QByteArray csvNumber(double value)
{
    return std::isfinite(value) ? QByteArray::fromStdString(experiment::toText(experiment::Value{value}))
                                : QByteArray();
}

QString titleOf(const AxisSpec& axis, const QString& otherwise)
{
    const QString label = axis.label.isEmpty() ? otherwise : axis.label;
    return axis.unit.isEmpty() ? label : label + QStringLiteral(" (") + axis.unit + u')';
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
    QImage image(dots(options.widthMm, dpi), dots(options.heightMm, dpi), QImage::Format_RGB32);
    if (image.isNull()) {
        return image;
    }
    const int dotsPerMetre = static_cast<int>(std::lround(dpi / 0.0254));
    image.fill(Qt::white);
    PaperPlot plot(chart, options);
    QCPPainter painter;
    painter.begin(&image);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(static_cast<double>(image.width()) / plot.size().width(),
        static_cast<double>(image.height()) / plot.size().height());
    plot.draw(painter);
    painter.end();
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    return image;
}

QByteArray chartCsv(const ChartSpec& chart)
{
    QByteArray csv = "series," + csvText(titleOf(chart.x, QStringLiteral("x"))) + ','
        + csvText(titleOf(chart.y, QStringLiteral("y"))) + "\r\n";
    for (const SeriesSpec& series : chart.series) {
        const QByteArray name = csvText(series.name.isEmpty() ? series.key : series.name);
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const QByteArray x
                = i < chart.x.categories.size() ? csvText(chart.x.categories[i]) : csvNumber(series.x[i]);
            csv += name + ',' + x + ',' + csvNumber(series.y[i]) + "\r\n";
        }
    }
    return csv;
}

Result<QByteArray> render(const ChartSpec& chart, PaperFormat format, const PaperOptions& options)
{
    switch (format) {
    case PaperFormat::Pdf:
        return renderPdf(chart, options);
    case PaperFormat::Svg:
        return renderSvg(chart, options);
    case PaperFormat::Png:
        return renderPng(chart, options);
    case PaperFormat::Csv:
        return chartCsv(chart);
    }
    return Error{"unknown format"};
}

} // namespace lockstep::ui
