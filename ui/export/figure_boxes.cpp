#include "ui/export/figure_boxes.h"

#include "base/translate.h"
#include "ui/export/paper_pages.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace lockstep::ui {

namespace {

constexpr double SmallestFontPt = 5.0;
constexpr double LeastPlotShare = 0.4;
constexpr std::size_t LeastDistinctLabels = 3;
constexpr double NarrowestPanelMm = 40.0;
constexpr double HighestMm = 280.0; ///< of a page
constexpr double Taller = 1.1; ///< in one round

double areaOf(const QRectF& place)
{
    return place.width() * place.height();
}

bool isTooSmall(const FigurePanel& panel)
{
    return areaOf(panel.plot) < LeastPlotShare * areaOf(panel.cell);
}

bool hasFewLabels(const QStringList& labels)
{
    return !labels.isEmpty() && std::set<QString>(labels.begin(), labels.end()).size() < LeastDistinctLabels;
}

Text nameOfText(const FigureText& text)
{
    return verbatim(text.text.simplified().left(40).toStdString());
}

void findOverlaps(const FigureBoxes& boxes, std::vector<Text>& faults)
{
    const QRectF page(QPointF(0.0, 0.0), boxes.page);
    for (std::size_t i = 0; i < boxes.texts.size(); ++i) {
        const FigureText& text = boxes.texts[i];
        if (!page.contains(text.place)) {
            faults.push_back({LS_TR("Messages", "“%1” leaves the page"), {nameOfText(text)}});
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (text.place.intersects(boxes.texts[j].place)) {
                faults.push_back(
                    {LS_TR("Messages", "“%1” overlaps “%2”"), {nameOfText(boxes.texts[j]), nameOfText(text)}});
            }
        }
        for (const FigurePanel& panel : boxes.panels) {
            if (text.place.intersects(panel.plot)) {
                faults.push_back({LS_TR("Messages", "“%1” covers the plot"), {nameOfText(text)}});
            }
        }
    }
}

std::string numbered(std::size_t panel)
{
    return std::string(1, static_cast<char>('a' + panel % 26));
}

int mostColumns(const PanelFigure& figure, const PaperOptions& options)
{
    const int fitting = std::max(1, static_cast<int>(options.widthMm / NarrowestPanelMm));
    return std::min(fitting, static_cast<int>(figure.panels.size()));
}

void setColumns(PanelFigure& figure, const PaperOptions& options, std::vector<Text>& changes)
{
    const int most = mostColumns(figure, options);
    if (figure.columnCount() > most) {
        changes.push_back({LS_TR("Messages", "%1 panels in a row instead of %2: they would be narrower than 40 mm"),
            {most, figure.columnCount()}});
        figure.columns = most;
    }
}

/// Begins with this height; of those that leave the fewest faults, the lowest is taken.
void growUntilReadable(MendedPaper& paper, double heightMm)
{
    PaperOptions tried = paper.options;
    tried.heightMm = heightMm;
    paper.options = tried;
    paper.faults = faultsOf(boxesOf(paper.picture, tried));
    while (!paper.faults.empty() && tried.heightMm * Taller <= HighestMm) {
        tried.heightMm = std::ceil(tried.heightMm * Taller);
        auto faults = faultsOf(boxesOf(paper.picture, tried));
        if (faults.size() < paper.faults.size()) {
            paper.options = tried;
            paper.faults = std::move(faults);
        }
    }
}

/// More panels in a row make the page less high; of several numbers, the first with the fewest faults is taken.
void addColumns(MendedPaper& paper, PanelFigure& figure, double heightMm, int most)
{
    int best = figure.columns;
    PaperOptions bestOptions = paper.options;
    std::vector<Text> fewest = paper.faults;
    while (!fewest.empty() && figure.columns < most) {
        ++figure.columns;
        growUntilReadable(paper, heightMm);
        if (paper.faults.size() < fewest.size()) {
            best = figure.columns;
            bestOptions = paper.options;
            fewest = paper.faults;
        }
    }
    figure.columns = best;
    paper.options = bestOptions;
    paper.faults = std::move(fewest);
}

} // namespace

FigureBoxes boxesOf(const Picture& picture, const PaperOptions& options)
{
    FigureBoxes boxes;
    boxes.fontPt = options.fontPt;
    const auto page = sheetOf(picture).page(options, VectorDpi);
    boxes.page = page->size();
    page->addBoxes(boxes);
    return boxes;
}

std::vector<Text> faultsOf(const FigureBoxes& boxes)
{
    std::vector<Text> faults;
    if (boxes.fontPt < SmallestFontPt) {
        faults.push_back(LS_TR("Messages", "letters are below 5 pt"));
    }
    for (std::size_t i = 0; i < boxes.panels.size(); ++i) {
        const FigurePanel& panel = boxes.panels[i];
        if (isTooSmall(panel)) {
            faults.push_back(
                {LS_TR("Messages", "the plot (%1) has less than 40 % of its place"), {verbatim(numbered(i))}});
        }
        if (hasFewLabels(panel.xLabels) || hasFewLabels(panel.yLabels)) {
            faults.push_back({LS_TR("Messages", "an axis of the plot (%1) has fewer than three distinct labels"),
                {verbatim(numbered(i))}});
        }
    }
    findOverlaps(boxes, faults);
    return faults;
}

MendedPaper mended(Picture picture, const PaperOptions& options)
{
    MendedPaper paper{std::move(picture), options, {}, {}};
    if (std::holds_alternative<Drawing>(paper.picture)) {
        return paper;
    }
    if (options.fontPt < SmallestFontPt) {
        paper.options.fontPt = SmallestFontPt;
        paper.changes.push_back(LS_TR("Messages", "letters of 5 pt: smaller ones cannot be read in print"));
    }
    if (auto* panels = std::get_if<PanelFigure>(&paper.picture)) {
        setColumns(*panels, options, paper.changes);
    }
    growUntilReadable(paper, options.heightMm);
    if (auto* figure = std::get_if<PanelFigure>(&paper.picture)) {
        addColumns(paper, *figure, options.heightMm, mostColumns(*figure, options));
    }
    if (paper.options.heightMm > options.heightMm) {
        paper.changes.push_back(
            {LS_TR("Messages", "a height of %1 mm instead of %2 mm, so that the plot keeps its place"),
                {static_cast<int>(paper.options.heightMm), static_cast<int>(std::lround(options.heightMm))}});
    }
    return paper;
}

} // namespace lockstep::ui
