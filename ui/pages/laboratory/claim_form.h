// Claims about an experiment's runs: a figure, what is compared, by how much; each with its verdict, which follows the
// runs. GUI thread only.
#pragma once

#include "ui/pages/laboratory/step_form.h"

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace lockstep::ui {

class ClaimForm : public StepForm {
    Q_OBJECT

public:
    ClaimForm(LaboratoryModel& model, QWidget* parent);
    void showWork() override;

private:
    /// A claim that is made, as it is shown.
    struct Shown {
        std::int64_t entry = 0;
        laboratory::Judgement judgement = laboratory::Judgement::NotMeasured;
        QString text;
        QString verdict;

        bool operator==(const Shown&) const = default;
    };

    [[nodiscard]] std::string usualFigure() const;
    void fill();
    void showFields();
    void add();
    void addClaim(const Shown& claim);
    [[nodiscard]] Shown shownOf(const laboratory::MadeClaim& made, const std::vector<analysis::RunRecord>& runs) const;
    [[nodiscard]] laboratory::Claim claim() const;
    [[nodiscard]] QString claimText(const laboratory::Claim& claim) const;
    void retranslate() final;

    const laboratory::Step* m_experimentStep;
    const laboratory::ExperimentStep& m_experiment;
    QComboBox* m_figure;
    QComboBox* m_variant;
    QComboBox* m_kind;
    QComboBox* m_against;
    QComboBox* m_parameter;
    QDoubleSpinBox* m_percent;
    QLineEdit* m_text;
    QLabel* m_wrong;
    QPushButton* m_add;
    std::vector<Shown> m_shown;
    QWidget* m_claims = nullptr; ///< of the claims that are made
    QVBoxLayout* m_claimsPlace;
};

} // namespace lockstep::ui
