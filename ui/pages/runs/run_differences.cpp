#include "ui/pages/runs/run_differences.h"

#include "analysis/study/changed_settings.h"
#include "ui/models/form/form_model.h"
#include "ui/models/runs/run_columns.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QCoreApplication>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

QString translatedHere(const char* text)
{
    return QCoreApplication::translate("RunDifferences", text);
}

void addRow(QTableWidget& table, const QString& title, const QStringList& values, const QString& help)
{
    const int row = table.rowCount();
    table.insertRow(row);
    auto* header = new QTableWidgetItem(title);
    header->setToolTip(tipText(help));
    table.setVerticalHeaderItem(row, header);
    for (int i = 0; i < values.size(); ++i) {
        auto* item = new QTableWidgetItem(values[i].isEmpty() ? QStringLiteral("–") : values[i]);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setToolTip(tipText(item->text()));
        table.setItem(row, i, item);
    }
}

void addSettings(QTableWidget& table, const std::vector<analysis::SettingDifference>& differences)
{
    for (const analysis::SettingDifference& difference : differences) {
        QStringList values;
        for (const std::string& value : difference.values) {
            values += settingText(*difference.parameter, value);
        }
        addRow(table, translatedLabel(*difference.parameter), values, translatedHelp(*difference.parameter));
    }
}

/// The figures in which the runs differ.
void addFigures(QTableWidget& table, const std::vector<const analysis::RunRecord*>& runs)
{
    for (const analysis::Column& column : analysis::columns()) {
        if (!column.isFigure()) {
            continue;
        }
        QStringList values;
        for (const analysis::RunRecord* run : runs) {
            values += columnText(column, *run);
        }
        if (std::ranges::adjacent_find(values, std::ranges::not_equal_to()) != values.end()) {
            addRow(table, columnTitle(column), values, columnHelp(column));
        }
    }
}

QTableWidget* tableWith(const QStringList& headers, QDialog& window)
{
    auto* table = new QTableWidget(0, static_cast<int>(headers.size()), &window);
    table->setHorizontalHeaderLabels(headers);
    table->setFrameShape(QFrame::NoFrame);
    table->setFont(tabularFont(window.font()));
    table->setAccessibleName(window.windowTitle());
    table->setAccessibleDescription(
        translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "The settings that differ, then the figures.")));
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return table;
}

QDialog* newWindow(const QString& title, QWidget* parent)
{
    auto* window = new QDialog(parent);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(title);
    return window;
}

void show(QDialog& window, QTableWidget& table, const std::vector<QLabel*>& above)
{
    table.resizeColumnsToContents();
    auto* layout = new QVBoxLayout(&window);
    for (QLabel* label : above) {
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    layout->addWidget(&table);
    const bool isAny = table.rowCount() > 0;
    table.setVisible(isAny);
    window.resize(std::min(900, 260 + 130 * table.columnCount()), isAny ? 420 : window.sizeHint().height());
    window.show();
}

} // namespace

void showRunDifferences(const std::vector<const analysis::RunRecord*>& runs, QWidget* parent)
{
    QDialog* window
        = newWindow(translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "What differs between the runs")), parent);
    QStringList names;
    for (const analysis::RunRecord* run : runs) {
        names += runName(*run);
    }
    QTableWidget* table = tableWith(names, *window);
    const auto differences = analysis::settingDifferences(runs);
    addSettings(*table, differences);
    addFigures(*table, runs);
    std::vector<QLabel*> above;
    if (differences.empty()) {
        above.push_back(plainLabel(
            translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "The settings are equal except for the seed.")),
            window));
    }
    show(*window, *table, above);
}

QLabel* showRunDetails(const analysis::RunRecord& run, QWidget* parent)
{
    QDialog* window = newWindow(titleText(runName(run)), parent);
    window->setObjectName(QStringLiteral("run_details"));
    QTableWidget* table = tableWith({translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "Built-in")),
                                        translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "This run"))},
        *window);
    const auto changes = analysis::changedSettings(run);
    addSettings(*table, changes);
    auto* what = plainLabel(changes.empty()
            ? translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "No setting differs from the built-in experiment."))
            : translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "Settings that differ from the built-in experiment:")),
        window);
    auto* environment
        = plainLabel(translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "Reading what it ran on…")), window);
    environment->setObjectName(QStringLiteral("environment"));
    environment->setTextInteractionFlags(Qt::TextSelectableByMouse);
    show(*window, *table, {environment, what});
    return environment;
}

QString environmentText(const QString& environment)
{
    return environment.isEmpty()
        ? translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "The run did not record what it ran on."))
        : translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "Ran on: %1")).arg(environment);
}

} // namespace lockstep::ui
