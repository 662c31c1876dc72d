// Title, question and description of an experiment, in the window's language, and the chart that it opens with; folded
// away. GUI thread only.
#pragma once

#include "ui/forms/fold.h"
#include "ui/widgets/translated.h"

#include <string>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace lockstep::experiment {
struct About;
}

namespace lockstep::ui {

class FormModel;

class AboutEditor : public Translated<Fold> {
    Q_OBJECT

public:
    /// The model outlives the editor.
    explicit AboutEditor(FormModel& model, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void write();
    void showTexts();
    void listCharts();
    void writeChart();
    void retranslate() final;

    FormModel& m_model;
    QLabel* m_titleLabel;
    QLineEdit* m_title;
    QLabel* m_questionLabel;
    QLineEdit* m_question;
    QLabel* m_descriptionLabel;
    QPlainTextEdit* m_description;
    QLabel* m_chartLabel;
    QComboBox* m_chart;
};

} // namespace lockstep::ui
