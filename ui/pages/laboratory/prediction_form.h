// A prediction: by its form a choice, an order, a number with a range, or a curve that is drawn beside. Once sealed it
// stays, and its result stands below it. GUI thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

#include <array>
#include <optional>

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace lockstep::ui {

class OrderList;
class SealedBox;

class PredictionForm : public StepForm {
    Q_OBJECT

public:
    /// The pad outlives the form.
    PredictionForm(LaboratoryModel& model, CurvePad& pad, QWidget* parent);
    void showWork() override;

private:
    void makeDirection(QVBoxLayout& layout);
    void makeNumber(QVBoxLayout& layout);
    void showSealed(const laboratory::SealedPrediction& sealed);
    /// What is on the form; the sealed value or the draft is put onto it.
    void put(const laboratory::PredictionValue& value);
    /// Keeps what is on the form as the draft of this step.
    void keep();
    [[nodiscard]] std::optional<laboratory::PredictionValue> value() const;
    [[nodiscard]] std::optional<laboratory::PredictionValue> numberValue() const;
    void seal();
    void showOutcome(const laboratory::SealedPrediction& sealed);
    void retranslate() final;

    const laboratory::PredictionStep& m_prediction;
    const laboratory::ExperimentStep* m_experiment;
    CurvePad& m_pad;
    QLabel* m_question;
    QButtonGroup* m_directions = nullptr; ///< this one and the next three: null where the form is another
    OrderList* m_order = nullptr;
    std::array<QLineEdit*, 3> m_numbers{}; ///< low, best, high
    std::array<QLabel*, 3> m_numberLabels{};
    QLabel* m_unit = nullptr;
    QLabel* m_reasonLabel;
    QPlainTextEdit* m_reason;
    QLabel* m_wrong;
    QPushButton* m_seal;
    SealedBox* m_sealed;
    QLabel* m_outcome;
};

} // namespace lockstep::ui
