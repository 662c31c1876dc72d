#include "ui/pages/runs/run_list.h"

#include "experiment/spec.h"
#include "language/shown_names.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/palette.h"
#include "ui/models/runs/runs_table_model.h"
#include "ui/models/shown_text.h"
#include "ui/pages/runs/gallery.h"
#include "ui/theme/theme.h"
#include "ui/widgets/apart_delegate.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QDate>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QTimer>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int GroupKeyRole = Qt::UserRole; ///< the key of an experiment or a batch
constexpr int RunsRole = Qt::UserRole + 1; ///< of a batch and a variant: the ids
constexpr int LevelIndent = 10;

/// The item's runs; none for an experiment.
std::vector<RunId> runsOf(const QTreeWidgetItem& item)
{
    std::vector<RunId> runs;
    for (const QString& id : item.data(0, RunsRole).toStringList()) {
        runs.push_back(RunId{id.toStdString()});
    }
    return runs;
}

void setRuns(QTreeWidgetItem& item, const std::vector<RunId>& runs)
{
    QStringList ids;
    for (const RunId& run : runs) {
        ids << QString::fromStdString(run.text);
    }
    item.setData(0, RunsRole, ids);
}

/// By their keys.
std::map<std::string, QTreeWidgetItem*> batchesOf(const QTreeWidgetItem& experiment)
{
    std::map<std::string, QTreeWidgetItem*> batches;
    for (int i = 0; i < experiment.childCount(); ++i) {
        batches[experiment.child(i)->data(0, GroupKeyRole).toString().toStdString()] = experiment.child(i);
    }
    return batches;
}

} // namespace

RunList::RunList(QWidget* parent)
    : Translated(parent)
    , m_heading(plainLabel(this))
    , m_list(new QTreeWidget(this))
{
    styleHeading(*m_heading);
    m_heading->setContentsMargins(14, 10, 8, 4);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHeaderHidden(true);
    m_list->setIndentation(LevelIndent);
    m_list->setIconSize(QSize(14, 14));
    m_list->setExpandsOnDoubleClick(false);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new ApartDelegate(m_list));
    m_list->setTextElideMode(Qt::ElideMiddle); // what distinguishes variants, and their state, is often at the end
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 0, {m_heading, {m_list, 1}});
    // Not by moving through the list, which would replace the charts under way.
    connect(m_list, &QTreeWidget::itemClicked, this, &RunList::activate);
    connect(m_list, &QTreeWidget::itemActivated, this, &RunList::activate);
    connect(m_list, &QTreeWidget::itemChanged, this, &RunList::tick);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QWidget::customContextMenuRequested, this, &RunList::openContextMenu);
    retranslate();
}

void RunList::activate(QTreeWidgetItem* item)
{
    if (m_hasTicked) {
        return;
    }
    const std::string key = item->data(0, GroupKeyRole).toString().toStdString();
    if (item->parent() == nullptr) { // only the experiment that is shown folds
        item->setExpanded(key != m_chosen || !item->isExpanded());
        if (item->isExpanded() && item->childCount() > 0) {
            Q_EMIT openRequested(runsOf(*item->child(0)));
        }
        return;
    }
    const bool isVariant = key.empty();
    QTreeWidgetItem& batch = isVariant ? *item->parent() : *item;
    if (!isVariant || batch.checkState(0) == Qt::Unchecked) {
        batch.setExpanded(true);
        Q_EMIT openRequested(runsOf(batch));
    }
}

/// By the user; ticks that follow from what is shown come with signals blocked.
void RunList::tick(QTreeWidgetItem* item)
{
    if (item->parent() != nullptr) {
        m_hasTicked = true;
        QTimer::singleShot(0, this, [this] { m_hasTicked = false; });
        Q_EMIT shownRequested(runsOf(*item), item->checkState(0) != Qt::Unchecked);
    }
}

void RunList::openContextMenu(const QPoint& at)
{
    const QTreeWidgetItem* item = m_list->itemAt(at);
    const std::vector<RunId> runs = item == nullptr ? std::vector<RunId>() : runsOf(*item);
    if (runs.empty()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show only these in charts"), this, [this, runs] { Q_EMIT onlyRequested(runs); });
    menu->addActions(actions());
    menu->addAction(tr("Replay"), this, [this, runs] { Q_EMIT replayRequested(runs); });
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

void RunList::setChosen(const std::string& key)
{
    const bool isOther = m_chosen != key;
    m_chosen = key;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_list->topLevelItem(i);
        const bool isChosen = item->data(0, GroupKeyRole).toString().toStdString() == key;
        QFont font = item->font(0);
        font.setBold(isChosen);
        item->setFont(0, font);
        if (isChosen && isOther) {
            item->setExpanded(true);
            m_list->setCurrentItem(item);
            m_list->scrollToItem(item, QAbstractItemView::PositionAtTop);
        }
    }
}

void RunList::setRuns(const std::vector<analysis::RunRecord>& records, const std::map<RunId, Look>& shown)
{
    std::vector<RunTreeExperiment> tree = runTree(records, experiment::presetNames());
    std::erase_if(tree, [](const RunTreeExperiment& each) { return each.batches.empty(); });
    const QSignalBlocker quiet(m_list);
    const bool isNewDay = m_filledOn != QDate::currentDate();
    if (shown != m_shown) {
        m_shown = shown;
        showTicks();
    }
    if (tree == m_tree && !isNewDay) {
        return;
    }
    m_filledOn = QDate::currentDate();
    const std::vector<RunTreeExperiment> former = std::exchange(m_tree, std::move(tree));
    for (std::size_t i = 0; i < m_tree.size(); ++i) {
        if (static_cast<int>(i) == m_list->topLevelItemCount()) {
            auto* item = new QTreeWidgetItem(m_list);
            item->setSizeHint(0, QSize(0, fontMetrics().height() + 12));
        }
        QTreeWidgetItem& item = *m_list->topLevelItem(static_cast<int>(i));
        const bool isKnown = i < former.size() && former[i].key == m_tree[i].key;
        if (!isKnown) { // experiments came or went
            qDeleteAll(item.takeChildren());
            item.setExpanded(m_tree[i].key == m_chosen);
        }
        fill(item, m_tree[i], isKnown && !isNewDay ? &former[i] : nullptr);
    }
    while (m_list->topLevelItemCount() > static_cast<int>(m_tree.size())) {
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    }
}

/// Keeps items of batches that are still there, and with them what is open and where the list stands.
void RunList::fill(QTreeWidgetItem& item, const RunTreeExperiment& experiment, const RunTreeExperiment* former)
{
    if (former != nullptr && *former == experiment) {
        return;
    }
    item.setData(0, GroupKeyRole, QString::fromStdString(experiment.key));
    item.setText(0, shownName(language::experimentTitle(experiment.experiment, experiment.title)));
    const QString question = wordingText(experiment.question);
    item.setToolTip(0, tipText(question.isEmpty() ? experimentQuestion(experiment.experiment) : question));
    std::map<std::string, QTreeWidgetItem*> known = batchesOf(item);
    std::map<std::string, const RunTreeBatch*> before;
    for (std::size_t i = 0; former != nullptr && i < former->batches.size(); ++i) {
        before[former->batches[i].key] = &former->batches[i];
    }
    const bool isFirst = known.empty();
    std::set<std::string> wanted;
    for (const RunTreeBatch& batch : experiment.batches) {
        wanted.insert(batch.key);
    }
    std::erase_if(known, [&wanted](const auto& each) {
        const bool isGone = !wanted.contains(each.first);
        if (isGone) {
            delete each.second;
        }
        return isGone;
    });
    for (std::size_t i = 0; i < experiment.batches.size(); ++i) {
        const RunTreeBatch& batch = experiment.batches[i];
        const auto child = known.extract(batch.key);
        QTreeWidgetItem* at = child.empty() ? new QTreeWidgetItem : child.mapped();
        if (child.empty()) {
            at->setData(0, GroupKeyRole, QString::fromStdString(batch.key));
            item.insertChild(static_cast<int>(i), at);
            at->setExpanded(isFirst && i == 0);
        }
        const auto same = before.find(batch.key);
        if (child.empty() || same == before.end() || *same->second != batch) {
            fillBatch(*at, batch);
        }
    }
}

void RunList::fillBatch(QTreeWidgetItem& item, const RunTreeBatch& batch)
{
    lockstep::ui::setRuns(item, batch.runs());
    item.setText(0, startedText(QDateTime::fromMSecsSinceEpoch(batch.startedMs), QDateTime::currentDateTime()));
    while (item.childCount() > static_cast<int>(batch.variants.size())) {
        delete item.takeChild(item.childCount() - 1);
    }
    for (std::size_t i = 0; i < batch.variants.size(); ++i) {
        const RunTreeVariant& variant = batch.variants[i];
        if (static_cast<int>(i) == item.childCount()) {
            new QTreeWidgetItem(&item);
        }
        QTreeWidgetItem& child = *item.child(static_cast<int>(i));
        lockstep::ui::setRuns(child, variant.runs);
        QString text
            = variant.runs.size() == 1 ? variant.name : tr("%1  n=%2").arg(variant.name).arg(variant.runs.size());
        if (variant.status != analysis::RunStatus::Finished) {
            text += QStringLiteral("  ") + statusText(variant.status);
        }
        child.setText(0, text);
        child.setToolTip(0, tipText(text));
        showTick(child);
    }
    showTick(item);
}

void RunList::showTicks()
{
    for (QTreeWidgetItemIterator at(m_list); *at != nullptr; ++at) {
        showTick(**at);
    }
}

void RunList::showTick(QTreeWidgetItem& item) const
{
    const std::vector<RunId> runs = runsOf(item);
    if (runs.empty()) {
        return; // an experiment
    }
    const auto count = std::ranges::count_if(runs, [this](const RunId& run) { return m_shown.contains(run); });
    const bool areAll = count == static_cast<std::ptrdiff_t>(runs.size());
    item.setCheckState(0, count == 0 ? Qt::Unchecked : areAll ? Qt::Checked : Qt::PartiallyChecked);
    if (item.childCount() == 0) {
        const auto shown = std::ranges::find_if(runs, [this](const RunId& run) { return m_shown.contains(run); });
        item.setIcon(0, swatchIcon(shown == runs.end() ? Look() : m_shown.at(*shown)));
    }
}

/// The ground of the swatches changes with the palette.
void RunList::changeEvent(QEvent* event)
{
    Translated::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        const QSignalBlocker quiet(m_list);
        showTicks();
    }
}

void RunList::retranslate()
{
    m_heading->setText(tr("RUNS"));
    describe(*m_list, tr("Runs"),
        tr("Runs by experiment and start time. Return shows only the runs that were started together; Space ticks "
           "runs to show them."));
    m_list->setToolTip({});
    const QSignalBlocker quiet(m_list);
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        fill(*m_list->topLevelItem(i), m_tree[static_cast<std::size_t>(i)], nullptr);
    }
}

} // namespace lockstep::ui
