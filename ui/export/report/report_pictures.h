// The charts of a report: their values, and their pictures in the formats that need them. GUI thread only.
#pragma once

#include "base/result.h"
#include "exchange/report/compose.h"
#include "exchange/report/writers.h"
#include "ui/export/render.h"
#include "ui/models/feeds/run_feed.h"

#include <QImage>
#include <QString>

#include <map>
#include <memory>
#include <string>
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

/// The paper of a report's figures.
[[nodiscard]] PaperOptions reportPaper();

/// A chart as a value. Copies share it and its image.
class ReportChart {
public:
    explicit ReportChart(ChartSpec spec);
    [[nodiscard]] const ChartSpec& spec() const { return m_shared->spec; }
    /// For screens; drawn when it is first asked for.
    [[nodiscard]] const QImage& image() const;

private:
    struct Shared {
        ChartSpec spec;
        QImage image;
    };
    std::shared_ptr<Shared> m_shared;
};

/// By the block's key.
using ReportCharts = std::map<std::string, ReportChart>;

/// What the runs say of themselves, for a report in the language of the installed translations.
[[nodiscard]] report::Source reportSource(const std::vector<RunFeed*>& feeds, analysis::Interfered which);

/// Gives the charts their captions and descriptions; a chart of which these runs have no numbers becomes a sentence
/// that says so.
[[nodiscard]] ReportCharts reportCharts(
    report::Report& report, const std::vector<RunFeed*>& feeds, analysis::Interfered which);
[[nodiscard]] Result<report::Pictures> drawPictures(const ReportCharts& charts, const PictureNeeds& needs);

/// The names of all kinds of charts, for templates.
[[nodiscard]] std::vector<std::string_view> reportChartNames();

} // namespace lockstep::ui
