#include "ui/forms/fold.h"

#include "ui/theme/theme.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace lockstep::ui {

Fold::Fold(QWidget* parent)
    : QWidget(parent)
    , m_button(new QToolButton(this))
    , m_content(new QWidget(this))
    , m_layout(new QVBoxLayout(m_content))
{
    m_button->setAutoRaise(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setArrowType(Qt::RightArrow);
    m_button->setFocusPolicy(Qt::StrongFocus);
    // Not checkable: an open section must not look like a pressed button.
    connect(m_button, &QToolButton::clicked, this, [this] { setOpen(!isOpen()); });
    m_content->hide();
    m_layout->setContentsMargins(0, 0, 0, 6);
    m_layout->setSpacing(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_button, 0, Qt::AlignLeft);
    layout->addWidget(m_content);
}

void Fold::setTitle(const QString& title)
{
    m_button->setText(title);
    describe(*m_button, title, tr("Shows or hides the settings of this section."));
}

void Fold::addWidget(QWidget* widget)
{
    m_layout->addWidget(widget);
}

void Fold::setOpen(bool isOpen)
{
    m_isOpen = isOpen;
    m_button->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
    m_content->setVisible(isOpen);
}

} // namespace lockstep::ui
