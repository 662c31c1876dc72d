#include "ui/pages/drawer_bar.h"

#include "ui/models/runs/log_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

namespace lockstep::ui {

DrawerBar::DrawerBar(const LogModel& model, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_log(new QToolButton(this))
    , m_queue(new QToolButton(this))
    , m_table(new QToolButton(this))
{
    m_log->setObjectName(QStringLiteral("drawer:log"));
    m_queue->setObjectName(QStringLiteral("drawer:queue"));
    m_table->setObjectName(QStringLiteral("drawer:table"));
    for (QToolButton* button : {m_log, m_queue, m_table}) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setArrowType(Qt::RightArrow);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 1, 6, 1);
    addAll(*layout, {m_log, FreeRoom, m_queue, FreeRoom, m_table});
    connect(&model, &LogModel::warningsChanged, this, &DrawerBar::retranslate);
    retranslate();
}

void DrawerBar::setActions(QAction* log, QAction* queue, QAction* table)
{
    connectSwitch(m_log, log);
    connectSwitch(m_queue, queue);
    connectSwitch(m_table, table);
}

void DrawerBar::setQueued(int count)
{
    m_queued = count;
    retranslate();
}

/// Not checkable: an open drawer must not look like a pressed button.
void DrawerBar::connectSwitch(QToolButton* button, QAction* action)
{
    const auto show = [button](bool isOpen) { button->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow); };
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::toggled, button, show);
    show(action->isChecked());
}

void DrawerBar::retranslate()
{
    const int warnings = m_model.warnings();
    m_log->setText(warnings == 0 ? tr("Log") : tr("Log (%n warning(s))", nullptr, warnings));
    m_queue->setText(m_queued == 0 ? tr("Queue") : tr("Queue (%n experiment(s))", nullptr, m_queued));
    m_table->setText(tr("Table of runs"));
    describe(*m_log, tr("Log"), tr("Shows or hides the log of the shown runs (Ctrl+Alt+4)."));
    describe(*m_queue, tr("Queue"), tr("Shows or hides the queue of experiments (Ctrl+Alt+5)."));
    describe(*m_table, tr("Table of runs"), tr("Shows or hides the table of all runs (Ctrl+Alt+3)."));
}

} // namespace lockstep::ui
