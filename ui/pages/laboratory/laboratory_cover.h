// In place of the charts: what the laboratory is about and how far it is, why no chart is shown yet, or the axes of a
// curve. GUI thread only.
#pragma once

#include "ui/widgets/translated.h"

#include <QWidget>

class QLabel;

namespace lockstep::ui {

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
    [[nodiscard]] QString rangesText() const;
    void retranslate() final;

    LaboratoryModel* m_model = nullptr;
    QLabel* m_title;
    QLabel* m_text;
    CurvePad* m_pad;
    QLabel* m_legend;
};

} // namespace lockstep::ui
