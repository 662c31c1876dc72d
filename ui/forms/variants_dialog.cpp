#include "ui/forms/variants_dialog.h"

#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// So that the same sample is drawn again, also by another person.
constexpr std::uint64_t SampleSeed = 1;

} // namespace

VariantsDialog::VariantsDialog(FormModel& model, Cost cost, QWidget* parent)
    : QDialog(parent)
    , m_model(model)
    , m_cost(std::move(cost))
    , m_rows(new QFormLayout)
    , m_isSample(new QCheckBox(tr("Only a random sample of"), this))
    , m_sample(new QSpinBox(this))
    , m_outcome(plainLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this))
{
    setMinimumWidth(400);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_isSample->setObjectName(QStringLiteral("is_sample"));
    m_sample->setObjectName(QStringLiteral("sample"));
    m_sample->setRange(1, static_cast<int>(experiment::MostRuns));
    m_sample->setValue(10);
    m_sample->setEnabled(false);
    describe(*m_isSample, m_isSample->text(), tr("Keeps some of the variants, drawn at random."));
    describe(*m_sample, tr("Variants in the sample"), tr("How many of the variants are kept, drawn at random."));
    m_outcome->setObjectName(QStringLiteral("outcome"));
    m_outcome->setWordWrap(true);
    m_outcome->setMinimumHeight(2 * fontMetrics().lineSpacing() + 2);
    auto* sample = new QHBoxLayout;
    addAll(*sample, {m_isSample, m_sample, FreeRoom});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {m_rows, sample, m_outcome, FreeRoom, m_buttons});
    connect(m_isSample, &QCheckBox::toggled, m_sample, &QWidget::setEnabled);
    connect(m_isSample, &QCheckBox::toggled, this, &VariantsDialog::refresh);
    connect(m_sample, &QSpinBox::valueChanged, this, &VariantsDialog::refresh);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &VariantsDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

Variants VariantsDialog::sampled(const Variants& variants) const
{
    return m_isSample->isChecked() ? sampleOf(variants, static_cast<std::size_t>(m_sample->value()), SampleSeed)
                                   : variants;
}

QString VariantsDialog::inWords(const Error& error) const
{
    return errorText(error);
}

void VariantsDialog::refresh()
{
    const auto variants = made();
    QPalette colors;
    if (!variants) {
        colors.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
        m_outcome->setText(inWords(variants.error()));
    } else {
        // The runs of the form as it would be then; only ticked variants count.
        const Variants kept = sampled(*variants);
        const FormOutcome outcome = m_model.outcomeWith(kept);
        QString text = tr("%n variant(s)", nullptr, static_cast<int>(kept.size()));
        if (!outcome.problem.isEmpty()) {
            text += QStringLiteral(" · ") + outcome.problem;
        } else {
            text += QStringLiteral(" · ") + m_cost(outcome.spec);
        }
        m_outcome->setText(text);
    }
    m_outcome->setPalette(colors);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(variants.isOk());
}

void VariantsDialog::accept()
{
    const auto variants = made();
    if (!variants) {
        return;
    }
    m_model.setVariants(title(), sampled(*variants));
    QDialog::accept();
}

} // namespace lockstep::ui
