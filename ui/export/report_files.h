// A report as files in the formats that were asked for: those of core/analysis/report, and PDF. GUI thread only.
#pragma once

#include "analysis/report/report.h"
#include "base/result.h"
#include "session/export/file_set.h"
#include "ui/models/run_feed.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockstep::ui {

enum class ReportFormat { Docx, Pdf, Html, Markdown, Latex };

[[nodiscard]] std::optional<ReportFormat> reportFormat(const QString& suffix);
/// `docx, pdf, html, md, tex`
[[nodiscard]] QString reportFormatNames();

/// `<name>.docx`, ... and what lies beside them; LaTeX as `<name>-latex.tex` where PDF is asked for too. Captions and
/// descriptions of the charts come into `report`.
[[nodiscard]] Result<std::vector<session::NewFile>> reportFiles(report::Report& report,
    const std::vector<RunFeed*>& feeds, analysis::Interfered which, const std::vector<ReportFormat>& formats,
    const QString& name = QStringLiteral("report"));

} // namespace lockstep::ui
