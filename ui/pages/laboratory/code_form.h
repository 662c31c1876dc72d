// Code to write: where the student's file is, Check, and what it says. CodePane shows the code. GUI thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace lockstep::ui {

class CodeForm : public StepForm {
    Q_OBJECT

public:
    CodeForm(LaboratoryModel& model, QWidget* parent);
    void showWork() override;

private:
    void build();
    void showFile();
    void showVerdict();
    [[nodiscard]] static QString handedInText(bool isThere);
    [[nodiscard]] QString historyText() const;
    void retranslate() final;

    const laboratory::CodeStep& m_step;
    QLabel* m_where;
    QPushButton* m_write;
    QPushButton* m_edit;
    QPushButton* m_folder;
    QPushButton* m_check;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
    QLabel* m_verdict;
    QPlainTextEdit* m_output;
    QLabel* m_history;
};

} // namespace lockstep::ui
