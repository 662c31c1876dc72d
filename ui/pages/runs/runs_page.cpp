#include "ui/pages/runs/runs_page.h"

#include "ui/models/shown_text.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/runs/runs_actions.h"
#include "ui/pages/runs/runs_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/column_picker.h"
#include "ui/widgets/plain_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

/// Those that a table may show: figures only, or also what runs say of themselves and their settings.
std::vector<const analysis::Column*> offeredColumns(bool areFigures)
{
    std::vector<const analysis::Column*> offered;
    for (const analysis::Column& column : analysis::columns()) {
        if (!areFigures || column.isFigure()) {
            offered.push_back(&column);
        }
    }
    return offered;
}

/// Those that runs have in common: no figures, and nothing that is each run's own.
std::vector<const analysis::Column*> groupColumns()
{
    using analysis::Attribute;
    std::vector<const analysis::Column*> offered;
    for (const analysis::Column& column : analysis::columns()) {
        const bool isShared = column.parameter != nullptr || column.attribute == Attribute::Experiment
            || column.attribute == Attribute::Variant || column.attribute == Attribute::Ranks
            || column.attribute == Attribute::Tags || column.attribute == Attribute::Status
            || column.attribute == Attribute::Changed;
        if (isShared) {
            offered.push_back(&column);
        }
    }
    return offered;
}

/// Its text has an arrow. Again for another palette: a style sheet keeps the colours that it was read with.
void styleMenuButton(QToolButton& button)
{
    button.setStyleSheet({});
    button.setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
}

} // namespace

RunsPage::RunsPage(RunsTableModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_filter(model)
    , m_groups(model, m_filter)
    , m_actions(new RunsActions(model, *this))
    , m_sortedGroups(new QSortFilterProxyModel(this))
    , m_heading(plainLabel(this))
    , m_search(new QLineEdit(this))
    , m_groupButton(new QToolButton(this))
    , m_columnsButton(new QToolButton(this))
    , m_moreButton(new QToolButton(this))
    , m_stack(new QStackedWidget(this))
    , m_table(new RunsView(model, m_filter, this))
    , m_groupTable(new QTableView(this))
    , m_strip(new MessageStrip(this))
    , m_status(plainLabel(this))
    , m_columnPicker(new ColumnPicker(this))
    , m_groupPicker(new ColumnPicker(this))
    , m_update(new QTimer(this))
{
    makeTables();
    makeHeader();
    connectActions();
    retranslate();
    updateAll();
}

void RunsPage::makeTables()
{
    m_sortedGroups->setSourceModel(&m_groups);
    m_sortedGroups->setSortRole(RunGroupsModel::SortRole);
    m_groupTable->setModel(m_sortedGroups);
    styleRunsTable(*m_groupTable);
    m_groupTable->horizontalHeader()->setSortIndicatorClearable(true);
    m_groupTable->sortByColumn(-1, Qt::AscendingOrder); // as the runs are sorted
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_groupTable);
    m_update->setSingleShot(true);
    m_update->setInterval(0);
    connect(m_update, &QTimer::timeout, this, &RunsPage::updateAll);
    const auto schedule = [this] { m_update->start(); };
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this, schedule);
    connect(&m_filter, &QAbstractItemModel::rowsRemoved, this, schedule);
    connect(&m_filter, &QAbstractItemModel::modelReset, this, schedule);
    connect(&m_filter, &QAbstractItemModel::layoutChanged, this, schedule);
    connect(&m_filter, &QAbstractItemModel::dataChanged, this, schedule);
    connect(&m_filter, &RunsFilter::problemChanged, this, &RunsPage::showStatus);
    // Groups borrow the records that the table is about to change.
    const auto forget = [this] { m_groups.clear(); };
    connect(&m_model, &QAbstractItemModel::modelAboutToBeReset, this, forget);
    connect(&m_model, &QAbstractItemModel::rowsAboutToBeInserted, this, forget);
    connect(&m_model, &QAbstractItemModel::rowsAboutToBeRemoved, this, forget);
    for (QTableView* view : {static_cast<QTableView*>(m_table), m_groupTable}) {
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(view, &QWidget::customContextMenuRequested, this,
            [this, view](const QPoint& at) { openContextMenu(*view, at); });
        connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_actions->setSelection(selectedIds(), selectedRows()); });
    }
}

void RunsPage::makeHeader()
{
    styleHeading(*m_heading);
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(90);
    for (QToolButton* button : {m_groupButton, m_columnsButton, m_moreButton}) {
        button->setAutoRaise(true);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        styleMenuButton(*button);
    }
    auto* menu = new QMenu(m_moreButton);
    m_actions->fillPageMenu(*menu);
    m_moreButton->setMenu(menu);
    auto* header = new QHBoxLayout;
    addAll(*header, {14, 6, 8, 4}, 6, {m_heading, {m_search, 1}, m_groupButton, m_columnsButton, m_moreButton});
    m_status->setContentsMargins(14, 3, 8, 4);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 0, {header, {m_stack, 1}, m_status});
    m_strip->floatOver(*m_stack);
}

void RunsPage::connectActions()
{
    m_table->addActions({m_actions->resume, m_actions->rename, m_actions->remove});
    connect(m_search, &QLineEdit::textChanged, &m_filter, &RunsFilter::setText);
    connect(m_groupButton, &QToolButton::clicked, this, &RunsPage::openGroupMenu);
    connect(m_columnsButton, &QToolButton::clicked, this, &RunsPage::openColumns);
    connect(m_columnPicker, &ColumnPicker::columnToggled, this, &RunsPage::toggleColumn);
    connect(m_groupPicker, &ColumnPicker::columnToggled, this, &RunsPage::toggleGroupColumn);
    connect(m_actions->rename, &QAction::triggered, this, [this] {
        if (m_table->currentIndex().isValid()) {
            m_table->edit(m_table->currentIndex().siblingAtColumn(RunsTableModel::Name));
        }
    });
    const auto save = [this](RunsFileFormat format) {
        saveRunsFile(exportedText(format), format, window(), [this](bool isWritten, const QString& text) {
            m_strip->showMessage(isWritten ? Tone::Success : Tone::Error, text);
            m_strip->hideAfter(15000);
        });
    };
    connect(m_actions->exportCsv, &QAction::triggered, this, [save] { save(RunsFileFormat::Csv); });
    connect(m_actions->exportLatex, &QAction::triggered, this, [save] { save(RunsFileFormat::Latex); });
    connect(m_table, &RunsView::groupByRequested, this, [this](const analysis::Column* column) { groupBy({column}); });
    connect(m_table, &RunsView::columnsRequested, this, &RunsPage::openColumns);
    connect(&m_model, &RunsTableModel::markRequested, this, [this](const RunId&, const analysis::RunMarks& marks) {
        if (!marks.tags.empty()) { // what was just given can be seen
            m_table->showColumn(RunsTableModel::Tags, true);
        }
    });
    connect(m_strip, &MessageStrip::dismissed, this, [this] { m_deleted.clear(); });
}

void RunsPage::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void RunsPage::groupBy(const std::vector<const analysis::Column*>& by)
{
    m_isGrouped = true;
    m_groups.setBy(by);
    m_stack->setCurrentWidget(m_groupTable);
    updateAll();
}

void RunsPage::ungroup()
{
    m_isGrouped = false;
    m_stack->setCurrentWidget(m_table);
    updateAll();
}

void RunsPage::openGroupMenu()
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu](const QString& text, bool isOn, const auto& work) {
        QAction* action = menu->addAction(text, work);
        action->setCheckable(true);
        action->setChecked(isOn);
    };
    const bool isByColumns = m_isGrouped && !m_groups.by().empty();
    add(tr("One row per run"), !m_isGrouped, [this] { ungroup(); });
    add(tr("Repeats of a variant"), m_isGrouped && !isByColumns, [this] { groupBy({}); });
    const std::array<std::string_view, 6> Offered{"experiment", nameOf(&experiment::OptimizerSettings::name),
        nameOf(&experiment::NetSettings::name), nameOf(&experiment::DatasetSettings::name),
        nameOf(&experiment::TrainSettings::batch), "ranks"};
    for (const std::string_view name : Offered) {
        const analysis::Column* column = analysis::findColumn(name);
        add(columnLabel(*column), isByColumns && m_groups.by() == std::vector{column},
            [this, column] { groupBy({column}); });
    }
    menu->addSeparator();
    menu->addAction(tr("Other settings…"), this, [this, isByColumns] {
        m_groupPicker->open(
            *m_groupButton, groupColumns(), isByColumns ? m_groups.by() : std::vector<const analysis::Column*>());
    });
    menu->popup(m_groupButton->mapToGlobal(QPoint(0, m_groupButton->height())));
}

void RunsPage::openColumns()
{
    std::vector<const analysis::Column*> chosen = m_groups.figures();
    if (!m_isGrouped) {
        chosen.clear();
        for (const int column : m_table->shownColumns()) {
            if (const analysis::Column* of = m_model.columnAt(column)) {
                chosen.push_back(of);
            }
        }
    }
    m_columnPicker->open(*m_columnsButton, offeredColumns(m_isGrouped), chosen);
}

void RunsPage::toggleColumn(const analysis::Column* column, bool isOn)
{
    if (!m_isGrouped) {
        m_table->showColumn(m_model.ensureColumn(*column), isOn);
        return;
    }
    std::vector<const analysis::Column*> figures = m_groups.figures();
    std::erase(figures, column);
    if (isOn) {
        figures.push_back(column);
    }
    m_groups.setFigures(std::move(figures));
}

void RunsPage::toggleGroupColumn(const analysis::Column* column, bool isOn)
{
    std::vector<const analysis::Column*> by = m_groups.by();
    std::erase(by, column);
    if (isOn) {
        by.push_back(column);
    }
    groupBy(by);
}

void RunsPage::openContextMenu(QTableView& view, const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_actions->fillContextMenu(*menu);
    menu->popup(view.viewport()->mapToGlobal(at));
}

std::vector<RunId> RunsPage::selectedIds() const
{
    if (!m_isGrouped) {
        return m_table->selectedIds();
    }
    std::vector<RunId> ids;
    for (const QModelIndex& index : m_groupTable->selectionModel()->selectedRows()) {
        const auto row = static_cast<std::size_t>(m_sortedGroups->mapToSource(index).row());
        for (const analysis::RunRecord* run : m_groups.groups().at(row).runs) {
            ids.push_back(run->id);
        }
    }
    return ids;
}

int RunsPage::selectedRows() const
{
    const QTableView* view = m_isGrouped ? m_groupTable : static_cast<const QTableView*>(m_table);
    return static_cast<int>(view->selectionModel()->selectedRows().size());
}

void RunsPage::offerUndo(const RunId& id, const QString& name)
{
    m_deleted.push_back(id);
    const auto count = static_cast<int>(m_deleted.size());
    m_strip->showMessage(Tone::Information,
        count == 1 ? tr("The run “%1” has been deleted.").arg(name) : tr("%n runs have been deleted.", nullptr, count),
        {}, {tr("Undo")}, [this](int) {
            for (const RunId& deleted : std::exchange(m_deleted, {})) {
                Q_EMIT restoreRequested(deleted);
            }
        });
    m_strip->hideAfter(15000);
}

QByteArray RunsPage::headerState() const
{
    return m_table->layoutState();
}

void RunsPage::restoreHeaderState(const QByteArray& state)
{
    m_table->restoreLayout(state);
}

std::string RunsPage::exportedText(RunsFileFormat format) const
{
    if (m_isGrouped) {
        return exportedGroups(m_groups, format);
    }
    const std::vector<RunId> selected = m_table->selectedIds();
    std::vector<const analysis::RunRecord*> runs = m_filter.runs();
    if (selected.size() > 1) {
        std::erase_if(runs, [&selected](const analysis::RunRecord* run) {
            return std::ranges::find(selected, run->id) == selected.end();
        });
    }
    std::vector<const analysis::Column*> columns;
    for (const int column : m_table->shownColumns()) {
        if (const analysis::Column* of = m_model.columnAt(column)) {
            columns.push_back(of);
        }
    }
    return exportedRuns(m_model, runs, columns, format);
}

void RunsPage::updateAll()
{
    if (m_isGrouped) {
        m_groups.update();
    }
    m_actions->setSelection(selectedIds(), selectedRows());
    m_groupButton->setText(m_isGrouped ? tr("Grouped ▾") : tr("Group ▾"));
    showStatus();
}

/// One line that is always there: what is listed, or why the filter cannot be read.
void RunsPage::showStatus()
{
    const bool isWrong = !m_filter.problem().isEmpty();
    QString text = m_filter.problem();
    if (!isWrong) {
        text = m_filter.rowCount() == m_model.rowCount()
            ? tr("%n runs", nullptr, m_model.rowCount())
            : tr("%1 of %n runs", nullptr, m_model.rowCount()).arg(m_filter.rowCount());
        const bool isAny = !m_model.shown().ids().empty();
        text += isAny ? tr("; in the charts: %1").arg(shownCount(m_model)) : tr(", none in the charts");
        if (const auto kept = static_cast<int>(m_model.shown().kept().size()); isAny && kept > 0) {
            text += tr("; %n of them kept", nullptr, kept);
        }
        if (const analysis::RunRecord* baseline = m_model.record(m_model.baseline())) {
            text += tr(", differences from %1").arg(runName(*baseline));
        }
    }
    m_status->setText(text);
    m_status->setToolTip(tipText(isWrong ? text : QString()));
    QPalette colors = palette();
    colors.setColor(
        QPalette::WindowText, isWrong ? toneColor(Tone::Error, palette()) : palette().color(QPalette::PlaceholderText));
    m_status->setPalette(colors);
}

void RunsPage::retranslate()
{
    m_heading->setText(tr("RUNS"));
    setAccessibleName(tr("Table of runs"));
    m_search->setPlaceholderText(tr("Filter: a word, or accuracy > 0.94 and net = cnn"));
    describe(*m_search, tr("Filter runs"),
        tr("Words, or comparisons with = != < <= > >= and ~ (contains), joined by and, or, not and parentheses. "
           "Columns "
           "are figures such as loss and accuracy and parameters such as net or lr."));
    m_columnsButton->setText(tr("Columns ▾"));
    m_moreButton->setText(tr("More ▾"));
    describe(*m_groupButton, tr("Group"), tr("One row per group of runs, with mean and 95 % confidence interval."));
    describe(*m_columnsButton, tr("Columns"), tr("Which figures and settings are shown."));
    describe(*m_moreButton, tr("More"), tr("Charts, baseline, export, tags and deleting."));
    m_table->setAccessibleName(tr("Table of runs"));
    m_table->setAccessibleDescription(
        tr("All stored runs. Space shows the selected run in the charts, F2 renames it, F8 resumes it, Delete "
           "removes it."));
    m_groupTable->setAccessibleName(tr("Groups of runs"));
    m_groupTable->setAccessibleDescription(tr("One row per group of runs, with mean and 95 % confidence interval."));
    m_actions->retranslate();
    m_model.retranslate();
    updateAll();
}

void RunsPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange) {
        styleRunsHeader(*m_groupTable);
        for (QToolButton* button : {m_groupButton, m_columnsButton, m_moreButton}) {
            styleMenuButton(*button);
        }
        showStatus();
    }
}

} // namespace lockstep::ui
