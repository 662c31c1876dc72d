// In place of the charts: what the laboratory is about and how far it is, why no chart is shown yet, the axes of a
// curve, or the code of a code step. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QWidget>

class QLabel;

namespace lockstep::ui {

class CodePane;
class CurvePad;
class LaboratoryModel;

class LaboratoryCover : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit LaboratoryCover(QWidget* parent = nullptr);

    [[nodiscard]] CurvePad& pad() { return *m_pad; }
    /// Null: none, any more. The model outlives what is shown of it.
    void setModel(LaboratoryModel* model);
    /// Of the model's current step.
    void showWork();

private:
    [[nodiscard]] QString overview() const;
    void retranslate() final;

    LaboratoryModel* m_model = nullptr;
    QLabel* m_title;
    QLabel* m_text;
    CurvePad* m_pad;
    QLabel* m_legend;
    CodePane* m_code;
};

} // namespace lockstep::ui
