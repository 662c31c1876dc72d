// A laboratory that is open: the student's work, the step that is shown, and predictions that are not sealed yet. Forms
// show it and change it; it reports what the disk refuses. GUI thread only; no widgets.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "laboratory/laboratory_key.h"
#include "laboratory/prediction.h"
#include "laboratory/work.h"
#include "ui/models/laboratory/code_check.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::ui {

/// Where the runs of a laboratory are looked up; nothing where a run is not known any more.
struct RunLookup {
    std::function<std::optional<analysis::RunRecord>(const RunId& run)> record; ///< with its curves where loaded
    std::function<std::optional<analysis::RunStatus>(const RunId& run)> status;
    /// How many runs of a step stand in the queue and have no id yet; may be empty: none.
    std::function<int(const std::string& step)> waiting{};
};

class LaboratoryModel : public QObject {
    Q_OBJECT

public:
    /// `key`: of a preview by its author.
    LaboratoryModel(std::unique_ptr<laboratory::Work> work, RunLookup runs,
        std::optional<laboratory::LaboratoryKey> key = std::nullopt);

    [[nodiscard]] const laboratory::Work& work() const { return *m_work; }
    [[nodiscard]] const laboratory::WorkState& state() const { return m_work->state(); }
    [[nodiscard]] const laboratory::Laboratory& laboratory() const { return m_work->laboratory(); }

    [[nodiscard]] int currentIndex() const { return m_current; }
    [[nodiscard]] const laboratory::Step& current() const;
    void setCurrent(int index);
    [[nodiscard]] laboratory::StepState stateOf(const laboratory::Step& step) const;
    /// The runs of an experiment step that are known, in the order in which they were started.
    [[nodiscard]] std::vector<analysis::RunRecord> recordsOf(const laboratory::Step& experiment) const;

    /// Of all runs that the step asked for: how many have ended as they should, run, and wait for their turn.
    struct RunCounts {
        int known = 0;
        int finished = 0;
        int active = 0;
        int queued = 0;

        [[nodiscard]] bool areUnderWay() const { return active + queued > 0; }
    };
    [[nodiscard]] RunCounts countsOf(const laboratory::Step& experiment) const;

    /// Texts of free parameters, by name.
    [[nodiscard]] std::map<std::string, QString>& freeTextsOf(const std::string& step) { return m_freeTexts[step]; }

    /// Of a preview by its author; null: there is none.
    [[nodiscard]] const laboratory::LaboratoryKey* key() const { return m_key ? &*m_key : nullptr; }

    [[nodiscard]] CodeCheck& codeCheck() { return m_codeCheck; }

    // Changes of the work. What is refused is reported by failed(); false then.
    bool setStudents(const std::vector<laboratory::Student>& students);
    bool type(const laboratory::Answer& answer);
    bool keepDraft(const laboratory::PredictionDraft& draft);
    bool sealAnswer();
    bool seal(const laboratory::Prediction& prediction);
    bool comment(const QString& text);
    bool addClaim(const laboratory::Claim& claim);
    bool removeClaim(std::int64_t entry);
    bool setDone();
    bool addRuns(const std::string& step, const std::vector<RunId>& runs);
    void writeTyped();

Q_SIGNALS:
    /// The work, or what its runs say; also emitted by who knows that these have got further.
    void changed();
    /// Another step is shown.
    void currentChanged();
    /// The current experiment step is to be run.
    void runRequested();
    void studentsRequested();
    void failed(const QString& message);

private:
    /// Reports an error; else emits changed().
    bool tell(const Result<void>& result);

    std::unique_ptr<laboratory::Work> m_work;
    RunLookup m_runs;
    std::optional<laboratory::LaboratoryKey> m_key;
    int m_current = 0;
    std::map<std::string, std::map<std::string, QString>> m_freeTexts;
    CodeCheck m_codeCheck; ///< of m_work, which outlives it
    QTimer m_watch; ///< for what writing by the clock meets
};

/// Its title; of a hand-in with the names of who handed it in.
[[nodiscard]] QString titleOf(const LaboratoryModel& model);
/// How often the student's ranges held; empty where no number was measured yet.
[[nodiscard]] QString rangesText(const LaboratoryModel& model);
/// The experiment step whose runs stand beside this one; null: none.
[[nodiscard]] const laboratory::Step* experimentOf(const LaboratoryModel& model, const laboratory::Step& step);
/// Whether the student's number is missing, of which the step makes its seed.
[[nodiscard]] bool needsNumber(const LaboratoryModel& model, const laboratory::Step& experiment);
/// The runs that Run would start.
[[nodiscard]] Result<std::vector<experiment::RunSpec>> runsToStart(
    LaboratoryModel& model, const laboratory::Step& experiment);
/// Why the experiment step cannot be run now; empty: it can.
[[nodiscard]] QString runProblemOf(LaboratoryModel& model, const laboratory::Step& experiment);

} // namespace lockstep::ui
