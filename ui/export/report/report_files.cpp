#include "ui/export/report/report_files.h"

#include "exchange/report/compose.h"
#include "exchange/report/writers.h"
#include "ui/export/report/report_pdf.h"
#include "ui/export/report/report_pictures.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <iterator>

namespace lockstep::ui {

namespace {

/// `text`: the writer in core/exchange/report; none: PDF.
struct FormatRow {
    ReportFormat format;
    const char* suffix;
    std::optional<report::TextFormat> text;
    PictureNeeds needs;
};

/// A page has at most 10 MB: a point of a curve with its interval takes up to 40 bytes, and the pictures stand there
/// too.
constexpr std::size_t LivePoints = 150'000;

const std::array<FormatRow, 5>& formatRows()
{
    using report::TextFormat;
    static const std::array<FormatRow, 5> Rows{
        {{ReportFormat::Docx, "docx", TextFormat::Docx,
             {.svg = true, .png = true, .tikz = false, .livePoints = 0, .folder = {}}},
            {ReportFormat::Pdf, "pdf", std::nullopt, {}},
            {ReportFormat::Html, "html", TextFormat::Html,
                {.svg = true, .png = false, .tikz = false, .livePoints = LivePoints, .folder = {}}},
            {ReportFormat::Markdown, "md", TextFormat::Markdown,
                {.svg = true, .png = false, .tikz = false, .livePoints = 0, .folder = {}}},
            {ReportFormat::Latex, "tex", TextFormat::Latex,
                {.svg = false, .png = false, .tikz = true, .livePoints = 0, .folder = {}}}}};
    return Rows;
}

const FormatRow& rowOf(ReportFormat format)
{
    return *std::ranges::find(formatRows(), format, &FormatRow::format);
}

exchange::NewFile newFile(const report::File& file)
{
    return {QString::fromStdString(file.path), QByteArray::fromStdString(file.bytes)};
}

} // namespace

std::optional<ReportFormat> reportFormat(const QString& suffix)
{
    const auto row = std::ranges::find_if(
        formatRows(), [&](const FormatRow& each) { return suffix == QLatin1String(each.suffix); });
    return row == formatRows().end() ? std::nullopt : std::optional(row->format);
}

QString reportFormatNames()
{
    QStringList names;
    for (const FormatRow& row : formatRows()) {
        names += QLatin1String(row.suffix);
    }
    return names.join(QStringLiteral(", "));
}

QByteArray specJsonOf(const std::vector<RunFeed*>& feeds)
{
    std::vector<experiment::RunSpec> specs;
    std::ranges::transform(feeds, std::back_inserter(specs), [](const RunFeed* feed) { return feed->record().spec; });
    return QByteArray::fromStdString(report::specOf(specs));
}

Result<std::vector<exchange::NewFile>> reportFiles(report::Report& report, const std::vector<RunFeed*>& feeds,
    analysis::Interfered which, const std::vector<ReportFormat>& formats, const QString& name,
    const ReportDrawings& drawings)
{
    const ReportCharts charts = reportCharts(report, feeds, which, drawings);
    return reportFiles(report, charts, formats, name, specJsonOf(feeds));
}

Result<std::vector<exchange::NewFile>> reportFiles(const report::Report& report, const ReportCharts& charts,
    const std::vector<ReportFormat>& formats, const QString& name, const QByteArray& spec)
{
    const auto isAsked = [&](ReportFormat format) { return std::ranges::find(formats, format) != formats.end(); };
    // Compiled, it would replace the PDF of the same name.
    const QString latexName = isAsked(ReportFormat::Pdf) ? name + QStringLiteral("-latex") : name;
    PictureNeeds needs;
    needs.folder = QString::fromStdString(report::latexFolder(latexName.toStdString()));
    for (const ReportFormat format : formats) {
        const PictureNeeds& more = rowOf(format).needs;
        needs.svg = needs.svg || more.svg;
        needs.png = needs.png || more.png;
        needs.tikz = needs.tikz || more.tikz;
        needs.livePoints = std::max(needs.livePoints, more.livePoints);
    }
    LOCKSTEP_TRY_ASSIGN(const auto pictures, drawPictures(charts, needs));
    std::vector<exchange::NewFile> files;
    for (const FormatRow& row : formatRows()) {
        if (!isAsked(row.format)) {
            continue;
        }
        if (!row.text) {
            LOCKSTEP_TRY_ASSIGN(auto pdf, reportPdf(report, charts, spec));
            files.push_back({name + QStringLiteral(".pdf"), std::move(pdf)});
            continue;
        }
        const QString& ownName = row.format == ReportFormat::Latex ? latexName : name;
        LOCKSTEP_TRY_ASSIGN(const auto made, report::write(report, pictures, *row.text, ownName.toStdString()));
        std::ranges::transform(made, std::back_inserter(files), newFile);
    }
    if (!spec.isEmpty()
        && std::ranges::any_of(formats, [](ReportFormat format) { return format != ReportFormat::Pdf; })) {
        files.push_back({name + QStringLiteral("-spec.json"), spec, true});
    }
    return files;
}

} // namespace lockstep::ui
