#include "ui/pages/laboratory/claim_form.h"

#include "analysis/figures/figure.h"
#include "experiment/parameter.h"
#include "language/wording.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/parameter_text.h"
#include "ui/models/laboratory/step_text.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/elided_combo_box.h"
#include "ui/widgets/plain_label.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {

using laboratory::ClaimKind;

namespace {

constexpr double MostPercent = 100000.0;
constexpr double UsualPercent = 10.0;
constexpr std::array ClaimKinds{
    ClaimKind::Less, ClaimKind::Greater, ClaimKind::NoDifference, ClaimKind::Rises, ClaimKind::Falls};

bool isTrend(ClaimKind kind)
{
    return kind == ClaimKind::Rises || kind == ClaimKind::Falls;
}

/// Numbers in which the variants differ.
std::vector<const experiment::Parameter*> varied(const experiment::Spec& spec)
{
    std::vector<const experiment::Parameter*> found;
    for (const experiment::Parameter& parameter : experiment::parameters()) {
        const bool isVaried = std::ranges::any_of(spec.variants,
            [&](const experiment::Variant& each) { return each.values.contains(std::string(parameter.name)); });
        if (isVaried && !std::holds_alternative<std::string>(parameter.standard)
            && !std::holds_alternative<bool>(parameter.standard)) {
            found.push_back(&parameter);
        }
    }
    return found;
}

} // namespace

ClaimForm::ClaimForm(LaboratoryModel& theModel, QWidget* parent)
    : StepForm(theModel, parent)
    , m_experimentStep(experimentOf(model(), step()))
    , m_experiment(*m_experimentStep->as<laboratory::ExperimentStep>())
    , m_figure(new ElidedComboBox(this))
    , m_variant(new ElidedComboBox(this))
    , m_kind(new ElidedComboBox(this))
    , m_against(new ElidedComboBox(this))
    , m_parameter(new ElidedComboBox(this))
    , m_percent(new QDoubleSpinBox(this))
    , m_text(new QLineEdit(this))
    , m_wrong(plainLabel(this))
    , m_add(new QPushButton(this))
    , m_claimsPlace(new QVBoxLayout)
{
    m_figure->setObjectName(QStringLiteral("claim_figure"));
    m_kind->setObjectName(QStringLiteral("claim_kind"));
    m_variant->setObjectName(QStringLiteral("claim_variant"));
    m_against->setObjectName(QStringLiteral("claim_against"));
    m_parameter->setObjectName(QStringLiteral("claim_parameter"));
    m_percent->setObjectName(QStringLiteral("claim_percent"));
    m_add->setObjectName(QStringLiteral("claim_add"));
    m_percent->setRange(0.0, MostPercent);
    m_percent->setDecimals(1);
    m_percent->setValue(UsualPercent);
    m_wrong->setWordWrap(true);
    m_wrong->hide();
    for (QComboBox* list : {m_figure, m_variant, m_kind, m_against, m_parameter}) {
        list->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // as wide as the form, not as its longest text
    }
    auto* fields = new QVBoxLayout; // one below the other: a variant's name is as long as what tells it apart
    addAll(*fields, {}, 8, {m_figure, m_variant, m_kind, m_against, m_parameter, m_percent, m_text});
    auto* row = new QHBoxLayout;
    addAll(*row, {m_add, FreeRoom});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 8, {fields, m_wrong, row, m_claimsPlace});
    connect(m_kind, &QComboBox::currentIndexChanged, this, &ClaimForm::showFields);
    connect(m_add, &QPushButton::clicked, this, &ClaimForm::add);
    retranslate();
}

/// What the step is about, or else what was predicted of its experiment.
std::string ClaimForm::usualFigure() const
{
    const std::string& given = step().as<laboratory::ClaimStep>()->about.figure;
    if (!given.empty()) {
        return given;
    }
    for (const laboratory::Step* prediction : model().laboratory().predictionsOf(m_experimentStep->id)) {
        const std::string& predicted = prediction->as<laboratory::PredictionStep>()->of.figure;
        if (!predicted.empty()) {
            return predicted;
        }
    }
    return "train_loss";
}

void ClaimForm::fill()
{
    const auto refill = [](QComboBox& list, const std::vector<std::pair<std::string, QString>>& entries) {
        const int before = std::max(0, list.currentIndex());
        list.clear();
        for (const auto& [key, title] : entries) {
            list.addItem(title, QString::fromStdString(key));
        }
        list.setCurrentIndex(std::min(before, list.count() - 1));
    };
    const auto counts = model().countsOf(*m_experimentStep);
    const auto records = counts.finished > 0 && !counts.areUnderWay() ? model().recordsOf(*m_experimentStep)
                                                                      : std::vector<analysis::RunRecord>();
    // Once the runs have ended, those that they have.
    const auto isOffered = [&](const analysis::Figure& figure) {
        return records.empty() || figure.name == usualFigure()
            || std::ranges::any_of(records, [&](const auto& run) { return std::isfinite(figure.of(run)); });
    };
    std::vector<std::pair<std::string, QString>> figures;
    for (const analysis::Figure& figure : analysis::figures()) {
        if (!figure.label.empty() && isOffered(figure)) {
            figures.emplace_back(figure.name, figureTitle(std::string(figure.name)));
        }
    }
    refill(*m_figure, figures);
    const auto variants = variantTitles(m_experiment);
    const bool isFirst = m_against->count() == 0;
    refill(*m_variant, variants);
    refill(*m_against, variants);
    if (isFirst) {
        m_against->setCurrentIndex(variants.size() > 1 ? 1 : 0);
        m_figure->setCurrentIndex(std::max(0, m_figure->findData(QString::fromStdString(usualFigure()))));
    }
    std::vector<std::pair<std::string, QString>> parameters;
    for (const experiment::Parameter* parameter : varied(m_experiment.spec)) {
        parameters.emplace_back(parameter->name, translatedLabel(*parameter));
    }
    refill(*m_parameter, parameters);
    const std::array kinds{tr("is less than that of"), tr("is greater than that of"),
        tr("does not differ from that of"), tr("rises with"), tr("falls with")};
    std::vector<std::pair<std::string, QString>> texts;
    for (std::size_t i = 0; i < ClaimKinds.size(); ++i) {
        if (!isTrend(ClaimKinds[i]) || !parameters.empty()) {
            texts.emplace_back(laboratory::nameOf(ClaimKinds[i]), kinds[i]);
        }
    }
    refill(*m_kind, texts);
}

void ClaimForm::showFields()
{
    const ClaimKind kind = claim().kind;
    m_variant->setVisible(!isTrend(kind));
    m_against->setVisible(!isTrend(kind));
    m_parameter->setVisible(isTrend(kind));
    m_percent->setVisible(kind == ClaimKind::Less || kind == ClaimKind::Greater);
}

laboratory::Claim ClaimForm::claim() const
{
    laboratory::Claim claim;
    const std::string kind = m_kind->currentData().toString().toStdString();
    const auto found = std::ranges::find(ClaimKinds, kind, [](ClaimKind each) { return laboratory::nameOf(each); });
    claim.kind = found == ClaimKinds.end() ? ClaimKind::Less : *found;
    claim.figure = m_figure->currentData().toString().toStdString();
    claim.text = m_text->text().trimmed().toStdString();
    if (isTrend(claim.kind)) {
        claim.parameter = m_parameter->currentData().toString().toStdString();
        return claim;
    }
    claim.variant = m_variant->currentData().toString().toStdString();
    claim.against = m_against->currentData().toString().toStdString();
    claim.percent = claim.kind == ClaimKind::NoDifference ? 0.0 : m_percent->value();
    return claim;
}

void ClaimForm::add()
{
    const laboratory::Claim wanted = claim();
    if (const auto checked = laboratory::checkClaim(wanted, m_experiment.spec); !checked) {
        m_wrong->setText(errorText(checked.error()));
        m_wrong->show();
        return;
    }
    m_wrong->hide();
    if (model().addClaim(wanted)) {
        m_text->clear();
    }
}

QString ClaimForm::claimText(const laboratory::Claim& claim) const
{
    return QString::fromStdString(language::findingSentence(statedClaim(claim, m_experiment.spec)));
}

ClaimForm::Shown ClaimForm::shownOf(
    const laboratory::MadeClaim& made, const std::vector<analysis::RunRecord>& runs) const
{
    const laboratory::Verdict verdict = laboratory::verdictOf(made.claim, runs);
    const QString words = shownText(made.claim.text);
    const auto tested = laboratory::testedRuns(verdict);
    return {made.entry, verdict.judgement,
        words.isEmpty() ? claimText(made.claim) : claimText(made.claim) + u'\n' + words,
        judgementSentence(verdict.judgement, verdict.sentence)
            + (tested ? u'\n' + QString::fromStdString(language::findingSentence(*tested)) : QString())};
}

void ClaimForm::addClaim(const Shown& claim)
{
    auto* text = plainLabel(claim.text, m_claims);
    auto* verdict = plainLabel(claim.verdict, m_claims);
    verdict->setObjectName(QStringLiteral("verdict"));
    const Tone tone = claim.judgement == laboratory::Judgement::DoesNotHold ? Tone::Error
        : claim.judgement == laboratory::Judgement::Holds                   ? Tone::Success
                                                                            : Tone::Information;
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, toneColor(tone, palette()));
    verdict->setPalette(colors);
    for (QLabel* label : {text, verdict}) {
        label->setWordWrap(true);
    }
    auto* remove = new QPushButton(m_claims);
    labelButton(*remove, tr("Remove"), tr("Takes this claim back; the journal keeps it."));
    connect(remove, &QPushButton::clicked, this, [this, entry = claim.entry] { model().removeClaim(entry); });
    auto* row = new QHBoxLayout;
    addAll(*row, {remove, FreeRoom});
    addAll(*static_cast<QVBoxLayout*>(m_claims->layout()), {text, verdict, row});
}

void ClaimForm::showWork()
{
    std::vector<Shown> claims;
    const std::vector<analysis::RunRecord> runs = model().recordsOf(*m_experimentStep);
    for (const laboratory::MadeClaim& made : model().state().claimsOf(step().id)) {
        claims.push_back(shownOf(made, runs));
    }
    if (claims == m_shown && m_claims != nullptr) {
        return;
    }
    m_shown = std::move(claims);
    if (m_claims != nullptr) {
        m_claims->hide();
        m_claims->deleteLater(); // the button that was clicked is among it
    }
    m_claims = new QWidget(this);
    auto* layout = new QVBoxLayout(m_claims);
    layout->setContentsMargins(0, 8, 0, 0);
    for (const Shown& claim : m_shown) {
        addClaim(claim);
    }
    m_claimsPlace->addWidget(m_claims);
}

void ClaimForm::retranslate()
{
    fill();
    showFields();
    describe(*m_figure, tr("Figure"), tr("What the claim is about."));
    describe(*m_variant, tr("Variant"), tr("Whose figure it is."));
    describe(*m_kind, tr("Relation"), tr("What you claim."));
    describe(*m_against, tr("Other variant"), tr("What it is compared with."));
    describe(*m_parameter, tr("Parameter"), tr("With what the figure rises or falls."));
    describe(*m_percent, tr("By at least"), tr("In percent, for shares in points; 0 is any amount."));
    m_percent->setPrefix(tr("by at least "));
    m_percent->setSuffix(QStringLiteral(" %"));
    m_text->setPlaceholderText(tr("In your own words"));
    describe(*m_text, tr("In your own words"), tr("Why you claim it; may be empty."));
    labelButton(*m_add, tr("Add the claim"), tr("Its verdict stands below, and follows the runs."));
    showWork();
}

} // namespace lockstep::ui
