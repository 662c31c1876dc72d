// Chooses a parameter and the values that variants take of it. GUI thread only.
#pragma once

#include "ui/forms/variants_dialog.h"

#include <vector>

class QComboBox;
class QLineEdit;
class QListWidget;
class QRadioButton;
class QSpinBox;

namespace lockstep::ui {

class VaryDialog : public VariantsDialog {
    Q_OBJECT

public:
    VaryDialog(FormModel& model, Cost cost, QWidget* parent);

    void choose(const experiment::Parameter& parameter);

protected:
    [[nodiscard]] Result<Variants> made() const override;
    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString inWords(const Error& error) const override;

private:
    enum class Way { List, Range, LogarithmicRange };

    void listParameters();
    void takeAssignment(const QString& text);
    void makeFields();
    [[nodiscard]] const experiment::Parameter* chosen() const;
    [[nodiscard]] Result<std::vector<experiment::Value>> values() const;
    [[nodiscard]] Way way() const;
    /// Shows the fields that the parameter's type needs, with the values that the variants have.
    void showParameter();
    void showWay();

    std::vector<const experiment::Parameter*> m_listed;
    const experiment::Parameter* m_shown = nullptr;
    QComboBox* m_parameter;
    QComboBox* m_way;
    QLineEdit* m_values;
    QListWidget* m_choices;
    QWidget* m_range;
    QLineEdit* m_from;
    QLineEdit* m_to;
    QSpinBox* m_count;
    QRadioButton* m_every;
    QRadioButton* m_each;
};

} // namespace lockstep::ui
