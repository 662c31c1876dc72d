#include "ui/pages/runs_page.h"

#include "ui/models/runs_table_model.h"
#include "ui/pages/message_strip.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace lockstep::ui {

RunsPage::RunsPage(RunsTableModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_proxy(new QSortFilterProxyModel(this))
    , m_heading(new QLabel(this))
    , m_filter(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_strip(new MessageStrip(this))
    , m_delete(new QAction(this))
    , m_rename(new QAction(this))
    , m_resume(new QAction(this))
{
    m_proxy->setSourceModel(&m_model);
    m_proxy->setSortRole(RunsTableModel::SortRole);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    styleHeading(*m_heading);
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(220);
    styleTable();

    auto* header = new QHBoxLayout;
    header->setContentsMargins(14, 6, 8, 4);
    header->setSpacing(10);
    header->addWidget(m_heading);
    header->addWidget(m_filter, 1);
    header->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(m_strip);
    layout->addWidget(m_table, 1);

    m_delete->setShortcut(QKeySequence::Delete);
    m_delete->setShortcutContext(Qt::WidgetShortcut);
    m_rename->setShortcut(Qt::Key_F2);
    m_rename->setShortcutContext(Qt::WidgetShortcut);
    m_resume->setShortcut(Qt::Key_F8);
    m_resume->setShortcutContext(Qt::WidgetShortcut);
    m_table->addActions({m_resume, m_rename, m_delete});
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_resume, &QAction::triggered, this, &RunsPage::resumeCurrent);
    connect(m_delete, &QAction::triggered, this, &RunsPage::deleteSelected);
    connect(m_rename, &QAction::triggered, this, [this] {
        const QModelIndex current = m_table->currentIndex();
        if (current.isValid()) {
            m_table->edit(current.siblingAtColumn(RunsTableModel::Name));
        }
    });
    connect(m_filter, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_strip, &MessageStrip::dismissed, this, [this] { m_deleted.clear(); });
    retranslate();
    styleHeader();
}

void RunsPage::styleTable()
{
    m_table->setModel(m_proxy);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunsTableModel::Started, Qt::DescendingOrder);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setWordWrap(false);
    m_table->setFont(tabularFont(font()));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(RunsTableModel::Name, QHeaderView::Interactive);
    m_table->horizontalHeader()->resizeSection(RunsTableModel::Name, 14 * fontMetrics().horizontalAdvance(u'0'));
    m_table->horizontalHeader()->setMinimumSectionSize(40);
}

void RunsPage::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void RunsPage::deleteSelected()
{
    std::vector<RunId> chosen;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        chosen.push_back(m_model.idAt(m_proxy->mapToSource(index).row()));
    }
    for (const RunId& id : chosen) {
        const analysis::RunRecord* record = m_model.record(id);
        if (record != nullptr && analysis::isFinal(record->status)) {
            Q_EMIT deleteRequested(id);
        }
    }
}

void RunsPage::resumeCurrent()
{
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid()) {
        Q_EMIT resumeRequested(m_model.idAt(m_proxy->mapToSource(current).row()));
    }
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
    return m_table->horizontalHeader()->saveState();
}

void RunsPage::restoreHeaderState(const QByteArray& state)
{
    if (!state.isEmpty()) {
        m_table->horizontalHeader()->restoreState(state);
    }
}

/// A quiet header. Style sheets keep the colours that they were read with, so a new palette needs a new one.
void RunsPage::styleHeader()
{
    const QString sheet = QStringLiteral("QHeaderView::section { background: %1; border: none; padding: 3px 6px; }")
                              .arg(palette().color(QPalette::Window).name());
    if (m_table->horizontalHeader()->styleSheet() != sheet) {
        m_table->horizontalHeader()->setStyleSheet(sheet);
    }
}

void RunsPage::retranslate()
{
    m_heading->setText(tr("RUNS"));
    m_filter->setPlaceholderText(tr("Filter"));
    describe(*m_filter, tr("Filter runs"), tr("Shows only runs that contain this text."));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setAccessibleDescription(
        tr("All stored runs. Space shows the selected run in the charts, F2 renames it, F8 resumes it, Delete "
           "removes it."));
    m_resume->setText(tr("Resume from its last checkpoint"));
    m_delete->setText(tr("Delete"));
    m_rename->setText(tr("Rename"));
    m_model.retranslate();
}

void RunsPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange) {
        styleHeader();
    }
}

} // namespace lockstep::ui
