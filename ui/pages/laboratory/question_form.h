// An answer: free text, a number with its unit, a choice or an order; saved as it is typed. Where the laboratory hides
// settings until the answer is given, it is sealed. GUI thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace lockstep::ui {

class OrderList;
class SealedBox;

class QuestionForm : public StepForm {
    Q_OBJECT

public:
    QuestionForm(LaboratoryModel& model, QWidget* parent);
    void showWork() override;

private:
    void makeChoices();
    void putAnswer();
    [[nodiscard]] laboratory::Answer answer() const;
    void keep();
    void retranslate() final;

    const laboratory::QuestionStep& m_question;
    bool m_isSealable = false; ///< until it is sealed, its experiment hides settings
    QPlainTextEdit* m_text = nullptr; ///< this one and the next four: null where the form is another
    QLineEdit* m_number = nullptr;
    QLabel* m_unit = nullptr;
    QButtonGroup* m_choices = nullptr;
    OrderList* m_order = nullptr;
    QLabel* m_saved;
    QPushButton* m_seal;
    SealedBox* m_sealed;
};

} // namespace lockstep::ui
