// Of a step to read: nothing but the code of a step of code, which is shown. GUI thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

class QLabel;
class QPlainTextEdit;

namespace lockstep::ui {

class ReadingForm : public StepForm {
    Q_OBJECT

public:
    ReadingForm(LaboratoryModel& model, QWidget* parent);
    void showWork() override;

private:
    void retranslate() final;

    QPlainTextEdit* m_code = nullptr; ///< null: the step has none
    QLabel* m_note;
};

} // namespace lockstep::ui
