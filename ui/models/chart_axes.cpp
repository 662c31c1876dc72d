#include "ui/models/chart_axes.h"

#include "ui/models/number_text.h"
#include "ui/models/short_names.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {

namespace {

/// Lowest and highest finite value, above zero on a log axis.
struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value, Scale scale)
    {
        if (std::isfinite(value) && (scale == Scale::Linear || value > 0.0)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    [[nodiscard]] bool isEmpty() const { return low > high; }
};

AxisRange padded(Extent extent, const AxisSpec& axis, double share)
{
    if (extent.isEmpty()) {
        extent = axis.scale == Scale::Log ? Extent{0.1, 10.0} : Extent{0.0, 1.0};
    }
    if (axis.scale == Scale::Log) {
        const double factor = std::max(1.05, std::pow(extent.high / extent.low, share));
        extent = {extent.low / factor, extent.high * factor};
    } else {
        const double span = extent.high - extent.low;
        const double room = span > 0.0 ? span * share : std::max(std::fabs(extent.high) * 0.1, 0.5);
        // A quantity that is never negative gets no axis below zero.
        const double low = extent.low >= 0.0 ? std::max(0.0, extent.low - room) : extent.low - room;
        extent = {low, extent.high + room};
    }
    return {axis.minimum.value_or(extent.low), axis.maximum.value_or(extent.high)};
}

/// The extent of the curves with that of their bands, of which at most a quarter of the curves' own height is shown at
/// each side: a band of two repeats would fill the chart and press the curves flat.
Extent withBands(const Extent& curves, const ChartSpec& chart)
{
    Extent bands;
    for (const SeriesSpec& series : chart.series) {
        for (std::size_t i = 0; series.isVisible && !series.hasWhiskers && i < series.low.size(); ++i) {
            bands.add(series.low[i], chart.y.scale);
            bands.add(series.high[i], chart.y.scale);
        }
    }
    if (bands.isEmpty() || curves.isEmpty()) {
        return curves;
    }
    const bool isLog = chart.y.scale == Scale::Log;
    constexpr double Most = 0.25;
    const double most = isLog ? std::pow(curves.high / curves.low, Most) : Most * (curves.high - curves.low);
    const double lowest = isLog ? curves.low / most : curves.low - most;
    const double highest = isLog ? curves.high * most : curves.high + most;
    return {std::min(curves.low, std::max(bands.low, lowest)), std::max(curves.high, std::min(bands.high, highest))};
}

/// Adds the values of bars and of curves; bars of a category lie on each other.
class ValueExtent {
public:
    explicit ValueExtent(const ChartSpec& chart)
        : m_scale(chart.y.scale)
        , m_stacked(chart.x.categories.size(), 0.0)
        , m_formula(chart.x.categories.size(), 0.0)
    { }

    void add(const SeriesSpec& series, std::size_t i)
    {
        if (isBars(series)) {
            m_extent.add(0.0, m_scale); // a bar's length is its value
        }
        const bool isFormula = series.style == SeriesStyle::FormulaBars;
        if ((isFormula || series.style == SeriesStyle::StackedBars) && i < m_stacked.size()) {
            double& top = isFormula ? m_formula[i] : m_stacked[i];
            top += std::isfinite(series.y[i]) ? series.y[i] : 0.0;
            m_extent.add(top, m_scale);
        } else {
            m_extent.add(series.y[i], m_scale);
            if (stretches(series, i) && i < series.low.size()) {
                m_whiskers.add(series.low[i], m_scale);
            }
        }
        if (stretches(series, i) && i < series.high.size()) {
            m_whiskers.add(series.high[i], m_scale);
        }
    }
    /// Of the values, and of their intervals as far as these do not press the values flat.
    [[nodiscard]] Extent extent() const
    {
        if (m_whiskers.isEmpty() || m_extent.isEmpty()) {
            return m_extent;
        }
        constexpr double Most = 2.0; // times what the values take
        const bool isLog = m_scale == Scale::Log;
        const double most = isLog ? std::pow(std::max(10.0, m_extent.high / m_extent.low), Most)
                                  : Most * std::max(std::fabs(m_extent.high), m_extent.high - m_extent.low);
        const double lowest = isLog ? m_extent.low / most : m_extent.low - most;
        const double highest = isLog ? m_extent.high * most : m_extent.high + most;
        return {std::min(m_extent.low, std::max(m_whiskers.low, lowest)),
            std::max(m_extent.high, std::min(m_whiskers.high, highest))};
    }

private:
    /// An interval of two values is some thirteen times as wide as their distance: it is drawn as far as it is in view.
    static bool stretches(const SeriesSpec& series, std::size_t i)
    {
        return series.hasWhiskers && (i >= series.n.size() || series.n[i] > 2);
    }

    Scale m_scale;
    std::vector<double> m_stacked;
    std::vector<double> m_formula;
    Extent m_extent;
    Extent m_whiskers;
};

} // namespace

ChartRanges fittedRanges(const ChartSpec& chart)
{
    if (areCells(chart)) {
        return {{-0.5, static_cast<double>(chart.x.categories.size()) - 0.5},
            {-0.5, static_cast<double>(chart.y.categories.size()) - 0.5}};
    }
    Extent x;
    ValueExtent y(chart);
    for (const SeriesSpec& series : chart.series) {
        for (std::size_t i = 0; series.isVisible && i < series.x.size(); ++i) {
            x.add(series.x[i], chart.x.scale);
            y.add(series, i);
        }
    }
    ChartRanges ranges;
    if (chart.x.categories.empty()) {
        // Steps, epochs and seconds are counted from the start of a run: shown if that costs little.
        if (chart.x.scale == Scale::Linear && x.low > 0.0 && x.low < 0.3 * x.high) {
            x.low = 0.0;
        }
        ranges.x = padded(x, chart.x, 0.01);
    } else {
        // A single bar does not fill the page.
        const auto count = static_cast<double>(chart.x.categories.size());
        const double room = count < 3.0 ? (3.0 - count) / 2.0 : 0.0;
        ranges.x = {-0.6 - room, count - 0.4 + room};
    }
    ranges.y = padded(withBands(y.extent(), chart), chart.y,
        chart.x.categories.empty() ? 0.04
            : chart.labelsParts    ? 0.17
                                   : 0.1);
    return ranges;
}

bool hasFormula(const ChartSpec& chart)
{
    return std::any_of(chart.series.begin(), chart.series.end(),
        [](const SeriesSpec& series) { return series.style == SeriesStyle::FormulaBars; });
}

BarPlaces barPlaces(const ChartSpec& chart)
{
    return hasFormula(chart) ? BarPlaces{-0.19, 0.19, 0.34} : BarPlaces{};
}

std::vector<BarLabel> barLabels(const ChartSpec& chart)
{
    const BarPlaces places = barPlaces(chart);
    std::vector<BarLabel> labels;
    for (const bool isFormula : {false, true}) {
        for (std::size_t i = 0; i < chart.x.categories.size() && (!isFormula || hasFormula(chart)); ++i) {
            double sum = 0.0;
            double top = 0.0;
            QStringList parts;
            for (const SeriesSpec& series : chart.series) {
                const bool counts = (series.style == SeriesStyle::FormulaBars) == isFormula;
                if (counts && i < series.y.size() && std::isfinite(series.y[i])) {
                    sum += series.y[i];
                    parts += i < series.labels.size() ? series.labels[i] : numberText(series.y[i]);
                }
                if (series.hasWhiskers && i < series.high.size() && std::isfinite(series.high[i])) {
                    top = std::max(top, series.high[i]);
                }
            }
            const double x = static_cast<double>(i) + (isFormula ? places.formula : places.measured);
            const bool showsParts = chart.labelsParts || parts.size() == 1;
            const QString text = showsParts ? parts.join(QStringLiteral("\n+ ")) : numberText(sum);
            labels.push_back({x, std::max(sum, top), text, isFormula});
        }
    }
    return labels;
}

QString legendName(const QString& name)
{
    constexpr qsizetype MostLetters = 60;
    return name.size() <= MostLetters
        ? name
        : name.left(MostLetters / 2) + u'…' + name.right(MostLetters - MostLetters / 2 - 1);
}

std::vector<QString> categoryNames(const AxisSpec& axis, Qt::Orientation orientation)
{
    constexpr qsizetype MostLetters = 28;
    constexpr std::size_t MostNumbers = 24;
    const bool isCrowded = orientation == Qt::Horizontal && axis.categories.size() > MostNumbers;
    std::vector<QStringList> all;
    QStringList texts;
    for (const QString& category : axis.categories) {
        QStringList lines = category.split(u'\n');
        bool isNumber = false;
        lines.front().toInt(&isNumber);
        if (isCrowded && isNumber) {
            lines.removeFirst();
        }
        texts += lines;
        all.push_back(std::move(lines));
    }
    const QStringList shorter = shortNames(texts, [](const QString& text) { return text.size() <= MostLetters; });
    std::vector<QString> names;
    qsizetype next = 0;
    for (const QStringList& lines : all) {
        names.push_back(shorter.mid(next, lines.size()).join(u'\n'));
        next += lines.size();
    }
    return names;
}

bool isInRightHalf(double x, const ChartSpec& chart)
{
    const AxisRange range = fittedRanges(chart).x;
    return x > (chart.x.scale == Scale::Log ? std::sqrt(range.low * range.high) : (range.low + range.high) / 2.0);
}

bool areCells(const ChartSpec& chart)
{
    return !chart.series.empty() && chart.series.front().style == SeriesStyle::Cells;
}

double CellScale::share(double value) const
{
    constexpr double Strongest = 0.9;
    if (palest == 0.0) {
        return high > 0.0 ? value / high : 0.0;
    }
    return high > low ? palest + (Strongest - palest) * (value - low) / (high - low) : (palest + Strongest) / 2.0;
}

CellScale cellScale(const ChartSpec& chart)
{
    constexpr double Palest = 0.08;
    Extent extent;
    for (const SeriesSpec& row : chart.series) {
        for (const double value : row.y) {
            extent.add(value, Scale::Linear);
        }
    }
    const bool isCount = chart.cells.label.isEmpty();
    return extent.isEmpty() ? CellScale{} : CellScale{extent.low, extent.high, isCount ? 0.0 : Palest};
}

bool isBars(const SeriesSpec& series)
{
    return series.style == SeriesStyle::Bars || series.style == SeriesStyle::StackedBars
        || series.style == SeriesStyle::FormulaBars;
}

QString axisTitle(const AxisSpec& axis)
{
    return axis.unit.isEmpty() ? axis.label : QStringLiteral("%1 (%2)").arg(axis.label, axis.unit);
}

} // namespace lockstep::ui
