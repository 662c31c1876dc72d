// One row of the parameter form: label, editor, unit, reset, and what is wrong below it. Shows a FormRow and requests
// changes; it decides nothing. GUI thread only.
#pragma once

#include "ui/models/form/form_model.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lockstep::ui {

class ParameterField : public QWidget {
    Q_OBJECT

public:
    explicit ParameterField(const experiment::Parameter& parameter, QWidget* parent = nullptr);

    [[nodiscard]] const experiment::Parameter& parameter() const { return m_parameter; }
    void show(const FormRow& row);
    using QWidget::show;
    /// All labels of a form have one width, so that the editors are aligned in a column.
    [[nodiscard]] int labelWidth() const;
    void setLabelWidth(int width);
    [[nodiscard]] QWidget* editor() const { return m_editor; }

Q_SIGNALS:
    void textEdited(const QString& text);
    void resetRequested();
    /// The editor has got the focus.
    void focused();

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeEditor();
    void makeLineEdit(Qt::Alignment alignment);
    void choosePath();
    void setBrowseTexts();
    void setEditorText(const QString& text);
    void showUnit(const QString& text);
    void retranslate();
    void markEditor(bool isWrong);

    const experiment::Parameter& m_parameter;
    QLabel* m_label;
    QWidget* m_editor = nullptr;
    QToolButton* m_browse = nullptr;
    QLabel* m_unit;
    QToolButton* m_reset;
    QLabel* m_error;
    bool m_isWrong = false;
    bool m_isFile = false; ///< what the path names
};

/// Paints the frame of a line edit in the colour of an error, or as it was.
void markWrong(QWidget& editor, bool isWrong);

/// Event filters of editors return this: Ctrl+Z and Ctrl+Shift+Z are those of the form, not of the text in one field.
[[nodiscard]] bool leavesUndoToTheForm(QEvent* event);

} // namespace lockstep::ui
