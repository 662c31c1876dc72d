#include "ui/charts/read_out.h"

#include "analysis/numbers.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

QString number(double value)
{
    return QString::fromStdString(analysis::threeDigits(value));
}

/// The nearest point with a value; -1 if there is none.
qsizetype nearest(const SeriesSpec& series, double x)
{
    const auto found = std::lower_bound(series.x.begin(), series.x.end(), x);
    qsizetype best = -1;
    const auto middle = static_cast<qsizetype>(found - series.x.begin());
    for (qsizetype i = std::max<qsizetype>(0, middle - 2); i < std::min<qsizetype>(middle + 3, std::ssize(series.x));
         ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool nearer
            = best < 0 || std::fabs(series.x[at] - x) < std::fabs(series.x[static_cast<std::size_t>(best)] - x);
        if (std::isfinite(series.y[at]) && nearer) {
            best = i;
        }
    }
    return best;
}

} // namespace

QString readOut(const ChartSpec& chart, double x)
{
    QString rows;
    QString head;
    for (const SeriesSpec& series : chart.series) {
        const qsizetype i = series.name.isEmpty() ? -1 : nearest(series, x);
        if (i < 0) {
            continue;
        }
        const auto at = static_cast<std::size_t>(i);
        if (head.isEmpty()) {
            head = chart.x.categories.empty() ? chart.x.label + u' ' + number(series.x[at])
                    + (chart.x.unit.isEmpty() ? QString() : u' ' + chart.x.unit)
                                              : chart.x.categories[std::min(at, chart.x.categories.size() - 1)];
        }
        rows += QStringLiteral(
            "<tr><td style='color:%1'>■&nbsp;</td><td>%2&nbsp;&nbsp;</td><td align='right'>%3</td></tr>")
                    .arg(series.color.name(), series.name.toHtmlEscaped(),
                        number(series.y[at]) + (chart.y.unit.isEmpty() ? QString() : u' ' + chart.y.unit));
    }
    return rows.isEmpty() ? QString()
                          : head.toHtmlEscaped() + QStringLiteral("<table>") + rows + QStringLiteral("</table>");
}

} // namespace lockstep::ui
