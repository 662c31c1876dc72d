#include "ui/export/tex/pgfplots.h"

#include "ui/charts/axis_tickers.h"
#include "ui/export/paper_chart.h"
#include "ui/export/tex/pgfplots_series.h"
#include "ui/export/tex/tex_text.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double MmPerPoint = 25.4 / 72.27; ///< of TeX
constexpr double LegendSampleMm = 11.0; ///< with the gap to the next entry

/// About as wide as TeX sets it: Chinese characters are square.
double textWidthMm(const QString& text, double fontPt)
{
    double ems = 0.0;
    for (const QChar each : text) {
        ems += each.unicode() >= 0x2e80 ? 1.0 : 0.5;
    }
    return ems * fontPt * MmPerPoint;
}

QByteArray key(const char* name, const QByteArray& value)
{
    return "  " + QByteArray(name) + '=' + value + ",\n";
}

/// `{{a},{b}}`: names may hold commas and brackets.
template <typename Texts>
QByteArray texList(const Texts& texts)
{
    QByteArray list;
    for (const QString& each : texts) {
        list += (list.isEmpty() ? "{" : ",{") + texText(each) + '}';
    }
    return '{' + list + '}';
}

/// Long names beside each other are turned.
bool needsTurning(const AxisSpec& axis, const PaperOptions& options)
{
    double widest = 0.0;
    for (const QString& each : categoryNames(axis, Qt::Horizontal)) {
        widest = std::max(widest, textWidthMm(each, options.fontPt));
    }
    return widest * static_cast<double>(axis.categories.size()) > 0.8 * options.widthMm;
}

QByteArray categoryKeys(char letter, const AxisSpec& axis, const PaperOptions& options)
{
    QByteArray places;
    for (std::size_t i = 0; i < axis.categories.size(); ++i) {
        places += (i == 0 ? "" : ",") + QByteArray::number(static_cast<qulonglong>(i));
    }
    const QByteArray name(1, letter);
    QByteArray keys = key((name + "tick").data(), '{' + places + '}')
        + key((name + "ticklabels").data(), texList(categoryNames(axis, letter == 'x' ? Qt::Horizontal : Qt::Vertical)))
        + key((name + "majorgrids").data(), "false") + key((name + " tick style").data(), "{draw=none}");
    if (letter == 'x' && needsTurning(axis, options)) {
        keys += key("x tick label style", "{rotate=30,anchor=north east}");
    }
    return keys;
}

/// The ticks of the screen: PGFPlots' own are odd powers where an axis has less than two decades, and halves of counts.
QByteArray tickKeys(char letter, const AxisSpec& axis, const AxisRange& range)
{
    QVector<double> ticks;
    QVector<QString> labels;
    tickerOf(axis)->generate(
        QCPRange(range.low, range.high), QLocale(QLocale::English), u'g', 6, ticks, nullptr, &labels);
    QByteArray places;
    QStringList texts;
    for (qsizetype i = 0; i < ticks.size(); ++i) {
        if (ticks[i] >= range.low && ticks[i] <= range.high) {
            places += (places.isEmpty() ? "" : ",") + texNumber(ticks[i]);
            texts += labels[i];
        }
    }
    const QByteArray name(1, letter);
    return (axis.scale == Scale::Log ? key((name + "mode").data(), "log") : QByteArray())
        + key((name + "tick").data(), '{' + places + '}') + key((name + "ticklabels").data(), texList(texts))
        + key((name + "minorticks").data(), "false");
}

/// Where tickKeys() has the labels, with what these leave to it.
QString labelOfAxis(const AxisSpec& axis, const AxisRange& range)
{
    return axis.scale == Scale::Log || axis.isCount
        ? axisNumbers(axis, range.low, range.high, LabelRoom::Enough).title(axis)
        : axisTitle(axis);
}

QByteArray axisKeys(char letter, const AxisSpec& axis, const AxisRange& range, const PaperOptions& options)
{
    const QByteArray name(1, letter);
    QByteArray keys = key((name + "min").data(), texNumber(range.low))
        + key((name + "max").data(), texNumber(range.high))
        + key((name + "label").data(), '{' + texText(labelOfAxis(axis, range)) + '}');
    if (!axis.categories.empty()) {
        return keys + categoryKeys(letter, axis, options);
    }
    if (axis.scale == Scale::Log || axis.isCount) {
        return keys + tickKeys(letter, axis, range);
    }
    // Fixed point, with as many decimals as ten ticks need.
    const double step = std::max((range.high - range.low) / 10.0, 1e-300);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step))) + 1, 0, 12);
    return keys
        + key((name + "ticklabel style").data(),
            "{/pgf/number format/assume math mode,/pgf/number format/fixed,/pgf/number format/precision="
                + QByteArray::number(decimals) + ",/pgf/number format/1000 sep={,}}");
}

struct LegendShape {
    int columns = 1;
    int rows = 0;
};

/// As many columns as the widest entry allows; the remark has a row for itself.
LegendShape legendShape(const ChartSpec& chart, const PaperOptions& options)
{
    double widest = LegendSampleMm;
    int entries = 0;
    for (const SeriesSpec& series : chart.series) {
        if (!series.name.isEmpty() && series.isInLegend) {
            widest = std::max(widest, textWidthMm(legendName(series.name), options.fontPt) + LegendSampleMm);
            ++entries;
        }
    }
    const int remarks = chart.remark.isEmpty() ? 0 : 1;
    if (entries + remarks == 0 || (options.legend != LegendPlace::Above && options.legend != LegendPlace::Below)) {
        return {};
    }
    const int columns = std::clamp(static_cast<int>(0.85 * options.widthMm / widest), 1, std::max(1, entries));
    return {columns, (entries + columns - 1) / columns + remarks};
}

QByteArray legendKeys(int columns, LegendPlace place)
{
    const auto keys = [](int wide, const char* where) {
        return key("legend columns", QByteArray::number(wide)) + key("legend cell align", "left")
            + key("legend style",
                '{' + QByteArray(where) + ",draw=none,/tikz/every even column/.append style={column sep=3mm}}");
    };
    switch (place) {
    case LegendPlace::Above:
        return keys(columns, "at={(0,1)},anchor=south west,yshift=2mm,fill=none,inner sep=0pt");
    case LegendPlace::Below:
        return keys(columns, "at={(0,0)},anchor=north west,yshift=-11mm,fill=none,inner sep=0pt");
    case LegendPlace::TopRight:
        return keys(1, "at={(0.98,0.98)},anchor=north east,fill=white");
    case LegendPlace::BottomRight:
        return keys(1, "at={(0.98,0.02)},anchor=south east,fill=white");
    case LegendPlace::None:
        break;
    }
    return {};
}

QByteArray axisHead(const ChartSpec& chart, const ChartRanges& ranges, const PaperOptions& options)
{
    const LegendShape legend = legendShape(chart, options);
    const double legendMm = legend.rows * 1.35 * options.fontPt * MmPerPoint + (legend.rows > 0 ? 2.0 : 0.0);
    QByteArray tex = "\\begin{axis}[\n" + key("width", texNumber(options.widthMm) + "mm")
        + key("height", texNumber(std::max(15.0, options.heightMm - legendMm)) + "mm") + key("grid", "major")
        + axisKeys('x', chart.x, ranges.x, options) + axisKeys('y', chart.y, ranges.y, options);
    if (areCells(chart)) {
        tex += key("y dir", "reverse");
    } else if (chart.y.scale == Scale::Log) {
        tex += key("log origin", "infty");
    }
    return tex + key("scaled ticks", "false") + key("axis lines*", "left")
        + key("grid style", "{black!12,line width=0.25pt}") + key("axis line style", "{black!60}")
        + key("tick align", "outside") + key("unbounded coords", "jump") + legendKeys(legend.columns, options.legend)
        + "]\n";
}

/// Where ranks were slowed by hand; under the curves.
QByteArray shadesOf(const ChartSpec& chart, const ChartRanges& ranges)
{
    QByteArray tex;
    for (const MarkSpec& mark : chart.marks) {
        const double from = std::max(mark.x, ranges.x.low);
        const double to = std::min(mark.until.value_or(mark.x), ranges.x.high);
        if (from < to) {
            tex += "\\fill[black!8] (axis cs:" + texNumber(from) + ',' + texNumber(ranges.y.low)
                + ") rectangle (axis cs:" + texNumber(to) + ',' + texNumber(ranges.y.high) + ");\n";
        }
    }
    return tex;
}

/// A vertical line with its text, in turn on three heights.
QByteArray marksOf(const ChartSpec& chart, const ChartRanges& ranges)
{
    QByteArray tex;
    int place = 0;
    for (const MarkSpec& mark : chart.marks) {
        if (!(mark.x >= ranges.x.low && mark.x <= ranges.x.high)) {
            continue;
        }
        const auto point = [&](double y) { return "(axis cs:" + texNumber(mark.x) + ',' + texNumber(y) + ')'; };
        tex += "\\draw[black!60,densely dashed,line width=0.4pt] " + point(ranges.y.low) + " -- " + point(ranges.y.high)
            + " node[pos=" + texNumber(0.98 - 0.06 * (place++ % 3))
            + ",anchor=" + (isInRightHalf(mark.x, chart) ? "north east" : "north west") + ",black!60] {"
            + texText(mark.text) + "};\n";
    }
    return tex;
}

QByteArray fontOf(const PaperOptions& options)
{
    return "\\fontsize{" + texNumber(options.fontPt) + "}{" + texNumber(1.2 * options.fontPt)
        + "}\\selectfont\\sffamily";
}

} // namespace

PgfPicture pgfplotsPicture(const ChartSpec& chart, const PaperOptions& options, const PgfPlace& place)
{
    const ChartSpec paper = onPaper(chart, options);
    const ChartRanges ranges = fittedRanges(paper);
    PgfSeries series(paper, ranges, options, place);
    PgfPicture picture;
    picture.tex = "\\begin{tikzpicture}[font=" + fontOf(options) + "]\n" + series.colors()
        + axisHead(paper, ranges, options) + shadesOf(paper, ranges) + series.plots()
        + (options.legend == LegendPlace::None ? QByteArray()
                                               : series.legend(std::max(1, legendShape(paper, options).columns)))
        + marksOf(paper, ranges) + "\\end{axis}\n\\end{tikzpicture}\n";
    picture.tables = series.takeTables();
    return picture;
}

QByteArray pgfplotsPreamble()
{
    return "\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n\\usepgfplotslibrary{fillbetween}\n"
           "\\usetikzlibrary{patterns}\n";
}

QByteArray chinesePreamble()
{
    return "\\usepackage[UTF8,scheme=plain,fontset=fandol]{ctex}\n";
}

std::vector<PaperFile> pgfplotsFiles(const PanelFigure& figure, const PaperOptions& options, const QString& baseName)
{
    QByteArray pictures;
    std::vector<PaperFile> files(1);
    PaperOptions each = options;
    each.widthMm = options.widthMm / figure.columnCount();
    each.heightMm = options.heightMm / figure.rowCount();
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const bool isAlone = figure.panels.size() == 1;
        PgfPicture picture = pgfplotsPicture(figure.panels[i], each,
            {isAlone ? baseName : QStringLiteral("%1-%2").arg(baseName).arg(i + 1), figure.panels.size()});
        const bool isFirstOfRow = i % static_cast<std::size_t>(figure.columnCount()) == 0;
        pictures += isFirstOfRow ? (i == 0 ? "\\hbox{%\n" : "}\\kern4mm\\hbox{%\n") : "";
        pictures += isAlone ? picture.tex
                            : "\\vbox{\\hbox{" + fontOf(options) + "\\bfseries " + texText(panelTitle(figure, i))
                + "}\\kern1mm\\hbox{%\n" + picture.tex + "}}%\n";
        std::move(picture.tables.begin(), picture.tables.end(), std::back_inserter(files));
    }
    QByteArray tex = "% " + texComment(figure.title)
        + "\n% Made by Lockstep. Compile with XeLaTeX; the .tsv files stay beside this file.\n";
    if (!options.specJson.isEmpty()) {
        tex += "% spec: " + texComment(options.specJson) + '\n';
    }
    tex += "\\documentclass{article}\n" + (hasChinese(pictures) ? chinesePreamble() : QByteArray()) + pgfplotsPreamble()
        + "\\pagestyle{empty}\n\\begin{document}\n\\setbox0=\\vbox{%\n"
        + pictures
        // The page is as large as the pictures.
        + "}}\\hoffset=-1in \\voffset=-1in \\pdfpagewidth=\\wd0 \\pdfpageheight=\\dimexpr\\ht0+\\dp0\\relax\n"
          "\\shipout\\box0\n\\end{document}\n";
    files.front() = {baseName + QStringLiteral(".tex"), std::move(tex)};
    return files;
}

std::vector<PaperFile> pgfplotsFiles(const ChartSpec& chart, const PaperOptions& options, const QString& baseName)
{
    return pgfplotsFiles(PanelFigure{chart.id, chart.title, chart.specJson, {chart}}, options, baseName);
}

} // namespace lockstep::ui
