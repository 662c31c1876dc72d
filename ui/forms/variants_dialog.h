// What the dialogs that make variants share: a random sample of them, what they would cost, OK and Cancel. GUI thread
// only.
#pragma once

#include "base/result.h"
#include "ui/models/form/variant_edits.h"

#include <QDialog>

#include <functional>

class QCheckBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace lockstep::ui {

class FormModel;

class VariantsDialog : public QDialog {
    Q_OBJECT

public:
    using Cost = std::function<QString(const experiment::Spec&)>;

    /// The model outlives the dialog.
    VariantsDialog(FormModel& model, Cost cost, QWidget* parent);

    void accept() override;

protected:
    /// The variants that OK would put into the form, before a sample is drawn.
    [[nodiscard]] virtual Result<Variants> made() const = 0;
    /// The name of the change for undo.
    [[nodiscard]] virtual QString title() const = 0;

    /// Why made() refuses, in words.
    [[nodiscard]] virtual QString inWords(const Error& error) const;

    [[nodiscard]] FormModel& model() const { return m_model; }
    [[nodiscard]] QFormLayout& rows() const { return *m_rows; }
    /// After every change of a field: shows how many runs there would be, or what is wrong.
    void refresh();

private:
    [[nodiscard]] Variants sampled(const Variants& variants) const;

    FormModel& m_model;
    Cost m_cost;
    QFormLayout* m_rows;
    QCheckBox* m_isSample;
    QSpinBox* m_sample;
    QLabel* m_outcome;
    QDialogButtonBox* m_buttons;
};

} // namespace lockstep::ui
