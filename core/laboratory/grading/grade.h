// Marks all hand-ins of a class: what cannot be read is one line, the others are marked.
#pragma once

#include "laboratory/grading/class_figures.h"
#include "laboratory/grading/copies.h"
#include "laboratory/grading/mark_work.h"
#include "laboratory/grading/marks.h"
#include "laboratory/grading/roster/roster.h"

#include <QDateTime>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

struct GradeRequest {
    QString submissions; ///< a folder, or the archive of an LMS
    std::vector<Laboratory> laboratories; ///< the first names what is marked; others are its other revisions
    std::vector<LaboratoryKey> keys; ///< one a revision
    const Roster* roster = nullptr;
    std::optional<QDateTime> deadline; ///< of the roster's times
    std::optional<Marks> before; ///< earlier marks of the same class
    std::vector<Marks> others; ///< of other markers
    CheckCode checkCode = codeNotRun;
};

/// A file that could not be marked.
struct Unread {
    std::string file;
    Error why;
};

struct Grading {
    Laboratory laboratory;
    Marks marks; ///< by the number of the first student
    std::vector<Unread> unread;
    std::vector<std::string> otherFiles; ///< that are no hand-ins
    std::vector<Text> differences; ///< to the earlier marks
    std::vector<Text> conflicts; ///< with other markers
    std::vector<WorkTraces> traces; ///< of the hand-ins that count
    std::vector<Copy> copies;
    ClassFigures figures;
    std::vector<Text> remarks; ///< to all: hand-ins whose lateness is not known
};

/// Error: nothing can be marked, as keys and laboratory do not fit or the submissions cannot be opened.
[[nodiscard]] Result<Grading> grade(const GradeRequest& request);

/// Puts points and totals into the roster. Gives students that it does not have, a line each.
[[nodiscard]] std::vector<Text> fillRoster(Roster& roster, const Marks& marks);

} // namespace lockstep::laboratory::grading
