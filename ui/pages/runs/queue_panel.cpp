#include "ui/pages/runs/queue_panel.h"

#include "language/wording.h"
#include "ui/models/form/titles.h"
#include "ui/models/number_text.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_label.h"

#include <QAction>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace lockstep::ui {

using launch::EntryState;
using launch::QueueEntry;

/// Reports where a row was dropped; its owner then changes the queue, which comes back as a new list.
class QueueTree final : public QTreeWidget {
    Q_OBJECT

public:
    using QTreeWidget::QTreeWidget;

Q_SIGNALS:
    /// Before this row, counted with the dragged one still in its place.
    void droppedBefore(int row);

protected:
    void dropEvent(QDropEvent* event) override
    {
        const QPoint place = event->position().toPoint();
        const QModelIndex under = indexAt(place);
        const bool isBelow = under.isValid() && place.y() > visualRect(under).center().y();
        const int row = under.isValid() ? under.row() + (isBelow ? 1 : 0) : topLevelItemCount();
        event->setDropAction(Qt::IgnoreAction);
        event->accept();
        Q_EMIT droppedBefore(row);
    }
};

namespace {

enum QueueColumn { NameColumn, StateColumn, RunsColumn, TimeColumn, QueueColumns };
constexpr int IdRole = Qt::UserRole;

/// `SGD, Adam`
QString variantsText(const QueueEntry& entry)
{
    QStringList names;
    std::set<std::string> seen;
    for (const launch::QueuedRun& run : entry.runs) {
        if (seen.insert(run.spec.name).second) {
            names << variantTitle(run.spec);
        }
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

QueuePanel::QueuePanel(QWidget* parent)
    : Translated(parent)
    , m_heading(plainLabel(this))
    , m_summary(new ElidedLabel(this))
    , m_entryButton(new QToolButton(this))
    , m_queueButton(new QToolButton(this))
    , m_tree(new QueueTree(this))
    , m_menu(new QMenu(this))
    , m_next(addAction(Qt::CTRL | Qt::Key_Home))
    , m_up(addAction(Qt::ALT | Qt::Key_Up))
    , m_down(addAction(Qt::ALT | Qt::Key_Down))
    , m_pause(addAction(Qt::Key_Space))
    , m_remove(addAction(Qt::Key_Delete))
    , m_clear(addAction({}))
{
    m_tree->setObjectName(QStringLiteral("queue"));
    m_queueButton->setObjectName(QStringLiteral("queue:pause"));
    styleHeading(*m_heading);
    m_entryButton->setPopupMode(QToolButton::InstantPopup);
    m_entryButton->setMenu(m_menu);
    m_tree->setColumnCount(QueueColumns);
    m_tree->setRootIsDecorated(false);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setFont(tabularFont(font()));
    m_tree->setDragDropMode(QAbstractItemView::InternalMove);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    auto* bar = new QHBoxLayout;
    addAll(*bar, {14, 6, 8, 4}, 8, {m_heading, {m_summary, 1}, m_entryButton, m_queueButton});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 0, {bar, {m_tree, 1}});
    connectActions();
    retranslate();
}

QAction* QueuePanel::addAction(const QKeySequence& keys)
{
    auto* action = new QAction(this);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_tree->addAction(action);
    m_menu->addAction(action);
    return action;
}

void QueuePanel::connectActions()
{
    const auto ofChosen = [this](const auto& what) {
        return [this, what] {
            if (const QueueEntry* entry = chosen()) {
                Q_EMIT requested(what(*entry), entry->id, 0);
            }
        };
    };
    connect(m_next, &QAction::triggered, this, ofChosen([](const QueueEntry&) { return QStringLiteral("move"); }));
    connect(m_up, &QAction::triggered, this, [this] { moveBy(-1); });
    connect(m_down, &QAction::triggered, this, [this] { moveBy(1); });
    connect(m_pause, &QAction::triggered, this, ofChosen([](const QueueEntry& entry) {
        const bool resumes = entry.isPaused || entry.state == EntryState::Interrupted;
        return resumes ? QStringLiteral("resume") : QStringLiteral("pause");
    }));
    connect(m_remove, &QAction::triggered, this, ofChosen([](const QueueEntry& entry) {
        return entry.isActive() ? QStringLiteral("stop") : QStringLiteral("remove");
    }));
    connect(m_clear, &QAction::triggered, this, [this] { Q_EMIT requested(QStringLiteral("clear"), 0, 0); });
    connect(m_queueButton, &QToolButton::clicked, this,
        [this] { Q_EMIT requested(m_queue.isPaused ? QStringLiteral("resume") : QStringLiteral("pause"), 0, 0); });
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, &QueuePanel::showActions);
    connect(m_tree, &QueueTree::droppedBefore, this, [this](int row) {
        const QueueEntry* entry = chosen();
        if (entry == nullptr || entry->isActive()) {
            return;
        }
        const int first = m_queue.active() == nullptr ? 0 : 1;
        const int to = std::max(0, row - first);
        const int from = placeOf(*entry);
        Q_EMIT requested(QStringLiteral("move"), entry->id, to > from ? to - 1 : to);
    });
}

void QueuePanel::setQueue(
    const launch::QueueState& queue, const std::vector<double>& seconds, double all, qint64 otherOwner)
{
    m_queue = queue;
    m_seconds = seconds;
    m_all = all;
    m_otherOwner = otherOwner;
    fill();
}

/// Rows keep their items, so that the chosen one stays chosen.
void QueuePanel::fill()
{
    const QueueEntry* before = chosen();
    const qint64 chosenId = before != nullptr
        ? before->id
        : (m_tree->currentItem() ? m_tree->currentItem()->data(0, IdRole).toLongLong() : 0);
    const QSignalBlocker blocked(m_tree);
    const auto count = static_cast<int>(m_queue.entries.size());
    while (m_tree->topLevelItemCount() > count) {
        delete m_tree->takeTopLevelItem(m_tree->topLevelItemCount() - 1);
    }
    while (m_tree->topLevelItemCount() < count) {
        m_tree->addTopLevelItem(new QTreeWidgetItem);
    }
    for (int i = 0; i < count; ++i) {
        const QueueEntry& entry = m_queue.entries[static_cast<std::size_t>(i)];
        QTreeWidgetItem& row = *m_tree->topLevelItem(i);
        fillRow(row, entry, m_seconds[static_cast<std::size_t>(i)]);
        if (entry.id == chosenId) {
            m_tree->setCurrentItem(&row);
        }
    }
    m_summary->setWholeText(summaryText());
    showActions();
}

void QueuePanel::fillRow(QTreeWidgetItem& row, const QueueEntry& entry, double seconds) const
{
    const QString name = entry.runs.empty() ? experimentTitle(entry.name) : experimentTitle(entry.runs.front().spec);
    const QString variants = variantsText(entry);
    row.setData(0, IdRole, qint64{entry.id});
    row.setText(NameColumn, variants.isEmpty() ? name : tr("%1: %2").arg(name, variants));
    row.setText(StateColumn, stateText(entry));
    row.setText(RunsColumn, QString::number(entry.runs.size()));
    row.setText(TimeColumn, durationText(seconds));
    const QString problem = QString::fromStdString(language::worded(entry.problem));
    for (int column = 0; column < QueueColumns; ++column) {
        row.setToolTip(column, tipText(problem.isEmpty() ? row.text(NameColumn) : problem));
    }
    row.setTextAlignment(RunsColumn, Qt::AlignRight | Qt::AlignVCenter);
    row.setTextAlignment(TimeColumn, Qt::AlignRight | Qt::AlignVCenter);
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    flags.setFlag(Qt::ItemIsDragEnabled, !entry.isActive());
    row.setFlags(flags);
}

QString QueuePanel::stateText(const QueueEntry& entry) const
{
    switch (entry.state) {
    case EntryState::Waiting:
        return !entry.problem.empty() ? tr("cannot start") : entry.isPaused ? tr("paused") : tr("waiting");
    case EntryState::Running:
        return entry.isPaused ? tr("paused") : tr("running");
    case EntryState::Stopping:
        return tr("stopping");
    case EntryState::Interrupted:
        return tr("interrupted");
    case EntryState::Damaged:
        break;
    }
    return tr("damaged");
}

QString QueuePanel::summaryText() const
{
    if (m_queue.entries.empty()) {
        return tr("Empty: Add to queue adds an experiment while one runs.");
    }
    QString text = tr("about %1 in all").arg(durationText(m_all));
    if (m_queue.isPaused) {
        text = tr("%1 · paused").arg(text);
    }
    return m_otherOwner == 0 ? text : tr("%1 · run by process %2").arg(text).arg(m_otherOwner);
}

const QueueEntry* QueuePanel::chosen() const
{
    const QTreeWidgetItem* row = m_tree->currentItem();
    return row == nullptr ? nullptr : m_queue.find(row->data(0, IdRole).toLongLong());
}

int QueuePanel::placeOf(const QueueEntry& entry) const
{
    const auto found = std::ranges::find(m_queue.entries, entry.id, &QueueEntry::id);
    return static_cast<int>(found - m_queue.entries.begin()) - (m_queue.active() == nullptr ? 0 : 1);
}

void QueuePanel::moveBy(int places)
{
    const QueueEntry* entry = chosen();
    if (entry != nullptr && !entry->isActive() && placeOf(*entry) + places >= 0) {
        Q_EMIT requested(QStringLiteral("move"), entry->id, placeOf(*entry) + places);
    }
}

void QueuePanel::showActions()
{
    const QueueEntry* entry = chosen();
    const bool waits = entry != nullptr && !entry->isActive();
    const bool isDamaged = entry != nullptr && entry->state == EntryState::Damaged;
    for (QAction* action : {m_next, m_up, m_down}) {
        action->setEnabled(waits && m_queue.entries.size() > 1);
    }
    const bool resumes = entry != nullptr && (entry->isPaused || entry->state == EntryState::Interrupted);
    m_pause->setEnabled(entry != nullptr && !isDamaged && entry->state != EntryState::Stopping);
    m_pause->setText(resumes ? tr("Resume") : tr("Pause"));
    m_remove->setEnabled(entry != nullptr && entry->state != EntryState::Stopping);
    m_remove->setText(entry != nullptr && entry->isActive() ? tr("Stop and remove") : tr("Remove from the queue"));
    m_clear->setEnabled(std::ranges::any_of(m_queue.entries, [](const QueueEntry& each) { return !each.isActive(); }));
    m_entryButton->setEnabled(!m_queue.entries.empty());
    m_queueButton->setEnabled(!m_queue.entries.empty() || m_queue.isPaused);
    labelButton(*m_queueButton, m_queue.isPaused ? tr("Resume the queue") : tr("Pause the queue"),
        m_queue.isPaused ? tr("Lets experiments start again, and resumes the current one.")
                         : tr("Pauses the current experiment; no other one starts."));
}

void QueuePanel::retranslate()
{
    m_heading->setText(tr("QUEUE"));
    m_tree->setHeaderLabels({tr("Experiment"), tr("State"), tr("Runs"), tr("Time")});
    m_next->setText(tr("Run next"));
    m_up->setText(tr("Move up"));
    m_down->setText(tr("Move down"));
    m_clear->setText(tr("Remove all waiting"));
    m_entryButton->setText(tr("Change"));
    describe(*m_entryButton, tr("Change the queue"), tr("Moves, pauses or removes the chosen experiment."));
    describe(*m_tree, tr("Queue"),
        tr("Experiments in the queue. Drag one to another place, or press Alt+Up and Alt+Down; Space pauses, Delete "
           "removes."));
    fill();
}

} // namespace lockstep::ui

#include "queue_panel.moc"
