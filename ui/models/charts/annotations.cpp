#include "ui/models/charts/annotations.h"

#include "ui/models/shown_text.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

QJsonArray annotationsAsJson(const std::vector<Annotation>& annotations)
{
    QJsonArray array;
    for (const Annotation& each : annotations) {
        array.append(QJsonObject{{QStringLiteral("experiment"), QString::fromStdString(each.experiment)},
            {QStringLiteral("axis"), static_cast<int>(each.axis)}, {QStringLiteral("at"), each.x},
            {QStringLiteral("text"), each.text}});
    }
    return array;
}

std::optional<std::vector<Annotation>> annotationsFromJson(const QJsonValue& value)
{
    if (!value.isArray()) {
        return std::nullopt;
    }
    std::vector<Annotation> annotations;
    for (const QJsonValue& each : value.toArray()) {
        const QJsonValue at = each[QStringLiteral("at")];
        const QJsonValue text = each[QStringLiteral("text")];
        const int axis = each[QStringLiteral("axis")].toInt(-1);
        if (!at.isDouble() || !text.isString() || axis < 0 || axis > static_cast<int>(XAxis::Seconds)) {
            return std::nullopt;
        }
        annotations.push_back({each[QStringLiteral("experiment")].toString().toStdString(), static_cast<XAxis>(axis),
            at.toDouble(), text.toString()});
    }
    return annotations;
}

void storeAnnotations(const std::vector<Annotation>& annotations, const QString& key)
{
    QSettings().setValue(key, QJsonDocument(annotationsAsJson(annotations)).toJson(QJsonDocument::Compact));
}

std::vector<Annotation> storedAnnotations(const QString& key)
{
    const QByteArray kept = QSettings().value(key).toByteArray();
    return annotationsFromJson(QJsonDocument::fromJson(kept).array()).value_or(std::vector<Annotation>());
}

void addAnnotations(ChartSpec& chart, const Feeds& visible, const ChartOptions& options)
{
    for (const Annotation& each : options.annotations) {
        const bool isDrawn = std::ranges::any_of(
            visible, [&each](const RunFeed* feed) { return feed->record().spec.experiment == each.experiment; });
        if (isDrawn && each.axis == options.x) {
            chart.marks.push_back({each.x, shownName(each.text)});
        }
    }
}

} // namespace lockstep::ui
