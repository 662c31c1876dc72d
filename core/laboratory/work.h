// A student's work on one laboratory: a folder with laboratory.lab as it was opened and work.jsonl; its runs lie in the
// workbench's store. One object a folder at a time, in a thread with an event loop. Nothing that was written is changed
// or deleted.
#pragma once

#include "base/result.h"
#include "laboratory/claim.h"
#include "laboratory/code/code_verdict.h"
#include "laboratory/journal.h"
#include "laboratory/laboratory.h"
#include "laboratory/prediction.h"
#include "laboratory/work_state.h"

#include <QByteArray>
#include <QString>
#include <QTimer>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::laboratory {

/// Typed text is written at most this long after the first key that is not written yet.
inline constexpr std::chrono::milliseconds TypingDelay{500};

struct HandIn;

/// `STORE/laboratories/ID-REVISION`
[[nodiscard]] QString workFolderOf(const QString& storeFolder, const Laboratory& laboratory);
/// The folders of a store in which work was begun, by name.
[[nodiscard]] std::vector<QString> workFoldersIn(const QString& storeFolder);

class Work {
public:
    /// Opens the work on this laboratory, or begins it. Work that was begun with another content of the same revision
    /// keeps the earlier laboratory: isOfOtherContent().
    [[nodiscard]] static Result<std::unique_ptr<Work>> open(const QString& storeFolder, const Laboratory& laboratory);
    /// Of a folder that is there.
    [[nodiscard]] static Result<std::unique_ptr<Work>> openFolder(const QString& folder);
    /// Of a hand-in, without a folder: it is only read, and every change is refused.
    [[nodiscard]] static std::unique_ptr<Work> forReading(HandIn handIn);
    ~Work(); ///< writes what was typed
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    [[nodiscard]] const Laboratory& laboratory() const { return m_laboratory; }
    [[nodiscard]] const QString& folder() const { return m_folder; }
    [[nodiscard]] const Journal& journal() const { return m_journal; }
    [[nodiscard]] const WorkState& state() const { return m_state; }
    [[nodiscard]] bool isOfOtherContent() const { return m_isOfOtherContent; }
    [[nodiscard]] bool isReadOnly() const { return m_folder.isEmpty(); }
    /// Of a hand-in, the student's file of a code step; nullptr: none was handed in, or the work is none.
    [[nodiscard]] const QByteArray* handedInCode(const std::string& step) const;
    /// As the journal has it now, for reading in another thread.
    [[nodiscard]] std::shared_ptr<const Work> copy() const;

    /// One to four, names and numbers in any script; empty ones are left out. The first one's number makes the seed.
    [[nodiscard]] Result<void> setStudents(std::vector<Student> students);

    /// An answer as it is typed or chosen: state() has it at once, the journal within TypingDelay. Refused once sealed.
    [[nodiscard]] Result<void> type(const std::string& step, Answer answer);
    /// The same for a prediction that is not sealed.
    [[nodiscard]] Result<void> keepDraft(const std::string& step, PredictionDraft draft);
    /// Writes now what was typed.
    [[nodiscard]] Result<void> writeTyped();
    /// What writing by the clock met, once.
    [[nodiscard]] std::optional<Error> takeWriteError();
    /// Of a question; from then on its answer stays. On the disk when it returns; gives the code.
    [[nodiscard]] Result<std::string> sealAnswer(const std::string& step);

    /// On the disk when it returns; gives the eight characters of the code. Refused a second time, once the experiment
    /// has run, and where checkPrediction() refuses it.
    [[nodiscard]] Result<std::string> seal(const std::string& step, const Prediction& prediction);
    /// To a sealed prediction or answer.
    [[nodiscard]] Result<void> comment(const std::string& step, const std::string& text);

    /// The spec to run now: specOf() with the first student's number. Refused while predictions of the step are
    /// missing.
    [[nodiscard]] Result<experiment::Spec> specToRun(
        const std::string& step, std::span<const experiment::Override> overrides = {}) const;
    /// Once they are started.
    [[nodiscard]] Result<void> addRuns(const std::string& step, const std::vector<RunId>& runs);

    [[nodiscard]] Result<void> addClaim(const std::string& step, const Claim& claim);
    /// A new entry: the journal keeps the claim.
    [[nodiscard]] Result<void> removeClaim(const std::string& step, std::int64_t entry);

    /// What was said of this code. On the disk when it returns.
    [[nodiscard]] Result<void> addCheck(const std::string& step, const QByteArray& code, const CodeVerdict& verdict);

    /// Of a step to read.
    [[nodiscard]] Result<void> setDone(const std::string& step);

private:
    Work(QString folder, Laboratory laboratory, Journal journal);
    [[nodiscard]] Result<void> append(
        EntryKind kind, const std::string& step, Json content, Journal::Sync sync = Journal::Sync::No);
    [[nodiscard]] Result<std::string> appendSeal(const std::string& step, Json content);
    /// Writes it within TypingDelay.
    void writeSoon(const std::string& step, Json content);

    QString m_folder;
    Laboratory m_laboratory;
    Journal m_journal;
    WorkState m_state;
    bool m_isOfOtherContent = false;
    std::map<std::string, Json> m_typed; ///< by step: an answer or a draft that is not written yet
    std::map<std::string, QByteArray> m_code; ///< of a hand-in, by step
    std::optional<Error> m_writeError;
    QTimer m_writing;
};

/// The student's file of a code step, in the work's folder; it may not be there yet.
[[nodiscard]] QString codeFileOf(const Work& work, const Step& step);
/// Writes it from the step's template. Refuses to replace a file.
[[nodiscard]] Result<void> writeTemplate(const Work& work, const std::string& step);

} // namespace lockstep::laboratory
