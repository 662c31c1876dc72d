// The columns of the table of runs in the window's language.
#pragma once

#include "analysis/table/column.h"
#include "analysis/table/grouping.h"
#include "ui/models/form/titles.h"

#include <QString>
#include <QVariant>

namespace lockstep::ui {

/// In the window's language.
[[nodiscard]] QString statusText(analysis::RunStatus status);

/// What the store's index has of a run: a table keeps no more of it.
[[nodiscard]] analysis::RunRecord withoutCurves(const analysis::RunRecord& run);

/// `Accuracy`, and with its unit `Accuracy (%)`.
[[nodiscard]] QString columnLabel(const analysis::Column& column);
[[nodiscard]] QString columnTitle(const analysis::Column& column);
[[nodiscard]] QString columnHelp(const analysis::Column& column);

/// As the table shows it: `95.1` under a title with the unit, `–` where there is none, nothing where a text is empty.
[[nodiscard]] QString columnText(const analysis::Column& column, const analysis::RunRecord& run);
/// A value of a column that is no run's own: a mean, a group's key.
[[nodiscard]] QString columnText(const analysis::Column& column, const analysis::Cell& cell);
/// A number, or a text in lower case; invalid where there is none.
[[nodiscard]] QVariant columnSortValue(const analysis::Column& column, const analysis::RunRecord& run);
/// `95.2 [94.6, 95.7]`, `0.092 [0.088, 0.096]`: the unit is in the title; `–` where nothing was measured.
[[nodiscard]] QString groupedText(const analysis::Column& column, const analysis::MeanEstimate& estimate);
/// `+3.2 %`, `+1.0 points`, with the ends of the interval where there is one: `+3.2 % [+1.0, +5.5]`; empty where it
/// cannot be told.
[[nodiscard]] QString differenceShown(const analysis::FigureDifference& difference);
/// `Learning rate 0.01, Epochs 20`: what differs from the experiment as it is built in.
[[nodiscard]] QString changedSettingsText(const analysis::RunRecord& run);
/// A parameter's value in the window's words: the label of a choice, yes or no.
[[nodiscard]] QString settingText(const experiment::Parameter& parameter, const std::string& value);

} // namespace lockstep::ui
