// What a start offers of the time before: the form as it was left, and a run that was interrupted. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace lockstep::ui {

class FormModel;

class LastSession : public QObject {
    Q_OBJECT

public:
    /// Remembers the form from now on, shortly after each change. The form outlives this.
    LastSession(FormModel& form, QObject* parent);

    /// The experiment of the remembered form; empty: there is none.
    [[nodiscard]] static QString experiment();
    /// Puts what was typed back into the form, which has the experiment already. Leaves alone what it no longer has.
    void restore();
    /// Remembers the form now: at the end.
    void save();

    /// The newest run if it was interrupted, once: a run that was offered is not offered again.
    [[nodiscard]] static std::optional<RunId> interrupted(const std::vector<analysis::RunRecord>& records);

private:
    FormModel& m_form;
    QTimer m_timer;
};

} // namespace lockstep::ui
