#include "ui/pages/runs/gallery.h"

#include "experiment/spec.h"
#include "experiment/variant_name.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/titles.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

QString nameOf(std::string_view preset)
{
    return QString::fromUtf8(preset);
}

} // namespace

QString experimentQuestion(const std::string& preset)
{
    const QString text = wordingText(experiment::aboutPreset(preset).question);
    return text.isEmpty() ? shownName(preset) : text;
}

QString experimentOpening(const experiment::Spec& spec)
{
    return spec.about.charts.empty() ? QString() : QString::fromStdString(spec.about.charts.front());
}

Gallery::Gallery(QWidget* parent)
    : Translated(parent)
    , m_heading(plainLabel(this))
    , m_list(new QListWidget(this))
    , m_ownProgram(new QToolButton(this))
    , m_rename(addToMenu(Qt::Key_F2, &Gallery::renameRequested))
    , m_duplicate(addToMenu({}, &Gallery::duplicateRequested))
    , m_delete(addToMenu(QKeySequence::Delete, &Gallery::deleteRequested))
{
    styleHeading(*m_heading);
    m_heading->setContentsMargins(14, 10, 8, 4);
    m_list->setObjectName(QStringLiteral("gallery"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(1);
    m_list->viewport()->setAutoFillBackground(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    auto* layout = new QVBoxLayout(this);
    m_ownProgram->setObjectName(QStringLiteral("gallery_own_program"));
    m_ownProgram->setAutoRaise(true);
    m_ownProgram->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    addAll(*layout, {}, 0, {m_heading, {m_list, 1}, m_ownProgram});
    connect(m_ownProgram, &QToolButton::clicked, this, &Gallery::ownProgramRequested);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        const QString place = item == nullptr ? QString() : item->data(Qt::UserRole).toString();
        if (!place.isEmpty() && !isLaboratory(place)) {
            Q_EMIT experimentChosen(place);
        }
    });
    connect(m_list, &QListWidget::itemClicked, this, &Gallery::openLaboratory);
    connect(m_list, &QListWidget::itemActivated, this, &Gallery::openLaboratory);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_list, &QWidget::customContextMenuRequested, this, &Gallery::openContextMenu);
    connect(m_list, &QListWidget::currentItemChanged, this, &Gallery::enableActions);
    retranslate();
}

QAction* Gallery::addToMenu(const QKeySequence& key, void (Gallery::*requested)(const QString&))
{
    auto* action = new QAction(m_list);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(action);
    connect(action, &QAction::triggered, this, [this, requested] {
        Q_EMIT(this->*requested)(m_list->currentItem()->data(Qt::UserRole).toString());
    });
    return action;
}

void Gallery::enableActions()
{
    const QListWidgetItem* item = m_list->currentItem();
    const QString place = item == nullptr ? QString() : item->data(Qt::UserRole).toString();
    const auto mine = std::ranges::find(m_mine, place, &ShelfEntry::path);
    const bool isMine = !place.isEmpty() && mine != m_mine.end() && mine->error.isEmpty();
    m_rename->setEnabled(isMine);
    m_delete->setEnabled(isMine);
    m_duplicate->setEnabled(!place.isEmpty() && !isLaboratory(place));
}

/// Of the entry under the mouse, which a click has made the current one.
void Gallery::openContextMenu(const QPoint& at)
{
    if (m_list->itemAt(at) == nullptr || m_list->itemAt(at) != m_list->currentItem()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions({m_rename, m_duplicate, m_delete});
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

void Gallery::choose(int number)
{
    m_list->setCurrentRow(number);
}

int Gallery::count() const
{
    return static_cast<int>(experiment::presetNames().size());
}

void Gallery::setShelf(
    std::vector<ShelfEntry> mine, std::vector<ShelfEntry> course, const std::vector<ShelfEntry>& unsaved)
{
    mine.insert(mine.begin(), unsaved.begin(), unsaved.end());
    if (mine == m_mine && course == m_course) {
        return;
    }
    m_mine = std::move(mine);
    m_course = std::move(course);
    // Later: a click on an entry may be what led here.
    QMetaObject::invokeMethod(this, &Gallery::rebuild, Qt::QueuedConnection);
}

void Gallery::setLaboratories(std::vector<ShelfEntry> laboratories)
{
    if (laboratories != m_laboratories) {
        m_laboratories = std::move(laboratories);
        QMetaObject::invokeMethod(this, &Gallery::rebuild, Qt::QueuedConnection);
    }
}

bool Gallery::isLaboratory(const QString& place) const
{
    return std::ranges::find(m_laboratories, place, &ShelfEntry::path) != m_laboratories.end();
}

void Gallery::openLaboratory(const QListWidgetItem* item)
{
    const QString place = item->data(Qt::UserRole).toString();
    if (isLaboratory(place)) {
        Q_EMIT laboratoryChosen(place);
    }
}

void Gallery::showOpen(const QString& place, const QStringList& unsaved)
{
    m_open = place;
    m_unsaved = unsaved;
    mark();
}

void Gallery::rebuild()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    for (const std::string_view name : experiment::presetNames()) {
        addEntry({nameOf(name), experimentTitle(std::string(name)), experimentQuestion(std::string(name)), {}});
    }
    addSection(tr("Laboratories"), m_laboratories);
    addSection(tr("Mine"), m_mine);
    addSection(tr("Course"), m_course);
    mark();
}

/// Without entries there is no heading.
void Gallery::addSection(const QString& title, const std::vector<ShelfEntry>& entries)
{
    if (entries.empty()) {
        return;
    }
    addHeading(title);
    for (const ShelfEntry& entry : entries) {
        addEntry(entry);
    }
}

void Gallery::addHeading(const QString& text)
{
    auto* item = new QListWidgetItem(QStringLiteral("  ") + text, m_list);
    item->setFlags(Qt::NoItemFlags);
    item->setSizeHint(QSize(0, fontMetrics().height() + 14));
}

void Gallery::addEntry(const ShelfEntry& entry)
{
    auto* item = new QListWidgetItem(QStringLiteral("  ") + entry.title, m_list);
    item->setData(Qt::UserRole, entry.path);
    item->setSizeHint(QSize(0, fontMetrics().height() + 14));
    const QString question = entry.question.isEmpty() ? entry.title : entry.question;
    item->setToolTip(tipText(!entry.error.isEmpty() ? entry.error : question));
    if (!entry.error.isEmpty()) {
        item->setForeground(toneColor(Tone::Error, palette()));
    }
}

/// The open one is current, and those that are not saved have a mark.
void Gallery::mark()
{
    const QSignalBlocker blocker(m_list);
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem& item = *m_list->item(row);
        const QString place = item.data(Qt::UserRole).toString();
        if (place.isEmpty()) {
            continue;
        }
        QString text = item.text();
        const QString sign = QStringLiteral(" •");
        if (text.endsWith(sign)) {
            text.chop(sign.size());
        }
        item.setText(m_unsaved.contains(place) ? text + sign : text);
        if (place == m_open) {
            m_list->setCurrentRow(row);
        }
    }
    enableActions();
}

void Gallery::retranslate()
{
    m_heading->setText(tr("EXPERIMENTS"));
    describe(*m_list, tr("Experiments"), tr("Choose what to compare. A dot marks changes that are not saved."));
    m_list->setToolTip({});
    m_ownProgram->setText(tr("My own program…"));
    describe(
        *m_ownProgram, tr("My own program…"), tr("Watches a Python script or any other program of yours, unchanged."));
    m_rename->setText(tr("Rename…"));
    m_duplicate->setText(tr("Duplicate"));
    m_delete->setText(tr("Delete"));
    rebuild();
}

} // namespace lockstep::ui
