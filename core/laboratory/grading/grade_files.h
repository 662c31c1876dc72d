// What marking writes into its folder. Texts are in this thread's language; data files are not.
#pragma once

#include "exchange/export/file_set.h"
#include "exchange/report/report.h"
#include "laboratory/grading/grade.h"

#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

/// Whether answers and the class's page show names, or codes in their place.
enum class Names { Codes, Shown };

inline const char* const AnswersName = "answers.csv";

/// marks.json, class.csv, class.json, class.html, answers.csv, answers.html, comments.csv, copies.csv.
[[nodiscard]] Result<std::vector<exchange::NewFile>> gradeFiles(const Grading& grading, Names names);

/// The feedback of one student as a report, with the name of its file without folder and suffix.
struct Feedback {
    std::string name;
    report::Report report;
};
[[nodiscard]] std::vector<Feedback> feedbackOf(const Grading& grading);
/// One HTML file.
[[nodiscard]] Result<std::string> feedbackPage(const Feedback& feedback);

/// The eight letters that stand for a hand-in: of the SHA-256 of the marks' salt, the laboratory's id and the first
/// student's number. Who has the salt, which is in marks.json, could try all numbers.
[[nodiscard]] std::string codeOf(const WorkMarks& work, const Marks& marks);

/// Points and comments that a marker wrote into answers.csv. `by`: who. A cell that is empty changes nothing; `-`
/// removes points or a comment. Gives a line for each row with something of a hand-in or step that is not there.
/// Error: points that are no number.
[[nodiscard]] Result<std::vector<Text>> takeAnswers(Marks& marks, const QByteArray& csv, const std::string& by);

} // namespace lockstep::laboratory::grading
