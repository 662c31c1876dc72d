// marks.json: what marking gave for each hand-in. Automatic points are computed again at each marking; what was given
// by hand is kept.
#pragma once

#include "base/result.h"
#include "laboratory/prediction.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory::grading {

inline constexpr int MarksVersion = 1;
inline const char* const MarksName = "marks.json";

/// One line of a rubric, as a marker filled it in.
struct RubricRow {
    std::string text;
    double points = 0.0;

    bool operator==(const RubricRow&) const = default;
};

/// What a marker gave.
struct ByHand {
    std::optional<double> points{}; ///< in the place of automatic ones
    std::vector<RubricRow> rubric{}; ///< without `points` their sum counts
    std::string comment{};
    std::string by{}; ///< who marked

    [[nodiscard]] bool empty() const { return !points && rubric.empty() && comment.empty(); }
    bool operator==(const ByHand&) const = default;
};

struct StepMark {
    std::string step;
    double of = 0.0; ///< the most that the step gives
    std::optional<double> automatic{}; ///< nothing: to be marked by hand
    Text note{}; ///< why, or what was measured
    std::vector<Text> remarks{}; ///< what the marker should see
    ByHand byHand{};

    /// Given by hand, or else automatic; nothing: still to be marked.
    [[nodiscard]] std::optional<double> points() const;
};

/// The marks of one hand-in: each of its students gets them.
struct WorkMarks {
    std::vector<Student> students{};
    std::string file{}; ///< as the LMS named it
    std::string at{}; ///< by the student's computer; shown, never used for lateness
    int revision = 1;
    bool isLate = false; ///< by the LMS
    std::vector<std::string> others{}; ///< earlier hand-ins of these students, which do not count
    std::vector<Text> remarks{};
    std::vector<StepMark> steps{};
    std::string comment{}; ///< by hand, to the whole

    [[nodiscard]] double points() const; ///< without steps that are still to be marked
    [[nodiscard]] double of() const;
    [[nodiscard]] std::size_t open() const; ///< steps that are still to be marked
    [[nodiscard]] const StepMark* find(std::string_view step) const; ///< nullptr: none
};

struct Marks {
    std::string laboratory;
    std::vector<WorkMarks> works;
    std::vector<std::string> comments; ///< the comment bank, by number from 1; empty: one that was removed
    std::string salt; ///< random, of codeOf(); empty in marks of an earlier version

    /// The work of any of these students by number; nullptr: none.
    [[nodiscard]] const WorkMarks* find(const std::vector<Student>& students) const;
};

/// Whether they have a student in common: by normalizedNumber(), without a number by name.
[[nodiscard]] bool shareStudents(const std::vector<Student>& some, const std::vector<Student>& others);
/// `007 Ada, 8 Грейс`
[[nodiscard]] std::string namesIn(const std::vector<Student>& students);
/// `2`, `1.5`, `0.67`
[[nodiscard]] std::string pointsText(double points);

/// 128 random bits in hexadecimal digits.
[[nodiscard]] std::string newSalt();

[[nodiscard]] std::string toJson(const Marks& marks);
/// Refuses a later version, and unknown fields by name. `name`: for messages.
[[nodiscard]] Result<Marks> parseMarks(std::string_view json, const std::string& name);

/// Takes what was given by hand, the comment bank, and works of which there is no hand-in now, from earlier marks.
/// Gives what differs, a line each: automatic points, another hand-in.
[[nodiscard]] std::vector<Text> keepByHand(Marks& marks, const Marks& before);
/// Takes what another marker gave by hand where there is nothing yet. Gives a line for each conflict: there `marks`
/// stays as it is.
[[nodiscard]] std::vector<Text> merge(Marks& marks, Marks other);

} // namespace lockstep::laboratory::grading
