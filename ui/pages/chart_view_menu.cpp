#include "ui/pages/chart_view_menu.h"

#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QSettings>

namespace lockstep::ui {

ChartViewMenu::ChartViewMenu(QWidget* parent)
    : QToolButton(parent)
    , m_logX(new QAction(this))
    , m_raw(new QAction(this))
    , m_ends(new QAction(this))
{
    auto* menu = new QMenu(this);
    for (QAction* action : {m_logX, m_raw, m_ends}) {
        action->setCheckable(true);
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this, action] { Q_EMIT changed(action == m_logX); });
    }
    setMenu(menu);
    setPopupMode(QToolButton::InstantPopup);
    setIcon(glyphIcon(Glyph::Settings));
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    retranslate();
}

void ChartViewMenu::offerRaw(bool isOffered)
{
    m_raw->setVisible(isOffered);
}

void ChartViewMenu::setOptions(const ChartOptions& options)
{
    m_logX->setChecked(options.xScale == Scale::Log);
    m_raw->setChecked(options.showsRaw);
    m_ends->setChecked(options.namesLineEnds);
}

void ChartViewMenu::readInto(ChartOptions& options) const
{
    options.xScale = m_logX->isChecked() ? Scale::Log : Scale::Linear;
    options.showsRaw = m_raw->isChecked();
    options.namesLineEnds = m_ends->isChecked();
}

void ChartViewMenu::restore(ChartOptions& options, const QSettings& settings, const QString& prefix)
{
    options.xScale = settings.value(prefix + QStringLiteral("log_x"), false).toBool() ? Scale::Log : Scale::Linear;
    options.showsRaw = settings.value(prefix + QStringLiteral("raw"), true).toBool();
    options.namesLineEnds = settings.value(prefix + QStringLiteral("line_ends"), true).toBool();
}

void ChartViewMenu::store(const ChartOptions& options, QSettings& settings, const QString& prefix)
{
    settings.setValue(prefix + QStringLiteral("log_x"), options.xScale == Scale::Log);
    settings.setValue(prefix + QStringLiteral("raw"), options.showsRaw);
    settings.setValue(prefix + QStringLiteral("line_ends"), options.namesLineEnds);
}

void ChartViewMenu::retranslate()
{
    m_logX->setText(tr("Logarithmic horizontal axis"));
    m_raw->setText(tr("Raw values behind the smoothed ones"));
    m_ends->setText(tr("Names at the ends of curves"));
    describe(*this, tr("View"), tr("Horizontal axis, raw values, and names at the ends of curves."));
}

void ChartViewMenu::changeEvent(QEvent* event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

} // namespace lockstep::ui
