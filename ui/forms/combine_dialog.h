// Makes a variant of every value of one column with every value of another. GUI thread only.
#pragma once

#include "ui/forms/variants_dialog.h"

class QComboBox;

namespace lockstep::ui {

class CombineDialog : public VariantsDialog {
    Q_OBJECT

public:
    CombineDialog(FormModel& model, Cost cost, QWidget* parent);

protected:
    [[nodiscard]] Result<Variants> made() const override;
    [[nodiscard]] QString title() const override;

private:
    [[nodiscard]] const experiment::Parameter* chosen(const QComboBox& box) const;

    QComboBox* m_first;
    QComboBox* m_second;
};

} // namespace lockstep::ui
