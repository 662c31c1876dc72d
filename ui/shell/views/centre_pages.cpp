#include "ui/shell/views/centre_pages.h"

#include "experiment/variant_name.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/form_model.h"
#include "ui/net/net_panel.h"
#include "ui/pages/machine/hosts_page.h"
#include "ui/pages/runs/gallery.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/theme/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockstep::ui {

CentrePages::CentrePages(FormModel& form, RunController& controller, QWidget* parent)
    : Translated(parent)
    , m_form(form)
    , m_controller(controller)
    , m_tabs(new RunTabs(form, controller, this))
    , m_invitation(makeInvitation())
    , m_runs(m_invitation)
{
    addWidget(m_invitation);
    addWidget(m_tabs);
    form.setRanksAreHere(settings::chosenHosts().empty());
    connect(&form, &FormModel::changed, this, &CentrePages::updatePage);
    connect(&controller, &RunController::feedsChanged, this, &CentrePages::updatePage);
    retranslate();
}

/// One sentence, one action; and the laboratories, which stand far down in the list of experiments.
QWidget* CentrePages::makeInvitation()
{
    auto* page = new QWidget(this);
    m_text = plainLabel(page);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignCenter);
    QFont font = m_text->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    m_text->setFont(font);
    // A wrapped label in a stretched column only gets the height that it needs when its width is fixed.
    m_text->setFixedWidth(420);
    m_run = new QPushButton(page);
    m_run->setAutoDefault(true);
    m_run->setMinimumWidth(120);
    connect(m_run, &QPushButton::clicked, this, &CentrePages::runRequested);
    m_laboratories = new QToolButton(page);
    m_laboratories->setObjectName(QStringLiteral("invitation_laboratories"));
    m_laboratories->setAutoRaise(true);
    m_laboratories->setPopupMode(QToolButton::InstantPopup);
    auto* layout = new QVBoxLayout(page);
    layout->setSpacing(16);
    layout->addStretch(2);
    auto* row = new QHBoxLayout;
    addAll(*row, {FreeRoom, m_text, FreeRoom});
    layout->addLayout(row);
    layout->addWidget(m_run, 0, Qt::AlignHCenter);
    layout->addWidget(m_laboratories, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return page;
}

/// Its own, with its description, else that of its preset.
QString CentrePages::question() const
{
    const QString own = wordingText(m_form.about().question);
    const QString description = wordingText(m_form.about().description);
    const QString asked = !own.isEmpty() ? own
        : m_form.experiment() == experiment::OwnExperiment
        ? tr("Choose what to train, and vary a parameter to compare.")
        : experimentQuestion(m_form.experiment());
    return description.isEmpty() ? asked : asked + u'\n' + description;
}

/// Shows the net before the first run that divides it, so that the user can cut it.
void CentrePages::updatePage()
{
    const std::string& experiment = m_form.experiment();
    m_text->setText(
        experiment.empty() || (experiment == "optimizers" && m_form.about() == experiment::aboutPreset(experiment))
            ? tr("Press Run to train with each optimizer and watch the loss fall step by step.")
            : question() + u'\n' + tr("Press Run to see the result."));
    m_run->setEnabled(m_form.problem().isEmpty());
    const bool hasFeeds = !m_controller.shown().inLegends().empty();
    NetPanel& net = m_tabs->net();
    const bool isNet = !hasFeeds && !m_form.rows().empty() && net.formHasDividedNet();
    net.setInvitation(isNet ? m_text->text() : QString());
    if (isNet && m_runs == m_invitation) {
        m_tabs->setCurrentWidget(&net);
    }
    m_runs = m_cover != nullptr ? m_cover : hasFeeds || isNet ? m_tabs : m_invitation;
    if (!isHostsShown()) {
        setCurrentWidget(m_runs);
    }
}

void CentrePages::showHosts()
{
    if (m_hosts == nullptr) {
        m_hosts = new HostsPage(this);
        connect(m_hosts, &HostsPage::closeRequested, this, &CentrePages::showRuns);
        connect(m_hosts, &HostsPage::whereChanged, this,
            [this] { m_form.setRanksAreHere(settings::chosenHosts().empty()); });
        addWidget(m_hosts);
    }
    setCurrentWidget(m_hosts);
    m_hosts->setFocus(Qt::OtherFocusReason);
}

void CentrePages::setCover(QWidget* cover)
{
    if (cover != nullptr && indexOf(cover) < 0) {
        addWidget(cover);
    }
    m_cover = cover;
    updatePage();
}

void CentrePages::setLaboratories(QMenu& menu)
{
    m_laboratories->setMenu(&menu);
}

bool CentrePages::isHostsShown() const
{
    return m_hosts != nullptr && currentWidget() == m_hosts;
}

bool CentrePages::showRuns()
{
    if (!isHostsShown()) {
        return false;
    }
    setCurrentWidget(m_runs);
    return true;
}

void CentrePages::retranslate()
{
    labelButton(*m_run, tr("Run"), tr("Trains every ticked variant (Ctrl+Return)."));
    labelButton(*m_laboratories, tr("Open a laboratory"), tr("Predict, run, explain and hand in, step by step."));
    updatePage();
}

} // namespace lockstep::ui
