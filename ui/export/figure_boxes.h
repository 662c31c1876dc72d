// Where the texts and plots of a figure are on its paper, and what is wrong with them. Any thread that may use QFont.
#pragma once

#include "base/text.h"
#include "ui/export/render.h"

namespace lockstep::ui {

struct FigureText {
    QString text;
    QRectF place; ///< in dots of the page, of the letters without the room above and below them
    int panel = -1; ///< -1: of all
};

struct FigurePanel {
    QRectF cell; ///< the part of the page that it has, with its title
    QRectF plot; ///< between its axes
    QStringList xLabels; ///< of ticks; empty where the axis has categories
    QStringList yLabels;
};

struct FigureBoxes {
    QSizeF page;
    double fontPt = 0.0;
    std::vector<FigureText> texts;
    std::vector<FigurePanel> panels; ///< none of a drawing that is no chart
};

/// As the picture is laid out on this paper.
[[nodiscard]] FigureBoxes boxesOf(const Picture& picture, const PaperOptions& options);

/// One sentence each: texts that overlap each other or leave the page, letters below 5 pt, plots that have less than 40
/// % of their part of the page, axes with fewer than three distinct labels.
[[nodiscard]] std::vector<Text> faultsOf(const FigureBoxes& boxes);

/// A picture as it can be printed: with a larger font, fewer panels in a row or more height where it needs them.
struct MendedPaper {
    Picture picture;
    PaperOptions options;
    std::vector<Text> changes; ///< what was changed, a sentence each
    std::vector<Text> faults; ///< what is still wrong
};
[[nodiscard]] MendedPaper mended(Picture picture, const PaperOptions& options);

} // namespace lockstep::ui
