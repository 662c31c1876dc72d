#include "ui/models/form/form_undo.h"

#include "ui/models/form/form_model.h"

#include <utility>

namespace lockstep::ui {

FormEdit::FormEdit(FormModel& model, const QString& what, QString field, std::shared_ptr<const FormState> before,
    std::shared_ptr<const FormState> after)
    : QUndoCommand(what)
    , m_model(model)
    , m_field(std::move(field))
    , m_before(std::move(before))
    , m_after(std::move(after))
{ }

void FormEdit::undo()
{
    m_model.restore(*m_before);
}

void FormEdit::redo()
{
    m_model.restore(*m_after);
}

bool FormEdit::mergeWith(const QUndoCommand* other)
{
    const auto* next = dynamic_cast<const FormEdit*>(other);
    if (next == nullptr || next->m_field != m_field) {
        return false;
    }
    m_after = next->m_after;
    setObsolete(*m_before == *m_after);
    return true;
}

} // namespace lockstep::ui
