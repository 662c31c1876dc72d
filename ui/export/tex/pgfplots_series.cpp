#include "ui/export/tex/pgfplots_series.h"

#include "ui/export/paper_chart.h"
#include "ui/export/tex/pgfplots_clip.h"
#include "ui/export/tex/tex_text.h"
#include "ui/models/number_text.h"
#include "ui/models/shown_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {

namespace {

/// Of TeX's memory of 5,000,000 words a point takes 125, until its page is shipped out.
constexpr std::size_t MostPicturePoints = 10'000;
constexpr std::size_t MostTablePoints = 2000;
constexpr std::size_t LeastTablePoints = 20;
/// `fill between` computes with both borders; bands are smooth.
constexpr std::size_t MostBandPoints = 500;
constexpr std::size_t MostBarLabels = 16;
constexpr int MostCellLabels = 640;
constexpr double PointsPerWidth = 0.5; ///< SeriesSpec::width
constexpr double StripePoints = 10.5; ///< of lines that lie on each other and take turns
constexpr std::size_t MarksPerCurve = 8; ///< of lines with marks only to distinguish them

bool hasInterval(const SeriesSpec& series)
{
    return !series.x.empty() && series.low.size() == series.x.size() && series.high.size() == series.x.size();
}

std::vector<std::uint32_t> everyPoint(const SeriesSpec& series)
{
    std::vector<std::uint32_t> indices(series.x.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::uint32_t>(i);
    }
    return indices;
}

/// Of each curve; a band counts as two.
std::size_t mostPointsOf(const ChartSpec& chart, std::size_t panels)
{
    std::size_t curves = 0;
    for (const SeriesSpec& series : chart.series) {
        curves += hasInterval(series) && !series.hasWhiskers ? 3 : 1;
    }
    return std::clamp(
        MostPicturePoints / (std::max<std::size_t>(curves, 1) * panels), LeastTablePoints, MostTablePoints);
}

/// At most `mostPoints` of the curve, with those at which it enters and leaves the axes.
ClippedCurve tableCurve(
    const SeriesSpec& series, const ChartSpec& chart, const ChartRanges& ranges, std::size_t mostPoints)
{
    AxisSpec axis = chart.x;
    axis.minimum = ranges.x.low;
    axis.maximum = ranges.x.high;
    for (std::size_t most = mostPoints;; most /= 2) {
        ClippedCurve curve = clippedCurve(series, drawnPoints(series, axis, most), chart, ranges);
        if (curve.x.size() <= mostPoints || most < 8) {
            return curve;
        }
    }
}

QByteArray row(std::initializer_list<double> numbers)
{
    QByteArray line;
    for (const double each : numbers) {
        line += (line.isEmpty() ? "" : "\t") + texNumber(each);
    }
    return line + '\n';
}

/// External names cannot end a comment.
QByteArray remarkOf(const SeriesSpec& series, std::size_t drawn)
{
    const std::size_t total = std::max(series.total, series.x.size());
    QByteArray line = "% " + texComment(series.name.isEmpty() ? series.key : series.name);
    if (drawn < total) {
        line += ": " + QByteArray::number(static_cast<qulonglong>(drawn)) + " points for "
            + QByteArray::number(static_cast<qulonglong>(total)) + ", the lowest and highest of each stretch";
    }
    return line + '\n';
}

/// Lines of a node with `align`.
QByteArray texLines(const QString& text)
{
    QByteArray tex;
    for (const QString& line : text.split(u'\n')) {
        tex += (tex.isEmpty() ? "" : "\\\\{}") + texText(line); // {}: a * that follows is text
    }
    return tex;
}

} // namespace

QByteArray texNumber(double value)
{
    return std::isfinite(value) ? QByteArray::number(value, 'g', 9) : QByteArray("nan");
}

PgfSeries::PgfSeries(
    const ChartSpec& chart, const ChartRanges& ranges, const PaperOptions& options, const PgfPlace& place)
    : m_chart(chart)
    , m_ranges(ranges)
    , m_options(options)
    , m_baseName(fileNameOf(place.baseName))
    , m_mostPoints(mostPointsOf(chart, place.panels))
{ }

QByteArray PgfSeries::colorOf(std::size_t number)
{
    return "lockstep" + QByteArray::number(static_cast<qulonglong>(number + 1));
}

QByteArray PgfSeries::colors() const
{
    QByteArray tex;
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
        const QColor& color = m_chart.series[i].color;
        tex += "\\definecolor{" + colorOf(i) + "}{RGB}{" + QByteArray::number(color.red()) + ','
            + QByteArray::number(color.green()) + ',' + QByteArray::number(color.blue()) + "}\n";
    }
    return tex;
}

QByteArray PgfSeries::addTable(QByteArray rows)
{
    const QString name = QStringLiteral("%1-%2.tsv").arg(m_baseName).arg(m_tables.size() + 1);
    m_tables.push_back({name, std::move(rows)});
    return name.toUtf8();
}

QByteArray PgfSeries::lineStyle(std::size_t number) const
{
    const SeriesSpec& series = m_chart.series[number];
    const bool isFaint = series.style == SeriesStyle::FaintLine;
    QByteArray style = "color=" + colorOf(number) + (isFaint ? "!42!white" : "");
    if (series.style == SeriesStyle::Markers) {
        return style + ",only marks";
    }
    style += ",line width=" + texNumber((isFaint ? 1.0 : series.width) * PointsPerWidth) + "pt,line join=round";
    if (series.stripes > 1) {
        style += ",dash pattern=on " + texNumber(StripePoints) + "pt off "
            + texNumber(StripePoints * (series.stripes - 1)) + "pt,dash phase=-"
            + texNumber(StripePoints * series.stripe) + "pt";
    } else if (series.style == SeriesStyle::DashedLine) {
        style += ",densely dashed";
    } else if (series.style == SeriesStyle::DottedLine) {
        style += ",densely dotted";
    } else {
        static constexpr std::array Dashes{"", ",dashed", ",dotted", ",dash dot"};
        static_assert(Dashes.size() == DashCount);
        style += Dashes[static_cast<std::size_t>(series.dash)];
    }
    return style;
}

/// `points` 0: of the legend, whose one mark is shown.
QByteArray PgfSeries::markStyle(std::size_t number, std::size_t points) const
{
    static constexpr const char* Filled[]
        = {"*", "square*", "triangle*", "diamond*", "triangle*", "x", "+"}; // the fifth points down
    static constexpr const char* Hollow[] = {"o", "square", "triangle", "diamond", "triangle", "oplus", "otimes"};
    constexpr auto Kinds = static_cast<int>(std::size(Filled));
    const SeriesSpec& series = m_chart.series[number];
    const bool isSparse = series.style == SeriesStyle::Line && m_options.markers == PaperOptions::Markers::Sparse;
    if (!isSparse && series.style != SeriesStyle::Markers && series.style != SeriesStyle::LineAndMarkers) {
        return ",mark=none";
    }
    const int shape = series.marker % Kinds;
    QByteArray style = ",mark=" + QByteArray(series.marker / Kinds % 2 == 0 ? Filled[shape] : Hollow[shape])
        + ",mark size=" + (series.style == SeriesStyle::Markers ? "2.2pt" : "1.5pt") + ",mark options={solid"
        + (shape == 4 ? ",rotate=180" : "") + '}';
    if (isSparse && points > 0) {
        // Each curve's marks start elsewhere, so that they do not overlap where curves meet.
        const std::size_t repeat = std::max<std::size_t>(1, points / MarksPerCurve);
        const std::size_t phase = 1 + repeat * static_cast<std::size_t>(series.marker % 4) / 4;
        style += ",mark repeat=" + QByteArray::number(static_cast<qulonglong>(repeat))
            + ",mark phase=" + QByteArray::number(static_cast<qulonglong>(phase));
    }
    return style;
}

QByteArray PgfSeries::barStyle(std::size_t number) const
{
    const SeriesSpec& series = m_chart.series[number];
    if (series.key != QLatin1String("phase/wait") && series.style != SeriesStyle::FormulaBars) {
        return "draw=white,line width=0.25pt,fill=" + colorOf(number);
    }
    return "draw=" + colorOf(number)
        + ",line width=0.5pt,preaction={fill=white},pattern=north east lines,pattern color=" + colorOf(number);
}

/// A band of low .. high; finite stretches only, in one piece.
QByteArray PgfSeries::band(std::size_t number)
{
    const SeriesSpec& series = m_chart.series[number];
    AxisSpec axis = m_chart.x;
    axis.minimum = m_ranges.x.low;
    axis.maximum = m_ranges.x.high;
    QByteArray rows("x\tlow\thigh\n");
    int drawn = 0;
    for (const std::uint32_t i : drawnPoints(series, axis, std::min(MostBandPoints, m_mostPoints))) {
        const bool isLog = m_chart.x.scale == Scale::Log;
        if (std::isfinite(series.low[i] + series.high[i]) && (!isLog || series.x[i] > 0.0)) {
            rows += row({clippedValue(series.x[i], m_ranges.x, m_chart.x.scale),
                clippedValue(series.low[i], m_ranges.y, m_chart.y.scale),
                clippedValue(series.high[i], m_ranges.y, m_chart.y.scale)});
            ++drawn;
        }
    }
    if (drawn < 2) {
        return {};
    }
    const QByteArray table = addTable(std::move(rows));
    const QByteArray low = colorOf(number) + "low";
    const QByteArray high = colorOf(number) + "high";
    return "\\addplot[forget plot,draw=none,mark=none,name path=" + low + "] table[x=x,y=low]{" + table + "};\n"
        + "\\addplot[forget plot,draw=none,mark=none,name path=" + high + "] table[x=x,y=high]{" + table + "};\n"
        + "\\addplot[forget plot,draw=none,fill=" + colorOf(number) + ",fill opacity=0.18] fill between[of=" + low
        + " and " + high + "];\n";
}

QByteArray PgfSeries::curve(std::size_t number)
{
    const SeriesSpec& series = m_chart.series[number];
    QByteArray tex;
    if (hasInterval(series) && !series.hasWhiskers) {
        tex += band(number);
    }
    const bool hasWhiskers = hasInterval(series) && series.hasWhiskers;
    QByteArray rows(hasWhiskers ? "x\ty\tminus\tplus\n" : "x\ty\n");
    std::size_t drawn = 0;
    if (hasWhiskers) { // few points, each with its own error
        for (const std::uint32_t i : everyPoint(series)) {
            const auto clipped = [&](double value) { return clippedValue(value, m_ranges.y, m_chart.y.scale); };
            if (series.x[i] < m_ranges.x.low || series.x[i] > m_ranges.x.high) {
                continue;
            }
            const double y = clipped(series.y[i]);
            const double minus = y - clipped(series.low[i]);
            const double plus = clipped(series.high[i]) - y;
            rows += row({series.x[i], y, std::isfinite(minus) ? minus : 0.0, std::isfinite(plus) ? plus : 0.0});
            ++drawn;
        }
    } else {
        const ClippedCurve clipped = tableCurve(series, m_chart, m_ranges, m_mostPoints);
        drawn = clipped.x.size();
        for (std::size_t i = 0; i < drawn; ++i) {
            rows += row({clipped.x[i], clipped.y[i]});
        }
    }
    if (drawn == 0) {
        return tex;
    }
    tex += remarkOf(series, drawn) + "\\addplot[forget plot," + lineStyle(number) + markStyle(number, drawn);
    constexpr double PointsPerPixel = 0.75;
    tex += series.aside != 0.0 ? ",xshift=" + texNumber(series.aside * PointsPerPixel) + "pt" : QByteArray();
    tex += hasWhiskers
        ? ",error bars/y dir=both,error bars/y explicit] table[x=x,y=y,y error minus=minus,y error plus=plus]{"
        : "] table[x=x,y=y]{";
    return tex + addTable(std::move(rows)) + "};\n";
}

/// Bars of a category lie on each other: each is drawn from the axis up to its top, the highest first.
QByteArray PgfSeries::bars()
{
    const BarPlaces places = barPlaces(m_chart);
    std::vector<double> measured(m_chart.x.categories.size(), 0.0);
    std::vector<double> formula = measured;
    QByteArray tex;
    for (std::size_t number = 0; number < m_chart.series.size(); ++number) {
        const SeriesSpec& series = m_chart.series[number];
        const bool isFormula = series.style == SeriesStyle::FormulaBars;
        const bool isStacked = series.style != SeriesStyle::Bars;
        const bool hasError = hasInterval(series) && series.hasWhiskers;
        QByteArray rows(hasError ? "x\ttop\ty\tminus\tplus\n" : "x\ttop\ty\n");
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (!std::isfinite(series.y[i])) {
                continue;
            }
            double top = series.y[i];
            if (isStacked && i < measured.size()) {
                double& sum = isFormula ? formula[i] : measured[i];
                sum += series.y[i];
                top = sum;
            }
            const double x = series.x[i] + (isFormula ? places.formula : places.measured);
            const double shown = clippedValue(top, m_ranges.y, m_chart.y.scale);
            QByteArray line = row({x, shown, series.y[i]});
            if (hasError) {
                const double minus = shown - clippedValue(series.low[i], m_ranges.y, m_chart.y.scale);
                const double plus = clippedValue(series.high[i], m_ranges.y, m_chart.y.scale) - shown;
                line.chop(1);
                line += '\t' + row({std::isfinite(minus) ? minus : 0.0, std::isfinite(plus) ? plus : 0.0});
            }
            rows += line;
        }
        QByteArray plot = remarkOf(series, series.x.size())
            + "\\addplot[forget plot,ybar,bar shift=0pt,bar width=" + texNumber(places.width) + ',' + barStyle(number)
            + (hasError ? ",error bars/y dir=both,error bars/y explicit,error bars/error bar style={color=black}" : "")
            + "] table[x=x,y=top" + (hasError ? ",y error minus=minus,y error plus=plus" : "") + "]{"
            + addTable(std::move(rows)) + "};\n";
        tex = plot + tex;
    }
    return tex + totals();
}

QByteArray PgfSeries::totals() const
{
    const std::vector<BarLabel> labels = barLabels(m_chart);
    QByteArray tex;
    for (std::size_t i = 0; i < labels.size() && labels.size() <= MostBarLabels; ++i) {
        const BarLabel& label = labels[i];
        const double place = clippedValue(label.y, m_ranges.y, m_chart.y.scale);
        tex += "\\node[anchor=south,align=center,inner sep=1.5pt] at (axis cs:" + texNumber(label.x) + ','
            + texNumber(place) + ") {" + texLines(label.text) + "};\n";
    }
    return tex;
}

QByteArray PgfSeries::cells() const
{
    const CellScale scale = cellScale(m_chart);
    const bool isCount = m_chart.cells.label.isEmpty();
    std::size_t count = 0;
    for (const SeriesSpec& each : m_chart.series) {
        count += each.y.size();
    }
    QByteArray tex;
    for (std::size_t line = 0; line < m_chart.series.size(); ++line) {
        const SeriesSpec& series = m_chart.series[line];
        const double y = static_cast<double>(line);
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            const auto corner = [&](double dx, double dy) {
                return "(axis cs:" + texNumber(series.x[i] + dx) + ',' + texNumber(y + dy) + ')';
            };
            const QByteArray text = i < series.texts.size() ? texLines(series.texts[i]) : QByteArray();
            if (!std::isfinite(series.y[i])) {
                if (!text.isEmpty() && count <= MostCellLabels) {
                    tex += "\\node[inner sep=0pt,text=black!60] at " + corner(0, 0) + " {" + text + "};\n";
                }
                continue;
            }
            const int share = static_cast<int>(std::lround(100.0 * scale.share(series.y[i])));
            tex += "\\path[draw=black!15,fill=" + colorOf(0) + '!' + QByteArray::number(share) + "!white] "
                + corner(-0.5, -0.5) + " rectangle " + corner(0.5, 0.5) + ";\n";
            if ((series.y[i] > 0.0 || !isCount) && count <= MostCellLabels) {
                tex += QByteArray("\\node[align=center,inner sep=0pt,text=") + (share > 60 ? "white" : "black")
                    + "] at " + corner(0, 0) + " {" + (isCount ? texText(countText(std::llround(series.y[i]))) : text)
                    + "};\n";
            }
        }
        if (series.width > 1.0 && line > 0) {
            tex += "\\draw (axis cs:-0.5," + texNumber(y - 0.5) + ") -- (axis cs:"
                + texNumber(static_cast<double>(series.x.size()) - 0.5) + ',' + texNumber(y - 0.5) + ");\n";
        }
    }
    return tex;
}

QByteArray PgfSeries::plots()
{
    if (areCells(m_chart)) {
        return cells();
    }
    if (std::any_of(m_chart.series.begin(), m_chart.series.end(), isBars)) {
        return bars();
    }
    QByteArray tex;
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
        tex += curve(i);
    }
    return tex;
}

QByteArray PgfSeries::legend(int columns) const
{
    QByteArray tex;
    int entries = 0;
    for (std::size_t i = 0; i < m_chart.series.size(); ++i) {
        const SeriesSpec& series = m_chart.series[i];
        if (series.name.isEmpty() || !series.isInLegend) {
            continue;
        }
        tex += "\\addlegendimage{" + (isBars(series) ? "area legend," + barStyle(i) : lineStyle(i) + markStyle(i, 0))
            + "}\\addlegendentry{" + texText(legendName(series.name)) + "}\n";
        ++entries;
    }
    if (m_chart.remark.isEmpty()) {
        return tex;
    }
    // In a row for itself, where it widens no column.
    for (; entries % columns != 0; ++entries) {
        tex += "\\addlegendimage{empty legend}\\addlegendentry{}\n";
    }
    const QByteArray remark = texText(m_chart.remark);
    tex += "\\addlegendimage{empty legend}\\addlegendentry{" + (columns > 1 ? "\\rlap{" + remark + '}' : remark)
        + "}\n";
    return tex;
}

} // namespace lockstep::ui
