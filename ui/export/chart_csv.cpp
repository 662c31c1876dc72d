// A chart as numbers.
#include "analysis/table/text_table.h"
#include "experiment/value.h"
#include "ui/export/render.h"
#include "ui/models/chart_axes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::ui {

namespace {

QByteArray csvText(const QString& text)
{
    return QByteArray::fromStdString(analysis::csvCell(text.toStdString()));
}

QByteArray csvNumber(double value)
{
    return std::isfinite(value) ? QByteArray::fromStdString(experiment::toText(experiment::Value{value}))
                                : QByteArray();
}

QString columnTitle(const AxisSpec& axis, const QString& otherwise)
{
    return axis.label.isEmpty() ? otherwise : axisTitle(axis);
}

} // namespace

QByteArray chartCsv(const ChartSpec& chart)
{
    const auto hasBand
        = [](const SeriesSpec& series) { return series.low.size() == series.x.size() && !series.low.empty(); };
    const bool isBanded = std::any_of(chart.series.begin(), chart.series.end(), hasBand);
    const bool isCounted = std::any_of(
        chart.series.begin(), chart.series.end(), [](const SeriesSpec& series) { return !series.n.empty(); });
    // A raw trace has no name: it takes that of its run.
    std::map<QString, QString> names;
    for (const SeriesSpec& series : chart.series) {
        if (!series.name.isEmpty()) {
            names[series.key.section(u'/', 0, 0)] = series.name;
        }
    }
    QByteArray csv = "run,name,curve," + csvText(columnTitle(chart.x, QStringLiteral("x"))) + ','
        + csvText(columnTitle(chart.cells.label.isEmpty() ? chart.y : chart.cells, QStringLiteral("y")))
        + (isBanded ? ",low,high" : "") + (isCounted ? ",n\r\n" : "\r\n");
    for (const SeriesSpec& series : chart.series) {
        if (!series.isVisible) {
            continue;
        }
        // Keys are "run/curve".
        const QString run = series.key.section(u'/', 0, 0);
        const QByteArray head = csvText(run) + ',' + csvText(series.name.isEmpty() ? names[run] : series.name) + ','
            + csvText(series.key.section(u'/', 1)) + ',';
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            csv += head + (i < chart.x.categories.size() ? csvText(chart.x.categories[i]) : csvNumber(series.x[i]))
                + ',' + csvNumber(series.y[i]);
            if (isBanded) {
                csv += hasBand(series) ? ',' + csvNumber(series.low[i]) + ',' + csvNumber(series.high[i]) : ",,";
            }
            if (isCounted) {
                csv += ',' + (i < series.n.size() ? QByteArray::number(series.n[i]) : QByteArray());
            }
            csv += "\r\n";
        }
    }
    return csv;
}

} // namespace lockstep::ui
