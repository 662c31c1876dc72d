// An experiment to run: what is to be done before, the parameters that are free, Run, and how far its runs are. GUI
// thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

#include <string>
#include <utility>
#include <vector>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockstep::ui {

class ExperimentStepForm : public StepForm {
    Q_OBJECT

public:
    ExperimentStepForm(LaboratoryModel& model, QWidget* parent);
    void showWork() override;

private:
    void addFree(QFormLayout& fields, const std::string& name);
    [[nodiscard]] QString runsText() const;
    void retranslate() final;

    const laboratory::ExperimentStep& m_experiment;
    QLabel* m_what;
    QLabel* m_locked;
    std::vector<std::pair<QLabel*, QLineEdit*>> m_free; ///< in the order of ExperimentStep::free
    QLabel* m_problem;
    QPushButton* m_run;
    QPushButton* m_students;
    QLabel* m_runs;
};

} // namespace lockstep::ui
