#include "ui/pages/report/report_bar.h"

#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace lockstep::ui {

ReportBar::ReportBar(QWidget* parent)
    : Translated(parent)
    , m_parts(new QPushButton(this))
    , m_smaller(new QPushButton(QStringLiteral("−"), this))
    , m_larger(new QPushButton(QStringLiteral("+"), this))
    , m_former(new QPushButton(QStringLiteral("‹"), this))
    , m_next(new QPushButton(QStringLiteral("›"), this))
    , m_number(plainLabel(this))
{
    m_parts->setCheckable(true);
    m_parts->setChecked(true);
    for (QPushButton* button : {m_smaller, m_larger, m_former, m_next}) {
        button->setFixedWidth(button->sizeHint().height());
    }
    auto* row = new QHBoxLayout(this);
    addAll(*row, {4, 4, 4, 2}, 4, {m_parts, FreeRoom, m_former, m_number, m_next, m_smaller, m_larger});
    connect(m_parts, &QPushButton::toggled, this, &ReportBar::partsToggled);
    connect(m_smaller, &QPushButton::clicked, this, [this] { Q_EMIT zoomed(-1); });
    connect(m_larger, &QPushButton::clicked, this, [this] { Q_EMIT zoomed(1); });
    connect(m_former, &QPushButton::clicked, this, [this] { Q_EMIT turned(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { Q_EMIT turned(1); });
    retranslate();
}

void ReportBar::showPage(int page, int count)
{
    m_number->setText(tr("%1 of %2", "page").arg(page + 1).arg(count));
    m_former->setEnabled(page > 0);
    m_next->setEnabled(page + 1 < count);
}

void ReportBar::retranslate()
{
    labelButton(*m_parts, tr("Parts"), tr("Hides the parts, so that the pages are as wide as the window."));
    describe(*m_smaller, tr("Smaller pages"), tr("Down to the width of the window."));
    describe(*m_larger, tr("Larger pages"), tr("Also with Ctrl and the wheel."));
    describe(*m_former, tr("Previous page"), tr("Also with Page Up."));
    describe(*m_next, tr("Next page"), tr("Also with Page Down."));
}

} // namespace lockstep::ui
