// What a start offers of the time before: the experiment and its form as they were left, and a run that was
// interrupted. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace lockstep::ui {

class DocumentActions;
class FormModel;

class LastSession : public QObject {
    Q_OBJECT

public:
    /// Remembers the form from now on, shortly after each change. Form and documents outlive this.
    LastSession(FormModel& form, DocumentActions& documents, QObject* parent);

    /// Opens the remembered experiment, also one that was never saved, and puts its changes back into the form; leaves
    /// out parameters that no longer exist. False: nothing is remembered, or it cannot be opened.
    bool restore();
    /// Remembers the form now: at the end.
    void save();

    /// The newest run if it was interrupted, once: a run that was offered is not offered again.
    [[nodiscard]] static std::optional<RunId> interrupted(const std::vector<analysis::RunRecord>& records);

private:
    FormModel& m_form;
    DocumentActions& m_documents;
    QTimer m_timer;
};

} // namespace lockstep::ui
