// What a student's journal says: who works, what was answered, predicted, run and claimed, and where each step stands.
// Made of a laboratory and the entries of its journal, so that a lecturer reads a hand-in by the same rules.
#pragma once

#include "base/ids.h"
#include "laboratory/claim.h"
#include "laboratory/journal.h"
#include "laboratory/laboratory.h"
#include "laboratory/prediction.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory {

enum class StepState : std::uint8_t {
    Open, ///< to be done
    Waiting, ///< an experiment whose predictions are not all sealed
    Ready, ///< an experiment that may run
    Done
};

/// What was sealed with its time (UTC), the eight characters of its code and the student's later remarks.
struct SealedPrediction {
    Prediction prediction;
    std::string at;
    std::string code;
    std::vector<std::string> comments;
};

struct SealedAnswer {
    Answer answer;
    std::string at;
    std::string code;
    std::vector<std::string> comments;
};

struct MadeClaim {
    std::int64_t entry = 0; ///< of the journal: its identity
    Claim claim;
    std::string at;
};

/// A verdict on a student's code as their own machine gave it. Marking checks the code again.
struct CheckedCode {
    std::string at;
    std::string sha256; ///< of the file
    bool isRight = false;
    std::string mistake; ///< key of the known mistake; may be empty
};

/// What a student has not done yet.
enum class MissingKind : std::uint8_t { Student, Unread, Unanswered, Unpredicted, WithoutRuns, WithoutClaim, Unsolved };
struct Missing {
    std::string step; ///< empty: of Student
    MissingKind kind = MissingKind::Unanswered;
};
/// `no prediction`: LS_TR("Laboratory", ...).
[[nodiscard]] std::string_view textOf(MissingKind kind);

class WorkState {
public:
    /// Entries that are not understood change nothing: a later version may have written them.
    void take(const Entry& entry);
    // What is typed but not in the journal yet.
    void setAnswer(const std::string& step, Answer answer) { m_answers[step] = std::move(answer); }
    void setDraft(const std::string& step, PredictionDraft draft) { m_drafts[step] = std::move(draft); }

    [[nodiscard]] const std::vector<Student>& students() const { return m_students; }
    [[nodiscard]] std::string number() const; ///< the first student's, which makes the seed; may be empty
    [[nodiscard]] Answer answerOf(std::string_view step) const;
    [[nodiscard]] const SealedAnswer* sealedAnswerOf(std::string_view step) const; ///< nullptr: not sealed
    [[nodiscard]] const SealedPrediction* sealOf(std::string_view step) const; ///< nullptr: not sealed
    [[nodiscard]] PredictionDraft draftOf(std::string_view step) const; ///< of a prediction that is not sealed
    [[nodiscard]] std::vector<RunId> runsOf(std::string_view step) const; ///< in the order in which they were started
    [[nodiscard]] std::vector<RunId> allRuns() const; ///< each once
    [[nodiscard]] std::vector<MadeClaim> claimsOf(std::string_view step) const;
    [[nodiscard]] std::vector<CheckedCode> checksOf(std::string_view step) const; ///< in order

    [[nodiscard]] StepState stateOf(const Laboratory& laboratory, std::string_view step) const;
    /// Of all steps but optional ones, in order.
    [[nodiscard]] std::vector<Missing> missing(const Laboratory& laboratory) const;
    /// Prediction steps of this experiment that are not sealed, in order.
    [[nodiscard]] std::vector<std::string> unsealed(
        const Laboratory& laboratory, std::string_view experimentStep) const;
    /// Whether estimates, predicted figures, findings and formulas about this experiment step are hidden now: while a
    /// prediction of it is not sealed.
    [[nodiscard]] bool hidesEstimates(const Laboratory& laboratory, std::string_view experimentStep) const;
    /// Whether the step's hidden parameters are hidden now: until every question about it is sealed.
    [[nodiscard]] bool hidesParameters(const Laboratory& laboratory, std::string_view experimentStep) const;
    /// Whether this parameter of that run is hidden now; false for runs that are not of this work.
    [[nodiscard]] bool hides(const Laboratory& laboratory, const RunId& run, std::string_view parameter) const;

private:
    void takeStudents(const Entry& entry);
    void takeSeal(const Entry& entry);
    void takeClaim(const Entry& entry);
    void takeComment(const Entry& entry);
    void takeCheck(const Entry& entry);

    std::vector<Student> m_students;
    std::map<std::string, Answer, std::less<>> m_answers;
    std::map<std::string, SealedAnswer, std::less<>> m_sealedAnswers;
    std::map<std::string, SealedPrediction, std::less<>> m_seals;
    std::map<std::string, PredictionDraft, std::less<>> m_drafts;
    std::map<std::string, std::vector<RunId>, std::less<>> m_runs;
    std::map<std::string, std::vector<MadeClaim>, std::less<>> m_claims;
    std::map<std::string, std::vector<CheckedCode>, std::less<>> m_checks;
    std::set<std::string, std::less<>> m_done;
};

} // namespace lockstep::laboratory
