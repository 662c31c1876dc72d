// The charts of a report, drawn as on screen. GUI thread only.
#pragma once

#include "analysis/report/compose.h"
#include "analysis/report/writers.h"
#include "base/result.h"
#include "ui/models/run_feed.h"

#include <QString>

#include <string_view>
#include <vector>

namespace lockstep::ui {

/// What the formats of a report need of each chart.
struct PictureNeeds {
    bool svg = false;
    bool png = false;
    bool tikz = false;
    QString folder = QStringLiteral("report-files"); ///< of the tables for LaTeX, beside the report
};

/// Width of a report's figures, and their height.
inline constexpr double ReportFigureWidthMm = 160.0;
inline constexpr double ReportFigureHeightMm = 92.0;

/// What the runs say of themselves, for a report in the language of the installed translations.
[[nodiscard]] report::Source reportSource(const std::vector<RunFeed*>& feeds, analysis::Interfered which);

/// Gives the charts their captions and descriptions; a chart of which these runs have no numbers becomes a sentence
/// that says so.
[[nodiscard]] Result<report::Pictures> drawPictures(
    report::Report& report, const std::vector<RunFeed*>& feeds, analysis::Interfered which, const PictureNeeds& needs);

/// The names of all kinds of charts, for templates.
[[nodiscard]] std::vector<std::string_view> reportChartNames();

} // namespace lockstep::ui
