// Of a step to read, and of code, which is shown: a button that says that it was read. GUI thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

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
    QPushButton* m_read;
};

} // namespace lockstep::ui
