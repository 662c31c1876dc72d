// `--summary` and `--against` of `lockstep export`: what charts against parameters show.
#pragma once

#include "base/result.h"
#include "ui/models/charts/chart_model.h"

#include <QCommandLineOption>
#include <QList>
#include <QStringList>

class QCommandLineParser;

namespace lockstep::ui {

struct ParameterOptions {
    QStringList figures; ///< names of analysis::studyFigures(); empty: all that the runs have
    QString first; ///< names of parameters; empty: chosen
    QString second;
};

[[nodiscard]] QList<QCommandLineOption> parameterOptions();
/// Refuses unknown names, and either option without a chart against parameters.
[[nodiscard]] Result<ParameterOptions> readParameterOptions(
    const QCommandLineParser& parser, const std::vector<const ChartKind*>& charts);
/// Sets the model's parameters; refuses those in which its runs do not differ.
[[nodiscard]] Result<void> applyParameterOptions(ChartModel& model, const ParameterOptions& options);
/// The model's choices that the options ask for; refuses a figure that none of its runs has.
[[nodiscard]] Result<std::vector<ChartChoice>> wantedChoices(const ChartModel& model, const ParameterOptions& options);

} // namespace lockstep::ui
