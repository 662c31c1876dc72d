#include "ui/net/net_panel.h"

#include "ui/models/feeds/run_feed.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/titles.h"
#include "ui/models/net/rank_map.h"
#include "ui/models/number_text.h"
#include "ui/net/net_export.h"
#include "ui/net/net_view.h"
#include "ui/net/rank_map_panel.h"
#include "ui/net/rank_map_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

bool isDivided(const experiment::RunSpec& run)
{
    return rankMap(run).isDivided;
}

} // namespace

NetPanel::NetPanel(FormModel& model, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_invitation(plainLabel(this))
    , m_pickerLabel(plainLabel(this))
    , m_picker(new QComboBox(this))
    , m_balance(new QPushButton(this))
    , m_how(new ElidedLabel(this))
    , m_ranks(new RankMapPanel(this))
    , m_problem(plainLabel(this))
    , m_view(new NetView(this))
    , m_summary(plainLabel(this))
{
    m_how->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_header = new NetHeader(*m_view, this);
    styleControls();
    auto* line = new QHBoxLayout;
    addAll(*line, {8, 4, 8, 0}, 6, {m_pickerLabel, m_picker});
    line->addSpacing(10);
    line->addWidget(m_how, 1);
    line->addWidget(m_balance);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_view);
    auto* page = new QVBoxLayout(this);
    addAll(*page, {}, 2, {m_invitation, line, m_ranks, m_problem, m_header, {scroll, 1}, m_summary});
    connect(m_picker, &QComboBox::activated, this, [this](int index) {
        m_chosen = m_choices.at(static_cast<std::size_t>(index));
        showChoice();
    });
    connect(m_view, &NetView::cutRequested, this, &NetPanel::moveCut);
    connect(m_balance, &QPushButton::clicked, this, [this] { moveCut({}); });
    connect(m_ranks, &RankMapPanel::settingRequested, this,
        [this](const QString& parameter, const QString& text) { setOfVariant(parameter.toStdString(), text); });
    connect(&m_model, &FormModel::changed, this, &NetPanel::listChoices);
    retranslate();
}

void NetPanel::styleControls()
{
    m_pickerLabel->setBuddy(m_picker);
    m_picker->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_picker->setMaximumWidth(220);
    m_balance->setAutoDefault(true);
    m_balance->setObjectName(QStringLiteral("balance"));
    m_how->setForegroundRole(QPalette::PlaceholderText);
    m_invitation->setWordWrap(true);
    m_invitation->setContentsMargins(14, 10, 14, 6);
    m_invitation->hide();
    m_problem->setWordWrap(true);
    m_problem->setContentsMargins(14, 4, 14, 4);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(14, 6, 14, 8);
    m_summary->setObjectName(QStringLiteral("net_summary"));
}

void NetPanel::setFeeds(const std::vector<RunFeed*>& feeds)
{
    m_feeds.assign(feeds.begin(), feeds.end());
    listChoices();
}

void NetPanel::setTheme(const ChartTheme& theme)
{
    m_view->setTheme(theme);
    m_ranks->setTheme(theme);
    QPalette wrong = palette();
    wrong.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
    m_problem->setPalette(wrong);
}

void NetPanel::setInvitation(const QString& text)
{
    m_invitation->setText(text);
    m_invitation->setVisible(!text.isEmpty());
}

bool NetPanel::formHasDividedNet() const
{
    const auto drafts = m_model.drafts();
    return std::any_of(drafts.begin(), drafts.end(), isDivided);
}

bool NetPanel::hasDividedNet() const
{
    return formHasDividedNet() || std::any_of(m_feeds.begin(), m_feeds.end(), [](const QPointer<RunFeed>& feed) {
        return feed != nullptr && isDivided(feed->record().spec);
    });
}

/// Variants of the form that divide a net, or the first one if none does, then the shown runs that do. Repeats have one
/// cut.
void NetPanel::listChoices()
{
    std::vector<Choice> choices;
    QStringList names;
    for (const experiment::RunSpec& draft : m_model.drafts()) {
        if (isDivided(draft)) {
            choices.push_back({draft.name, nullptr});
            names << tr("%1, as in the form").arg(variantTitle(draft));
        }
    }
    if (choices.empty() && !m_model.rows().empty()) {
        const experiment::RunSpec draft = m_model.drafts().front();
        choices.push_back({draft.name, nullptr});
        names << tr("%1, as in the form").arg(variantTitle(draft));
    }
    for (const QPointer<RunFeed>& feed : m_feeds) {
        if (feed != nullptr && isDivided(feed->record().spec) && feed->record().spec.repeat == 0) {
            choices.push_back({{}, feed});
            names << tr("%1, as it ran").arg(feed->displayName());
        }
    }
    const QSignalBlocker quiet(m_picker);
    if (choices != m_choices || names.size() != m_picker->count() || names.value(0) != m_picker->itemText(0)) {
        m_choices = std::move(choices);
        m_picker->clear();
        m_picker->addItems(names);
    }
    auto at = std::find(m_choices.begin(), m_choices.end(), m_chosen);
    if (at == m_choices.end() && !m_choices.empty()) {
        at = m_choices.begin();
        m_chosen = *at;
    }
    m_picker->setCurrentIndex(m_choices.empty() ? -1 : static_cast<int>(at - m_choices.begin()));
    showChoice();
}

std::optional<experiment::RunSpec> NetPanel::chosenRun() const
{
    if (m_chosen.feed != nullptr) {
        return m_chosen.feed->record().spec;
    }
    const auto drafts = m_model.drafts();
    const auto draft = std::ranges::find(drafts, m_chosen.variant, &experiment::RunSpec::name);
    return draft == drafts.end() ? std::nullopt : std::optional(*draft);
}

void NetPanel::showChoice()
{
    if (m_choices.empty() || !isVisible()) {
        return;
    }
    const bool isRun = m_chosen.feed != nullptr;
    const auto run = chosenRun();
    if (!run) {
        return;
    }
    const NetPicture picture = netPicture(*run);
    const RankMap ranks = rankMap(*run);
    m_ranks->setVisible(ranks.isDivided);
    m_ranks->setMap(ranks, isRun ? RankMapPanel::Sizes::ReadOnly : RankMapPanel::Sizes::Chosen);
    m_view->setPicture(picture, isRun ? NetView::Cut::ReadOnly : NetView::Cut::Movable);
    m_balance->setVisible(!isRun && picture.isPipeline);
    m_balance->setEnabled(picture.isByHand);
    m_how->setWholeText(!picture.isPipeline ? QString()
            : picture.isByHand              ? tr("Cut by hand.")
                                            : tr("Cut balanced by FLOPs."));
    m_problem->setText(problemText(picture.problem, ranks.isGrid));
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_summary->setText(summaryText());
}

std::optional<Drawing> NetPanel::drawing() const
{
    const auto run = chosenRun();
    if (m_view->picture().layers.empty() || !run) {
        return std::nullopt;
    }
    const RunFeed* feed = m_chosen.feed;
    return netDrawing(*run, feed != nullptr ? feed->displayName() : variantTitle(*run), summaryText());
}

QString NetPanel::summaryText() const
{
    const NetPicture& picture = m_view->picture();
    if (picture.layers.empty()) {
        return {};
    }
    QStringList texts{
        tr("%1 parameters, %2 FLOPs per sample in the forward pass.")
            .arg(siText(static_cast<double>(picture.parameters)), siText(static_cast<double>(picture.flops)))};
    if (std::isfinite(picture.bubble)) {
        texts << tr(
            "If passes took time in proportion to their FLOPs, the bubble would be %1 % with this cut; %2 % if all "
            "parts took equally long.")
                     .arg(percentText(picture.bubble), percentText(picture.idealBubble));
    }
    return texts.join(u' ');
}

void NetPanel::moveCut(const QString& cut)
{
    setOfVariant(nameOf(&experiment::PipelineSettings::cut), cut);
}

void NetPanel::setOfVariant(std::string_view parameter, const QString& text)
{
    if (m_chosen.feed == nullptr) {
        m_model.setTextOf(m_chosen.variant, parameter, text);
    }
}

/// Or the error of a typed size that cannot be read: the map then uses the experiment's.
QString NetPanel::problemText(const QString& ofNet, bool isGrid) const
{
    if (!ofNet.isEmpty() || !isGrid || m_chosen.feed != nullptr) {
        return ofNet;
    }
    for (const std::string& name : {nameOf(&experiment::GridSettings::data),
             nameOf(&experiment::GridSettings::pipeline), nameOf(&experiment::GridSettings::tensor)}) {
        if (const FormRow* row = m_model.row(name); row != nullptr && !row->error.isEmpty()) {
            return QStringLiteral("%1: %2").arg(translatedLabel(*row->parameter), row->error);
        }
    }
    return {};
}

void NetPanel::retranslate()
{
    m_pickerLabel->setText(tr("Net of"));
    describe(*m_picker, tr("Net of"),
        tr("The net to draw: that of a variant that Run would start, or that of a run as it was started."));
    labelButton(
        *m_balance, tr("Balance"), tr("Places the cuts so that all parts have nearly equal FLOPs, for any net."));
    m_view->setAccessibleName(tr("Net"));
    m_picker->clear();
    listChoices();
}

void NetPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showChoice();
}

} // namespace lockstep::ui
