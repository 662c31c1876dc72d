#include "ui/shell/command_palette.h"

#include "language/catalogue.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int PaletteWidth = 560;
constexpr int PaletteHeight = 380;

/// What the action belongs to, where its own name does not say it: its menu, or a part of the window.
QString placeOf(const QAction& action, const QWidget& window)
{
    // "Dark" alone would not say what becomes dark.
    if (const auto* menu = qobject_cast<QMenu*>(action.property("menu").value<QObject*>())) {
        return menu->title();
    }
    for (const QObject* owner = action.parent(); owner != nullptr && owner != &window; owner = owner->parent()) {
        const auto* widget = qobject_cast<const QWidget*>(owner);
        if (widget != nullptr && !widget->accessibleName().isEmpty()) {
            return widget->accessibleName();
        }
    }
    return {};
}

bool isReachable(const QWidget& widget, const QWidget& window)
{
    return widget.isVisible() && widget.isEnabled() && widget.window() == &window && !widget.accessibleName().isEmpty();
}

} // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_edit(new QLineEdit(this))
    , m_list(new QTreeWidget(this))
    , m_help(plainLabel(this))
{
    setFrameShape(QFrame::StyledPanel);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_help->setWordWrap(true);
    m_help->setForegroundRole(QPalette::PlaceholderText);
    m_help->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_help->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_edit->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    addAll(*layout, {m_edit, {m_list, 1}, m_help});
    retranslate();
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::runChosen);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &CommandPalette::showHelp);
}

void CommandPalette::retranslate()
{
    m_edit->setPlaceholderText(tr("Type what you want to do"));
    describe(*m_edit, tr("Command"), tr("Type part of a command's name; Return runs it."));
    describe(*m_list, tr("Commands"), tr("Matching commands."));
}

void CommandPalette::open()
{
    retranslate();
    collect();
    m_edit->clear();
    fill();
    resize(PaletteWidth, PaletteHeight);
    move(parentWidget()->mapToGlobal(QPoint((parentWidget()->width() - PaletteWidth) / 2, 48)));
    show();
    m_edit->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::add(Command command, const QStringList& parts)
{
    const bool isKnown = std::ranges::find(m_commands, command.name, &Command::name) != m_commands.end();
    if (command.name.isEmpty() || isKnown) {
        return;
    }
    command.words = command.name.toLower();
    for (const QString& part : parts) {
        const QStringList wordings = QStringList{part} + language::otherWordings(part);
        command.words += u'\n' + wordings.join(u'\n').toLower();
    }
    m_commands.push_back(std::move(command));
}

void CommandPalette::addActions()
{
    const QWidget& window = *parentWidget();
    const auto addAction = [&](QAction* action) {
        const QString own = action->text().remove(u'&');
        if (own.isEmpty() || action->menu() != nullptr) {
            return;
        }
        const QString place = placeOf(*action, window);
        QStringList parts{own, place};
        parts += action->property("words").toStringList();
        add({.name = place.isEmpty() ? own : tr("%1: %2").arg(place, own),
                .words = {},
                .keys = action->shortcut().toString(QKeySequence::NativeText),
                .target = action,
                .isEnabled = action->isEnabled()},
            parts);
    };
    std::ranges::for_each(window.actions(), addAction); // in the order of their use
    std::ranges::for_each(window.findChildren<QAction*>(), addAction);
}

void CommandPalette::addButtons()
{
    const QWidget& window = *parentWidget();
    for (QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
        if (isReachable(*button, window)) {
            const QString name = button->accessibleName();
            add({.name = name, .words = {}, .help = button->accessibleDescription(), .target = button}, {name});
        }
    }
}

void CommandPalette::addFields()
{
    const QWidget& window = *parentWidget();
    for (QWidget* field : window.findChildren<QWidget*>()) {
        const bool isField = qobject_cast<QLineEdit*>(field) != nullptr || qobject_cast<QComboBox*>(field) != nullptr
            || qobject_cast<QAbstractSpinBox*>(field) != nullptr || qobject_cast<QAbstractItemView*>(field) != nullptr;
        if (isField && isReachable(*field, window)) {
            const QString name = field->accessibleName();
            add({.name = tr("Go to %1").arg(name),
                    .words = {},
                    .help = field->accessibleDescription(),
                    .target = field},
                {name});
        }
    }
    for (Place& place : m_places ? m_places() : std::vector<Place>()) {
        const QString name = place.name;
        const auto isThere = [&](const Command& command) { return command.name.contains(name); };
        if (std::ranges::none_of(m_commands, isThere)) {
            add({.name = tr("Go to %1").arg(name), .words = {}, .help = place.help, .go = std::move(place.go)}, {name});
        }
    }
}

void CommandPalette::collect()
{
    m_commands.clear();
    addActions();
    addButtons();
    addFields();
}

void CommandPalette::fill()
{
    m_list->clear();
    const QString typed = m_edit->text().toLower().simplified();
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    std::vector<std::size_t> matching;
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        const QString& searched = m_commands[i].words;
        if (std::ranges::all_of(words, [&](const QString& word) { return searched.contains(word); })) {
            matching.push_back(i);
        }
    }
    // What begins with the text comes before what has it somewhere.
    std::stable_partition(
        matching.begin(), matching.end(), [&](std::size_t i) { return m_commands[i].words.startsWith(typed); });
    std::stable_partition(matching.begin(), matching.end(), [&](std::size_t i) { return m_commands[i].isEnabled; });
    for (const std::size_t i : matching) {
        auto* item = new QTreeWidgetItem(m_list, {m_commands[i].name, m_commands[i].keys});
        item->setData(0, Qt::UserRole, static_cast<int>(i));
        item->setForeground(1, palette().brush(QPalette::PlaceholderText));
        if (!m_commands[i].isEnabled) {
            item->setForeground(0, palette().brush(QPalette::PlaceholderText));
        }
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_list->setCurrentItem(m_list->topLevelItem(0));
    showHelp();
}

void CommandPalette::showHelp()
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (item == nullptr) {
        m_help->setText(tr("No command has this in its name."));
        return;
    }
    const Command& command = m_commands[item->data(0, Qt::UserRole).toUInt()];
    m_help->setText(command.isEnabled ? command.help : tr("Not available for what is shown now."));
}

void CommandPalette::runChosen()
{
    const QTreeWidgetItem* item = m_list->currentItem();
    hide();
    if (item == nullptr) {
        return;
    }
    const Command& command = m_commands[item->data(0, Qt::UserRole).toUInt()];
    if (command.go) {
        command.go();
    } else if (auto* action = qobject_cast<QAction*>(command.target.data())) {
        action->trigger();
    } else if (auto* button = qobject_cast<QAbstractButton*>(command.target.data())) {
        button->click();
    } else if (auto* field = qobject_cast<QWidget*>(command.target.data())) {
        field->setFocus(Qt::ShortcutFocusReason);
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            runChosen();
            return true;
        }
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int row = m_list->indexOfTopLevelItem(m_list->currentItem()) + (key == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentItem(
                m_list->topLevelItem(std::clamp(row, 0, std::max(0, m_list->topLevelItemCount() - 1))));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace lockstep::ui
