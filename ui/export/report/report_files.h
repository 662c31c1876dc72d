// A report as files in the formats that were asked for: those of core/exchange/report, and PDF. GUI thread only.
#pragma once

#include "base/result.h"
#include "exchange/export/file_set.h"
#include "exchange/report/report.h"
#include "ui/export/report/report_pictures.h"
#include "ui/models/feeds/run_feed.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <vector>

namespace lockstep::ui {

enum class ReportFormat { Docx, Pdf, Html, Markdown, Latex };

[[nodiscard]] std::optional<ReportFormat> reportFormat(const QString& suffix);
/// `docx, pdf, html, md, tex`
[[nodiscard]] QString reportFormatNames();

/// `<name>.docx`, ... and the files beside them; LaTeX as `<name>-latex.tex` where PDF is asked for too. Captions and
/// descriptions of the charts come into `report`. The runs' spec is an attachment of the PDF, and a file beside others.
[[nodiscard]] Result<std::vector<exchange::NewFile>> reportFiles(report::Report& report,
    const std::vector<RunFeed*>& feeds, analysis::Interfered which, const std::vector<ReportFormat>& formats,
    const QString& name = QStringLiteral("report"), const ReportDrawings& drawings = {});

/// The experiment of these runs, as reportFiles() attaches it.
[[nodiscard]] QByteArray specJsonOf(const std::vector<RunFeed*>& feeds);

/// The same of a report whose charts are drawn already; `spec`: empty for none.
[[nodiscard]] Result<std::vector<exchange::NewFile>> reportFiles(const report::Report& report,
    const ReportCharts& charts, const std::vector<ReportFormat>& formats, const QString& name,
    const QByteArray& spec = {});

} // namespace lockstep::ui
