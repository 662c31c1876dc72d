// The user's own remarks at places of a chart over time. Each belongs to an experiment and to a horizontal axis.
#pragma once

#include "ui/models/charts/chart_kind.h"

#include <QJsonArray>

#include <optional>

namespace lockstep::ui {

[[nodiscard]] QJsonArray annotationsAsJson(const std::vector<Annotation>& annotations);
/// Nothing: it is no such list.
[[nodiscard]] std::optional<std::vector<Annotation>> annotationsFromJson(const QJsonValue& value);

/// Keeps the annotations of a kind of chart, `chart/loss/annotations`, in the settings.
void storeAnnotations(const std::vector<Annotation>& annotations, const QString& key);
[[nodiscard]] std::vector<Annotation> storedAnnotations(const QString& key);

/// Those of the axis and of the experiments whose runs are drawn, as marks.
void addAnnotations(ChartSpec& chart, const Feeds& visible, const ChartOptions& options);

} // namespace lockstep::ui
