// One change of the form in the undo stack. GUI thread only.
#pragma once

#include "ui/models/form/form_state.h"

#include <QString>
#include <QUndoCommand>

#include <memory>

namespace lockstep::ui {

class FormModel;

class FormEdit : public QUndoCommand {
public:
    /// `field`: what was edited; following edits of the same one are undone together. Empty: always one by itself.
    FormEdit(FormModel& model, const QString& what, QString field, std::shared_ptr<const FormState> before,
        std::shared_ptr<const FormState> after);

    void undo() override;
    void redo() override;
    [[nodiscard]] int id() const override { return m_field.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override;

private:
    FormModel& m_model;
    QString m_field;
    std::shared_ptr<const FormState> m_before;
    std::shared_ptr<const FormState> m_after;
};

} // namespace lockstep::ui
