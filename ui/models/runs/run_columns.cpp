#include "ui/models/runs/run_columns.h"

#include "analysis/study/changed_settings.h"
#include "ui/models/feeds/interference_text.h"
#include "ui/models/form/form_model.h"
#include "ui/models/number_text.h"
#include "ui/models/runs/runs_table_model.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using analysis::Attribute;
using analysis::Cell;
using analysis::CellKind;
using analysis::Column;
using analysis::RunRecord;
using analysis::RunStatus;

namespace {

QString translatedIn(const char* context, std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate(context, std::string(text).c_str());
}

/// `%1 [%2, %3]` where there is an interval.
QString withEnds(const QString& mean, const analysis::EstimateTexts& texts)
{
    return texts.low.empty() ? mean
                             : QStringLiteral("%1 [%2, %3]")
                                   .arg(mean, QString::fromStdString(texts.low), QString::fromStdString(texts.high));
}

QString yesOrNo(bool isYes)
{
    return isYes ? QCoreApplication::translate("RunColumns", "yes") : QCoreApplication::translate("RunColumns", "no");
}

QString startedText(const RunRecord& run)
{
    if (!analysis::hasStarted(run)) {
        return QStringLiteral("–");
    }
    const auto when = QDateTime::fromMSecsSinceEpoch(run.createdNs / 1000000);
    const bool isToday = when.date() == QDate::currentDate();
    return QLocale().toString(when, isToday ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm"));
}

} // namespace

QString statusText(RunStatus status)
{
    switch (status) {
    case RunStatus::Queued:
        return RunsTableModel::tr("queued");
    case RunStatus::Starting:
        return RunsTableModel::tr("starting");
    case RunStatus::Running:
        return RunsTableModel::tr("running");
    case RunStatus::Paused:
        return RunsTableModel::tr("paused");
    case RunStatus::Stopping:
        return RunsTableModel::tr("stopping");
    case RunStatus::Finished:
        return RunsTableModel::tr("finished");
    case RunStatus::Failed:
        return RunsTableModel::tr("failed");
    case RunStatus::Stopped:
        return RunsTableModel::tr("stopped");
    case RunStatus::Interrupted:
        return RunsTableModel::tr("interrupted");
    }
    return {};
}

analysis::RunRecord withoutCurves(const analysis::RunRecord& run)
{
    analysis::RunRecord light;
    light.id = run.id;
    light.spec = run.spec;
    light.status = run.status;
    light.message = run.message;
    light.messageData = run.messageData;
    light.createdNs = run.createdNs;
    light.label = run.label;
    light.marks = run.marks;
    light.importedFrom = run.importedFrom;
    light.summary = run.summary;
    return light;
}

QString columnLabel(const Column& column)
{
    return column.parameter != nullptr ? translatedLabel(*column.parameter)
                                       : translatedIn(column.context(), column.label);
}

QString columnTitle(const Column& column)
{
    const QString label = columnLabel(column);
    if (column.unit.empty() || column.kind == CellKind::Bytes) {
        return label; // bytes have their unit beside each value
    }
    return QStringLiteral("%1 (%2)").arg(label, translatedIn(column.context(), column.unit));
}

QString columnHelp(const Column& column)
{
    return translatedIn(column.context(), column.help);
}

QString settingText(const experiment::Parameter& parameter, const std::string& value)
{
    if (parameter.type == experiment::Type::Boolean) {
        return yesOrNo(value == "true");
    }
    return translatedValue(parameter, shownName(value));
}

QString columnText(const Column& column, const Cell& cell)
{
    if (std::holds_alternative<std::monostate>(cell)) {
        return QStringLiteral("–");
    }
    if (const auto* text = std::get_if<std::string>(&cell)) {
        return column.parameter != nullptr              ? settingText(*column.parameter, *text)
            : column.attribute == Attribute::Experiment ? experimentTitle(*text)
            : column.attribute == Attribute::Pinned     ? yesOrNo(*text == "yes")
            : column.attribute == Attribute::Status
            ? statusText(analysis::statusFromName(*text).value_or(RunStatus::Failed))
            : shownName(*text);
    }
    const double number = std::get<double>(cell);
    if (column.parameter != nullptr) {
        return QString::fromStdString(experiment::toText(number)); // as it was set
    }
    return column.isFigure() ? groupedText(column, {number, analysis::NotMeasured, analysis::NotMeasured, 1})
        : column.kind == CellKind::Count ? countText(std::llround(number))
                                         : numberText(number);
}

QString columnText(const Column& column, const RunRecord& run)
{
    switch (column.attribute) {
    case Attribute::Status:
        return markedName(statusText(run.status), run);
    case Attribute::Started:
        return startedText(run);
    case Attribute::Name:
        return runName(run);
    case Attribute::Variant:
        return variantTitle(run.spec);
    case Attribute::Experiment:
        return experimentTitle(run.spec);
    case Attribute::Changed:
        return changedSettingsText(run);
    case Attribute::ByHand:
        return interferenceText(run.summary.interference);
    case Attribute::Tags:
    case Attribute::Note:
    case Attribute::Message:
        return shownText(analysis::rawText(cellOf(column, run)));
    default:
        return columnText(column, cellOf(column, run));
    }
}

QVariant columnSortValue(const Column& column, const RunRecord& run)
{
    if (column.attribute == Attribute::Started) {
        return QVariant::fromValue<qlonglong>(run.createdNs);
    }
    const Cell cell = cellOf(column, run);
    if (const auto* number = std::get_if<double>(&cell)) {
        return *number;
    }
    return std::holds_alternative<std::monostate>(cell) ? QVariant() : QVariant(columnText(column, run).toLower());
}

QString groupedText(const Column& column, const analysis::MeanEstimate& estimate)
{
    const analysis::EstimateTexts texts = analysis::estimateTexts(*column.figure, estimate);
    return withEnds(QString::fromStdString(texts.mean), texts);
}

QString differenceShown(const analysis::FigureDifference& difference)
{
    if (std::isnan(difference.difference)) {
        return {};
    }
    const analysis::EstimateTexts texts = analysis::differenceTexts(difference);
    const QString value = QString::fromStdString(texts.mean);
    return withEnds(difference.isInPoints ? QCoreApplication::translate("RunColumns", "%1 points").arg(value)
                                          : QStringLiteral("%1 %").arg(value),
        texts);
}

QString changedSettingsText(const RunRecord& run)
{
    QStringList parts;
    for (const analysis::SettingDifference& change : analysis::changedSettings(run)) {
        parts += QStringLiteral("%1 %2").arg(
            translatedLabel(*change.parameter), settingText(*change.parameter, change.values.back()));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace lockstep::ui
