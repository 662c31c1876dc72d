#include "ui/pages/laboratory/order_list.h"

#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"

#include <QAction>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int OrderKeyRole = Qt::UserRole;
constexpr int OrderTitleRole = Qt::UserRole + 1;
constexpr int MostRowsSeen = 8;

} // namespace

OrderList::OrderList(QWidget* parent)
    : Translated(parent)
    , m_list(new QListWidget(this))
    , m_up(new QPushButton(this))
    , m_down(new QPushButton(this))
{
    m_list->setObjectName(QStringLiteral("order"));
    m_down->setObjectName(QStringLiteral("order_down"));
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    auto* buttons = new QHBoxLayout;
    addAll(*buttons, {m_up, m_down, FreeRoom});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 6, {m_list, buttons});
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    for (const auto& [key, by] : {std::pair(Qt::Key_Up, -1), std::pair(Qt::Key_Down, 1)}) {
        auto* action = new QAction(m_list);
        action->setShortcut(Qt::ALT | key);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_list->addAction(action);
        connect(action, &QAction::triggered, this, [this, by = by] { move(by); });
    }
    connect(m_list, &QListWidget::currentRowChanged, this, &OrderList::showButtons);
    // The rows are where they are only after the drop.
    connect(
        m_list->model(), &QAbstractItemModel::rowsMoved, this,
        [this] {
            number();
            showButtons();
            Q_EMIT moved();
        },
        Qt::QueuedConnection);
    retranslate();
}

void OrderList::setEntries(const std::vector<std::pair<QString, QString>>& entries)
{
    m_list->clear();
    for (const auto& [key, title] : entries) {
        auto* item = new QListWidgetItem(m_list);
        item->setData(OrderKeyRole, key);
        item->setData(OrderTitleRole, shownName(title));
        item->setToolTip(tipText(title));
    }
    number();
    const int row = fontMetrics().height() + 8;
    m_list->setFixedHeight(std::min(MostRowsSeen, std::max(1, m_list->count())) * row + 2 * m_list->frameWidth());
    m_list->setCurrentRow(0);
    showButtons();
}

QStringList OrderList::keys() const
{
    QStringList keys;
    for (int row = 0; row < m_list->count(); ++row) {
        keys += m_list->item(row)->data(OrderKeyRole).toString();
    }
    return keys;
}

void OrderList::setReadOnly(bool isReadOnly)
{
    m_isReadOnly = isReadOnly;
    m_list->setDragDropMode(isReadOnly ? QAbstractItemView::NoDragDrop : QAbstractItemView::InternalMove);
    m_up->setVisible(!isReadOnly);
    m_down->setVisible(!isReadOnly);
}

void OrderList::move(int by)
{
    const int row = m_list->currentRow();
    const int target = row + by;
    if (m_isReadOnly || row < 0 || target < 0 || target >= m_list->count()) {
        return;
    }
    m_list->insertItem(target, m_list->takeItem(row));
    m_list->setCurrentRow(target);
    number();
    Q_EMIT moved();
}

void OrderList::number()
{
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        item->setText(QStringLiteral("%1.  %2").arg(row + 1).arg(item->data(OrderTitleRole).toString()));
        item->setSizeHint(QSize(0, fontMetrics().height() + 8));
    }
}

void OrderList::showButtons()
{
    m_up->setEnabled(m_list->currentRow() > 0);
    m_down->setEnabled(m_list->currentRow() >= 0 && m_list->currentRow() + 1 < m_list->count());
}

void OrderList::retranslate()
{
    labelButton(*m_up, tr("Up"), tr("Moves the chosen entry up (Alt+Up)."));
    labelButton(*m_down, tr("Down"), tr("Moves the chosen entry down (Alt+Down)."));
    describe(*m_list, tr("Order"), tr("Drag the entries into order, or use the buttons below."));
}

} // namespace lockstep::ui
