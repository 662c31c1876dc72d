#include "ui/pages/run_differences.h"

#include "analysis/table/changed_settings.h"
#include "ui/models/form_model.h"
#include "ui/models/run_columns.h"
#include "ui/theme/theme.h"

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
    header->setToolTip(help);
    table.setVerticalHeaderItem(row, header);
    for (int i = 0; i < values.size(); ++i) {
        auto* item = new QTableWidgetItem(values[i].isEmpty() ? QStringLiteral("–") : values[i]);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        item->setToolTip(item->text());
        table.setItem(row, i, item);
    }
}

/// The settings first, then the figures in which the runs differ.
void fill(QTableWidget& table, const std::vector<const analysis::RunRecord*>& runs)
{
    for (const analysis::SettingDifference& difference : analysis::settingDifferences(runs)) {
        QStringList values;
        for (const std::string& value : difference.values) {
            values += settingText(*difference.parameter, value);
        }
        addRow(table, translatedLabel(*difference.parameter), values, translatedHelp(*difference.parameter));
    }
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

} // namespace

void showRunDifferences(const std::vector<const analysis::RunRecord*>& runs, QWidget* parent)
{
    auto* window = new QDialog(parent);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setWindowTitle(translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "What differs between the runs")));
    auto* table = new QTableWidget(0, static_cast<int>(runs.size()), window);
    QStringList names;
    for (const analysis::RunRecord* run : runs) {
        names += runName(*run);
    }
    table->setHorizontalHeaderLabels(names);
    table->setFrameShape(QFrame::NoFrame);
    table->setFont(tabularFont(window->font()));
    table->setAccessibleName(window->windowTitle());
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    fill(*table, runs);
    table->resizeColumnsToContents();
    auto* layout = new QVBoxLayout(window);
    if (analysis::settingDifferences(runs).empty()) {
        layout->addWidget(new QLabel(
            translatedHere(QT_TRANSLATE_NOOP("RunDifferences", "The settings are equal, but for the seed.")), window));
    }
    layout->addWidget(table);
    window->resize(std::min(900, 260 + 130 * static_cast<int>(runs.size())), 420);
    window->show();
}

} // namespace lockstep::ui
