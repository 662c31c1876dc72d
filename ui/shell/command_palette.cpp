#include "ui/shell/command_palette.h"

#include "ui/theme/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QVBoxLayout>

namespace lockstep::ui {

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_edit(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setFrameShape(QFrame::StyledPanel);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_edit->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    retranslate();
    connect(m_edit, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runChosen);
}

void CommandPalette::retranslate()
{
    m_edit->setPlaceholderText(tr("Type what you want to do"));
    describe(*m_edit, tr("Command"), tr("Type part of a command's name; Return runs it."));
    describe(*m_list, tr("Commands"), tr("Matching commands."));
}

void CommandPalette::open(const QList<QAction*>& actions)
{
    m_actions = actions;
    retranslate();
    m_edit->clear();
    fill();
    const int width = 460;
    resize(width, 340);
    move(parentWidget()->mapToGlobal(QPoint((parentWidget()->width() - width) / 2, 48)));
    show();
    m_edit->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::fill()
{
    m_list->clear();
    const QStringList words = m_edit->text().toLower().split(u' ', Qt::SkipEmptyParts);
    for (QAction* action : m_actions) {
        // "Dark" alone would not say what becomes dark.
        const auto* menu = qobject_cast<QMenu*>(action->property("menu").value<QObject*>());
        const QString own = action->text().remove(u'&');
        const QString name = menu == nullptr ? own : tr("%1: %2").arg(menu->title(), own);
        const bool matches = std::all_of(
            words.begin(), words.end(), [&](const QString& word) { return name.toLower().contains(word); });
        if (!matches || !action->isEnabled() || name.isEmpty()) {
            continue;
        }
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(keys.isEmpty() ? name : QStringLiteral("%1   (%2)").arg(name, keys), m_list);
        item->setData(Qt::UserRole, QVariant::fromValue<QObject*>(action));
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runChosen()
{
    const QListWidgetItem* item = m_list->currentItem();
    auto* action = item == nullptr ? nullptr : qobject_cast<QAction*>(item->data(Qt::UserRole).value<QObject*>());
    hide();
    if (action != nullptr) {
        action->trigger();
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
            const int step = key == Qt::Key_Down ? 1 : -1;
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace lockstep::ui
