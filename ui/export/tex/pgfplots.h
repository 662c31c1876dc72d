// A chart as PGFPlots source for LaTeX, with its numbers in tables beside it: tab-separated, at most 2,000 points a
// curve and 10,000 a page (the lowest and highest of each stretch), cut at the axes' ends, because TeX's memory and
// dimensions are limited. Names are text only. Any thread that may use QFont.
#pragma once

#include "ui/export/render.h"

namespace lockstep::ui {

/// A picture for a document that has pgfplotsPreamble() in its preamble.
struct PgfPicture {
    QByteArray tex; ///< \begin{tikzpicture} ... \end{tikzpicture}
    std::vector<PaperFile> tables; ///< to be written beside the document, `<baseName>-1.tsv`
};

struct PgfPlace {
    QString baseName; ///< of the tables
    std::size_t panels = 1; ///< that share a page
};

/// `widthMm` and `heightMm` are PGFPlots' width and height: of the axes with room for their labels, the legend
/// included.
[[nodiscard]] PgfPicture pgfplotsPicture(const ChartSpec& chart, const PaperOptions& options, const PgfPlace& place);

/// What pictures need: pgfplots and its libraries. Works with XeLaTeX, and with pdfLaTeX if there is no Chinese.
[[nodiscard]] QByteArray pgfplotsPreamble();
/// Chinese by ctex with the Fandol fonts, which every TeX distribution has; XeLaTeX only.
[[nodiscard]] QByteArray chinesePreamble();

/// A document of the charts alone, its page as large as they are, then their tables.
[[nodiscard]] std::vector<PaperFile> pgfplotsFiles(
    const PanelFigure& figure, const PaperOptions& options, const QString& baseName);

[[nodiscard]] std::vector<PaperFile> pgfplotsFiles(
    const ChartSpec& chart, const PaperOptions& options, const QString& baseName);

} // namespace lockstep::ui
