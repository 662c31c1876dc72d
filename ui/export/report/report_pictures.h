// The charts of a report: their values, and their pictures in the formats that need them. GUI thread only.
#pragma once

#include "base/result.h"
#include "exchange/report/compose.h"
#include "exchange/report/writers.h"
#include "ui/export/render.h"
#include "ui/models/charts/chart_kind.h"
#include "ui/models/feeds/run_feed.h"

#include <QImage>
#include <QString>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ui {

class ChartModel;

/// What the formats of a report need of each chart.
struct PictureNeeds {
    bool svg = false;
    bool png = false;
    bool tikz = false;
    std::size_t livePoints = 0; ///< that all charts together may have for the page's script; 0: none
    QString folder = QStringLiteral("report-files"); ///< of the tables for LaTeX, beside the report
};

/// Width of a report's figures, and their height.
inline constexpr double ReportFigureWidthMm = 160.0;
inline constexpr double ReportFigureHeightMm = 76.0;

/// The paper of a report's figures.
[[nodiscard]] PaperOptions reportPaper();

/// A chart or another drawing as a value. Copies share it and its image.
class ReportChart {
public:
    explicit ReportChart(Picture picture);
    [[nodiscard]] const Picture& picture() const { return m_shared->picture; }
    /// For screens; drawn when it is first asked for.
    [[nodiscard]] const QImage& image() const;

private:
    struct Shared {
        Picture picture;
        QImage image;
    };
    std::shared_ptr<Shared> m_shared;
};

/// A view that is no chart, drawn of these runs; nothing where they have nothing for it.
using ReportDrawing = std::function<std::optional<Drawing>(const std::vector<RunFeed*>& feeds)>;
/// By the name that templates call it. The views are in rooms above this one.
using ReportDrawings = std::map<std::string, ReportDrawing>;

/// By the block's key.
using ReportCharts = std::map<std::string, ReportChart>;

/// What the runs say of themselves, for a report in the language of the installed translations.
[[nodiscard]] report::Source reportSource(const std::vector<RunFeed*>& feeds, analysis::Interfered which);

/// Gives the charts their captions and descriptions, and leaves out those of which these runs have no numbers, with
/// headings that nothing follows then.
[[nodiscard]] ReportCharts reportCharts(report::Report& report, const std::vector<RunFeed*>& feeds,
    analysis::Interfered which, const ReportDrawings& drawings = {});
[[nodiscard]] Result<report::Pictures> drawPictures(const ReportCharts& charts, const PictureNeeds& needs);

/// The chart of a report that shows what this one shows now: axes, scale and choices.
[[nodiscard]] report::Item reportItemOf(const ChartModel& chart);
/// The names of all kinds of charts and of the other drawings, for templates.
[[nodiscard]] std::vector<std::string_view> reportChartNames();

} // namespace lockstep::ui
