#include "ui/export/report/live_chart.h"

#include "ui/export/paper_chart.h"
#include "ui/models/charts/chart_kind.h"
#include "ui/models/number_text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace lockstep::ui {

namespace {

constexpr int PlaceDigits = 9; ///< of an x, as numbers of steps have them
constexpr int ValueDigits = 6;

bool isCurve(const SeriesSpec& series)
{
    return series.style == SeriesStyle::Line || series.style == SeriesStyle::FaintLine
        || series.style == SeriesStyle::DashedLine || series.style == SeriesStyle::DottedLine
        || series.style == SeriesStyle::Markers || series.style == SeriesStyle::LineAndMarkers;
}

/// `null` for what JSON has no number for: a gap.
QJsonArray numbers(const std::vector<double>& values, const std::vector<std::uint32_t>& places, int digits)
{
    QJsonArray list;
    for (const std::uint32_t place : places) {
        const double value = values[place];
        list.append(
            std::isfinite(value) ? QJsonValue(QByteArray::number(value, 'g', digits).toDouble()) : QJsonValue());
    }
    return list;
}

QJsonObject axisJson(const AxisSpec& axis)
{
    const auto end = [](const std::optional<double>& value) { return value ? QJsonValue(*value) : QJsonValue(); };
    return {{QStringLiteral("label"), axis.label}, {QStringLiteral("unit"), axis.unit},
        {QStringLiteral("log"), axis.scale == Scale::Log}, {QStringLiteral("count"), axis.isCount},
        {QStringLiteral("min"), end(axis.minimum)}, {QStringLiteral("max"), end(axis.maximum)}};
}

int dashOf(const SeriesSpec& series)
{
    return static_cast<int>(series.style == SeriesStyle::DashedLine ? Dash::Dashed
            : series.style == SeriesStyle::DottedLine               ? Dash::Dotted
                                                                    : series.dash);
}

QJsonObject seriesJson(const SeriesSpec& series, const std::vector<std::uint32_t>& places)
{
    const bool hasMarkers = series.style == SeriesStyle::Markers || series.style == SeriesStyle::LineAndMarkers;
    QJsonObject made{{QStringLiteral("name"), series.name}, {QStringLiteral("legend"), series.isInLegend},
        {QStringLiteral("color"), series.color.name()}, {QStringLiteral("dash"), dashOf(series)},
        {QStringLiteral("width"), series.width}, {QStringLiteral("faint"), series.style == SeriesStyle::FaintLine},
        {QStringLiteral("line"), series.style != SeriesStyle::Markers},
        {QStringLiteral("marker"), hasMarkers ? QJsonValue(series.marker) : QJsonValue()},
        {QStringLiteral("whiskers"), series.hasWhiskers}, {QStringLiteral("aside"), series.aside},
        {QStringLiteral("stripe"), series.stripe}, {QStringLiteral("stripes"), series.stripes},
        {QStringLiteral("x"), numbers(series.x, places, PlaceDigits)},
        {QStringLiteral("y"), numbers(series.y, places, ValueDigits)}};
    if (series.low.size() == series.x.size() && series.high.size() == series.x.size()) {
        made.insert(QStringLiteral("low"), numbers(series.low, places, ValueDigits));
        made.insert(QStringLiteral("high"), numbers(series.high, places, ValueDigits));
    }
    return made;
}

QJsonArray marksJson(const std::vector<MarkSpec>& marks)
{
    QJsonArray list;
    for (const MarkSpec& mark : marks) {
        list.append(QJsonObject{{QStringLiteral("x"), mark.x}, {QStringLiteral("text"), mark.text},
            {QStringLiteral("until"), mark.until ? QJsonValue(*mark.until) : QJsonValue()}});
    }
    return list;
}

QString translated(const char* text)
{
    return QCoreApplication::translate("Report", text);
}

QJsonObject words()
{
    return {{QStringLiteral("replay"), translated(QT_TRANSLATE_NOOP("Report", "Replay"))},
        {QStringLiteral("pause"), translated(QT_TRANSLATE_NOOP("Report", "Pause"))},
        {QStringLiteral("all"), translated(QT_TRANSLATE_NOOP("Report", "Show all"))},
        {QStringLiteral("hint"),
            translated(QT_TRANSLATE_NOOP("Report", "Drag a rectangle to zoom. Click a name to hide its curves."))}};
}

} // namespace

std::string liveChart(const ChartSpec& chart, std::size_t mostPoints)
{
    std::vector<const SeriesSpec*> curves;
    for (const SeriesSpec& series : chart.series) {
        if (series.isVisible && !series.x.empty()) {
            curves.push_back(&series);
        }
    }
    if (curves.empty() || !chart.x.categories.empty() || !chart.y.categories.empty()
        || !std::ranges::all_of(curves, [](const SeriesSpec* each) { return isCurve(*each); })) {
        return {};
    }
    QJsonArray series;
    std::size_t drawn = 0;
    std::size_t total = 0;
    for (const SeriesSpec* each : curves) {
        const auto places = drawnPoints(*each, {}, std::max<std::size_t>(2, mostPoints / curves.size()));
        series.append(seriesJson(*each, places));
        drawn += places.size();
        total += std::max(each->total, each->x.size());
    }
    QString note;
    if (drawn < total) {
        note = translated(QT_TRANSLATE_NOOP("Report",
                              "%1 of %2 points are in this page: the lowest and the highest of each stretch."))
                   .arg(countText(static_cast<std::int64_t>(drawn)), countText(static_cast<std::int64_t>(total)));
    }
    const ChartKind* kind = findChart(chart.id);
    const QJsonObject made{{QStringLiteral("x"), axisJson(chart.x)}, {QStringLiteral("y"), axisJson(chart.y)},
        {QStringLiteral("series"), series}, {QStringLiteral("marks"), marksJson(chart.marks)},
        {QStringLiteral("replay"), kind != nullptr && kind->isOverTime}, {QStringLiteral("note"), note},
        {QStringLiteral("words"), words()}};
    return QJsonDocument(made).toJson(QJsonDocument::Compact).toStdString();
}

} // namespace lockstep::ui
