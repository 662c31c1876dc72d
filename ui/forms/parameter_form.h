// The parameter form, generated from the parameter table: basic rows first, advanced ones folded by group. Fields
// that do not apply are hidden. GUI thread only.
#pragma once

#include "experiment/parameter.h"

#include <QWidget>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::ui {

class Fold;
class FormModel;
class ParameterField;

class ParameterForm : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the form.
    explicit ParameterForm(FormModel& model, QWidget* parent = nullptr);

    /// Puts a widget of another kind under a basic field.
    void insertBelow(std::string_view name, QWidget* widget);
    /// Opens its section and gives it the focus.
    void focusField(const std::string& name);

Q_SIGNALS:
    /// A field has the focus: its help, for the line under the form.
    void helpAvailable(const QString& help);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    [[nodiscard]] ParameterField* makeField(const experiment::Parameter& parameter);
    /// Fields for the parameters of the user's own program, which change with it.
    void updateOwnFields();
    void showRows();
    void retranslate();

    FormModel& m_model;
    std::vector<ParameterField*> m_fields;
    std::map<std::string, Fold*> m_folds; ///< by the table's group text
};

} // namespace lockstep::ui
