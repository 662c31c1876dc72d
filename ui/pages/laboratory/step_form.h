// What a student fills in of one step: a form by the step's kind. It shows the work and changes it through the model.
// GUI thread only.
#pragma once

#include "ui/models/laboratory/laboratory_model.h"
#include "ui/widgets/translated.h"

#include <QWidget>

namespace lockstep::ui {

class CurvePad;

class StepForm : public Translated<QWidget> {
    Q_OBJECT

public:
    /// For the model's current step. The model outlives the form.
    StepForm(LaboratoryModel& model, QWidget* parent)
        : Translated(parent)
        , m_model(model)
        , m_step(model.current())
    { }

    /// The work has changed, or what its runs say.
    virtual void showWork() = 0;

protected:
    [[nodiscard]] LaboratoryModel& model() const { return m_model; }
    [[nodiscard]] const laboratory::Step& step() const { return m_step; }

private:
    LaboratoryModel& m_model;
    const laboratory::Step& m_step;
};

/// `pad`: the axes beside, on which a curve is drawn.
[[nodiscard]] StepForm* makeStepForm(LaboratoryModel& model, CurvePad& pad, QWidget* parent);

} // namespace lockstep::ui
