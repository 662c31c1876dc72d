#include "ui/pages/laboratory/laboratory_cover.h"

#include "ui/models/form/experiment_document.h"
#include "ui/models/laboratory/laboratory_model.h"
#include "ui/models/laboratory/step_text.h"
#include "ui/models/shown_text.h"
#include "ui/pages/laboratory/code_pane.h"
#include "ui/pages/laboratory/curve_pad.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

LaboratoryCover::LaboratoryCover(QWidget* parent)
    : Translated(parent)
    , m_title(plainLabel(this))
    , m_text(plainLabel(this))
    , m_pad(new CurvePad(this))
    , m_legend(plainLabel(this))
    , m_code(new CodePane(this))
{
    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    font.setBold(true);
    m_title->setFont(font);
    m_text->setObjectName(QStringLiteral("cover"));
    for (QLabel* label : {m_title, m_text, m_legend}) {
        label->setWordWrap(true);
    }
    m_pad->setObjectName(QStringLiteral("curve_pad"));
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {24, 20, 24, 20}, 12, {m_title, m_text, {m_pad, 1}, m_legend, {m_code, 1}});
    layout->addStretch(0);
    retranslate();
    hide();
}

void LaboratoryCover::setModel(LaboratoryModel* model)
{
    m_model = model;
    m_code->setModel(model);
    showWork();
}

QString LaboratoryCover::overview() const
{
    const laboratory::Laboratory& laboratory = m_model->laboratory();
    QStringList lines{wordingText(laboratory.aim)};
    if (const QString course = wordingText(laboratory.course); !course.isEmpty()) {
        lines += tr("Course: %1").arg(course);
    }
    if (laboratory.minutes > 0) {
        lines += tr("Takes about %1 minutes.").arg(laboratory.minutes);
    }
    const auto done = std::ranges::count_if(laboratory.steps, [this](const laboratory::Step& step) {
        return !step.isOptional && m_model->stateOf(step) == laboratory::StepState::Done;
    });
    const auto asked = std::ranges::count(laboratory.steps, false, &laboratory::Step::isOptional);
    if (m_model->state().students().empty() && !m_model->work().isReadOnly()) {
        lines += tr("Enter your names and numbers first: the button is below the steps.");
    }
    lines += tr("Steps done: %1 of %2.").arg(done).arg(asked);
    lines += rangesText(*m_model);
    lines.removeAll(QString());
    return lines.join(QStringLiteral("\n\n"));
}

void LaboratoryCover::showWork()
{
    if (m_model == nullptr) {
        return;
    }
    const laboratory::Step& step = m_model->current();
    const laboratory::Step* experiment = experimentOf(*m_model, step);
    const auto* prediction = step.as<laboratory::PredictionStep>();
    const bool isCurve = prediction != nullptr && prediction->form == laboratory::PredictionForm::Curve;
    m_pad->setVisible(isCurve);
    m_legend->setVisible(isCurve);
    m_title->setText(shownName(wordingText(m_model->laboratory().title)));
    const bool isCode = step.is<laboratory::CodeStep>() && !laboratory::isToRead(step);
    m_code->setVisible(isCode);
    m_title->setVisible(!isCurve && !isCode);
    m_text->setVisible(!isCurve && !isCode);
    if (isCode) {
        m_code->showWork();
        return;
    }
    if (isCurve) {
        m_pad->setAxes(curveAxes(*prediction, *experiment->as<laboratory::ExperimentStep>()));
        return;
    }
    const bool isHidden
        = experiment != nullptr && m_model->state().hidesEstimates(m_model->laboratory(), experiment->id);
    m_text->setText(experiment == nullptr ? overview()
            : isHidden
            ? tr("The charts are shown once the predictions are sealed.")
            : tr("The charts are shown once the experiment has run.") + QStringLiteral("\n\n") + rangesText(*m_model));
}

void LaboratoryCover::retranslate()
{
    describe(*m_pad, tr("Axes for your curve"),
        tr("Draw with the mouse. Keys: left and right move, up and down change the height, Delete clears."));
    m_legend->setText(tr("Dashed: your curve. Solid: as measured, the mean of the repeats."));
    showWork();
}

} // namespace lockstep::ui
