#include "ui/pages/runs/runs_export.h"

#include "analysis/table/run_table.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QSaveFile>

namespace lockstep::ui {

namespace {

analysis::TableLayout layoutOf(RunsFileFormat format)
{
    analysis::TableLayout layout;
    if (format == RunsFileFormat::Csv) {
        layout.form = analysis::TableForm::Raw;
        return layout;
    }
    // Values have their units beside them.
    layout.header = [](const analysis::Column& column) { return columnLabel(column).toStdString(); };
    layout.translate = [](const char* text) { return QCoreApplication::translate("RunTable", text).toStdString(); };
    return layout;
}

std::string textOf(const analysis::TextTable& table, RunsFileFormat format)
{
    return format == RunsFileFormat::Csv ? analysis::toCsv(table) : analysis::toLatex(table);
}

} // namespace

std::string exportedRuns(const RunsTableModel& table, const std::vector<const analysis::RunRecord*>& runs,
    const std::vector<const analysis::Column*>& columns, RunsFileFormat format)
{
    analysis::TableLayout layout = layoutOf(format);
    layout.columns = columns;
    return textOf(analysis::tableOfRuns(runs, table.record(table.baseline()), layout), format);
}

std::string exportedGroups(const RunGroupsModel& groups, RunsFileFormat format)
{
    analysis::TableLayout layout = layoutOf(format);
    layout.by = groups.by();
    layout.columns = groups.figures();
    return textOf(analysis::tableOfGroups(groups.groups(), groups.baselineGroup(), layout), format);
}

void saveRunsFile(const std::string& text, RunsFileFormat format, QWidget* window,
    const std::function<void(bool, const QString&)>& report)
{
    const auto translated = [](const char* source) { return QCoreApplication::translate("RunTable", source); };
    const QString suffix = format == RunsFileFormat::Csv ? QStringLiteral("csv") : QStringLiteral("tex");
    auto* dialog = new QFileDialog(window, translated(QT_TRANSLATE_NOOP("RunTable", "Export the table")), QString(),
        QStringLiteral("*.") + suffix);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(QStringLiteral("runs.") + suffix);
    QObject::connect(dialog, &QFileDialog::fileSelected, window, [text, report, translated](const QString& path) {
        QSaveFile file(path);
        const auto size = static_cast<qint64>(text.size());
        const bool isWritten
            = file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit();
        report(isWritten,
            isWritten ? translated(QT_TRANSLATE_NOOP("RunTable", "The table is in %1.")).arg(path)
                      : translated(QT_TRANSLATE_NOOP("RunTable", "%1 could not be written: %2"))
                            .arg(path, file.errorString()));
    });
    dialog->show();
}

} // namespace lockstep::ui
