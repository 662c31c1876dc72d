// "Read the script's parameters", under the field of the program: adds a field for each parameter that the script of
// the user's own program declares. Nothing is read before the button is pressed. GUI thread only.
#pragma once

#include "base/result.h"
#include "ui/widgets/translated.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace lockstep::ui {

class FormModel;

/// What the button does: of the first variant with a user's own program.
Result<void> readOwnParameters(FormModel& model);

class OwnParametersRow : public Translated<QWidget> {
    Q_OBJECT

public:
    /// The model outlives the row.
    explicit OwnParametersRow(FormModel& model, QWidget* parent = nullptr);

private:
    void read();
    void showState();
    void retranslate() final;

    FormModel& m_model;
    QPushButton* m_button;
    QLabel* m_error;
};

} // namespace lockstep::ui
