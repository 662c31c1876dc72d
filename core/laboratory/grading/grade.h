// Marks all hand-ins of a class: what cannot be read is one line, the others are marked.
#pragma once

#include "laboratory/grading/class_figures.h"
#include "laboratory/grading/copies.h"
#include "laboratory/grading/mark_work.h"
#include "laboratory/grading/marks.h"
#include "laboratory/grading/roster/roster.h"

#include <QDateTime>
#include <QString>

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

/// Of a marking in another thread than the one that shows it.
struct GradeProgress {
    std::function<void(std::size_t done, std::size_t all)> marked{}; ///< hand-ins; called in the thread that marks
    const std::atomic_bool* cancelled = nullptr; ///< null: never

    [[nodiscard]] Result<void> checkCancelled() const;
};

struct GradeRequest {
    QString submissions; ///< a folder, or the archive of an LMS
    std::vector<Laboratory> laboratories; ///< the first names what is marked; others are its other revisions
    std::vector<LaboratoryKey> keys; ///< one a revision
    const Roster* roster = nullptr;
    std::optional<QDateTime> deadline; ///< of the roster's times
    std::optional<Marks> before; ///< earlier marks of the same class
    std::vector<Marks> others; ///< of other markers
    CheckCode checkCode = codeNotRun;
    std::vector<std::string> again{}; ///< ids of runs, or numbers of students: Grading::chosen
    std::size_t againSample = 0; ///< so many finished runs more, drawn by the marks' salt, first one of each hand-in
    GradeProgress progress{};
};

/// A run that was asked for, to be run again.
struct ChosenRun {
    std::string file; ///< the hand-in that it is of
    std::vector<Student> students;
    analysis::RunRecord run;
    std::vector<double> repeats; ///< final losses of the finished runs of its variant in that hand-in, with its own
};

/// A file that could not be marked.
struct Unread {
    std::string file;
    Error why;
};

struct Grading {
    Laboratory laboratory;
    LaboratoryKey key; ///< of its revision
    Marks marks; ///< by the number of the first student
    std::vector<Unread> unread;
    std::vector<std::string> otherFiles; ///< that are no hand-ins
    std::vector<Text> differences; ///< to the earlier marks
    std::vector<Text> conflicts; ///< with other markers
    std::vector<WorkTraces> traces; ///< of the hand-ins that count
    std::vector<Copy> copies;
    ClassFigures figures;
    std::vector<ChosenRun> chosen; ///< of GradeRequest::again and againSample
    std::vector<Text> remarks; ///< to all: what was asked for and is not there
};

/// Error: nothing can be marked, as keys and laboratory do not fit or the submissions cannot be opened.
[[nodiscard]] Result<Grading> grade(const GradeRequest& request);

/// Puts points and totals into the roster. Gives students that it does not have, a line each.
[[nodiscard]] std::vector<Text> fillRoster(Roster& roster, const Marks& marks);

} // namespace lockstep::laboratory::grading
