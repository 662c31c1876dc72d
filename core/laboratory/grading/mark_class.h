// Marking a class from files to files: what `lockstep grade` and the window's *Mark…* do.
#pragma once

#include "exchange/report/report.h"
#include "laboratory/grading/grade_files.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::laboratory::grading {

enum class FeedbackFormat { Html, Pdf, None };

/// Paths and choices; an empty path: there is none.
struct MarkTask {
    QString submissions; ///< a folder, or the archive of an LMS
    QStringList
        laboratories; ///< paths, or ids of shipped ones; the first names what is marked; others are its other revisions
    QStringList keys; ///< one a revision
    QString roster{};
    RosterColumns columns{};
    std::optional<QDateTime> deadline{};
    QStringList otherMarks{}; ///< of other markers
    std::string marker{}; ///< who wrote into answers.csv
    Names names = Names::Codes;
    FeedbackFormat feedback = FeedbackFormat::Html;
    bool runsCode = true; ///< in the sandbox
    std::vector<std::string> again{}; ///< runs by id, or all of a student by number
    std::size_t againSample = 0; ///< so many more, drawn at random
    QString out{}; ///< the folder of the results
};

/// What marking needs from its caller; each may be empty.
struct MarkTools {
    std::function<Result<QByteArray>(const report::Report&)> drawPdf{}; ///< called in the thread that marks
    GradeProgress progress{};
};

struct MarkedClass {
    Grading grading;
    std::vector<Text> remarks; ///< students that the roster does not have
    std::vector<Text> again; ///< what running again gave, a line a run
    QStringList files; ///< that were written, with their folder
};

/// Reads earlier marks in the folder `out` and what a marker wrote into its answers.csv, marks, and writes all files.
/// Blocks. Error: nothing was written, or not all could be.
[[nodiscard]] Result<MarkedClass> markClass(const MarkTask& task, const MarkTools& tools = {});

/// `1001 Ada and 1002 Grace: why: equal text`: one line a pair, or for many with one thing in common.
[[nodiscard]] std::vector<Text> copyLines(const Grading& grading);

/// What a lecturer should see beside the marks, a line each, in this thread's language.
[[nodiscard]] std::vector<std::string> remarkLines(const MarkedClass& made);

} // namespace lockstep::laboratory::grading
