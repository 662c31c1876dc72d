#include "ui/pages/charts/chart_view_menu.h"

#include "ui/models/shown_text.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

namespace lockstep::ui {

ChartViewMenu::ChartViewMenu(QWidget* parent)
    : Translated(parent)
    , m_logX(new QAction(this))
    , m_raw(new QAction(this))
    , m_ends(new QAction(this))
    , m_annotations(new QAction(this))
    , m_panels(new QMenu(this))
{
    auto* menu = new QMenu(this);
    for (QAction* action : {m_logX, m_raw, m_ends}) {
        action->setCheckable(true);
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this, action] { Q_EMIT changed(action == m_logX); });
    }
    menu->addSeparator();
    menu->addMenu(m_panels);
    menu->addAction(m_annotations);
    connect(menu, &QMenu::aboutToShow, this, &ChartViewMenu::listPanels);
    connect(m_annotations, &QAction::triggered, this, &ChartViewMenu::annotationsRequested);
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

void ChartViewMenu::offerOnlyPanels()
{
    for (QAction* action : {m_logX, m_raw, m_ends, m_annotations}) {
        action->setVisible(false);
    }
    m_hasOnlyPanels = true;
    retranslate();
}

void ChartViewMenu::offerPanels(std::function<ParameterChoices()> choices)
{
    m_choices = std::move(choices);
}

void ChartViewMenu::listPanels()
{
    m_panels->clear();
    const ParameterChoices choices = m_choices ? m_choices() : ParameterChoices();
    const auto add = [this, &choices](const QString& text, const QString& parameter) {
        QAction* action
            = m_panels->addAction(menuText(text), this, [this, parameter] { Q_EMIT panelsChosen(parameter); });
        action->setCheckable(true);
        action->setChecked(parameter == choices.first);
    };
    add(tr("One chart"), {});
    for (const ParameterChoice& each : choices.offered) {
        add(each.text, each.name);
    }
    m_panels->setEnabled(!choices.offered.empty());
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
    options.panelsBy = settings.value(prefix + QStringLiteral("panels_by")).toString();
}

void ChartViewMenu::store(const ChartOptions& options, QSettings& settings, const QString& prefix)
{
    settings.setValue(prefix + QStringLiteral("log_x"), options.xScale == Scale::Log);
    settings.setValue(prefix + QStringLiteral("raw"), options.showsRaw);
    settings.setValue(prefix + QStringLiteral("line_ends"), options.namesLineEnds);
    settings.setValue(prefix + QStringLiteral("panels_by"), options.panelsBy);
}

void ChartViewMenu::retranslate()
{
    m_logX->setText(tr("Logarithmic horizontal axis"));
    m_raw->setText(tr("Raw values behind the smoothed ones"));
    m_ends->setText(tr("Names at the ends of curves"));
    m_panels->setTitle(tr("Panels by"));
    m_annotations->setText(tr("Annotations…"));
    describe(*this, tr("View"),
        m_hasOnlyPanels ? m_panels->title()
                        : tr("Horizontal axis, raw values, names at the ends of curves, panels and annotations."));
}

} // namespace lockstep::ui
