// `lockstep grade`.
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "laboratory/grading/mark_class.h"
#include "language/language.h"
#include "language/wording.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using namespace laboratory::grading;
using Json = nlohmann::ordered_json;

constexpr std::array GradeOptions{
    Option{"--lab", "LAB", LS_TR("CommandLine", "the laboratory, a file or an id; again for each other revision")},
    Option{"--key", "FILE", LS_TR("CommandLine", "its key; again for each other revision")},
    Option{"--roster", "FILE", LS_TR("CommandLine", "the LMS's list of students (CSV, xlsx), to be filled in")},
    Option{"--number-column", "NAME", LS_TR("CommandLine", "the roster's column of student numbers")},
    Option{"--points-column", "NAME", LS_TR("CommandLine", "the roster's column for the points")},
    Option{
        "--late-after", "TIME", LS_TR("CommandLine", "the deadline, such as 2026-11-30T23:59, for the roster's times")},
    Option{"--merge", "MARKS.json", LS_TR("CommandLine", "takes what another marker gave; may be repeated")},
    Option{"--marker", "NAME", LS_TR("CommandLine", "who wrote points and comments into answers.csv")},
    Option{"--names", "", LS_TR("CommandLine", "answers with names instead of codes")},
    Option{"--feedback", "FORMAT", LS_TR("CommandLine", "a file a student: html (standard), pdf or none")},
    Option{"--code", "WHERE", LS_TR("CommandLine", "runs students' code in a sandbox (standard), or none")},
    Option{"--again", "RUN", LS_TR("CommandLine", "runs again: runs by id, or all of a student by number; a list")},
    Option{"--again-sample", "COUNT", LS_TR("CommandLine", "runs COUNT finished runs again, drawn at random")},
    Option{"--out", "DIR", LS_TR("CommandLine", "the folder of the results; without it `marks`")}, JsonOption,
    HelpOption};

/// A choice of an option; `names` in the order of the values.
template <std::size_t Count>
Result<std::size_t> chosenOf(
    const Arguments& arguments, const QString& option, const std::array<const char*, Count>& names)
{
    const auto found = std::ranges::find(names, arguments.value(option, QLatin1StringView(names[0])).toStdString());
    return found != names.end()
        ? Result<std::size_t>(static_cast<std::size_t>(found - names.begin()))
        : refusal(option.toStdString(), LS_TR("Messages", "needs one of %1"), {verbatim(listed(names))});
}

Result<MarkTask> readTask(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "grade: needs one folder or zip archive of hand-ins"));
    }
    MarkTask task{arguments.positional().front(), arguments.values(u"--lab"_s), arguments.values(u"--key"_s)};
    task.out = arguments.value(u"--out"_s, u"marks"_s);
    task.roster = arguments.value(u"--roster"_s);
    task.columns
        = {arguments.value(u"--number-column"_s).toStdString(), arguments.value(u"--points-column"_s).toStdString()};
    task.otherMarks = arguments.values(u"--merge"_s);
    task.marker = arguments.value(u"--marker"_s).toStdString();
    task.names = arguments.has(u"--names"_s) ? Names::Shown : Names::Codes;
    LOCKSTEP_TRY_ASSIGN(
        const std::size_t feedback, chosenOf(arguments, u"--feedback"_s, std::array{"html", "pdf", "none"}));
    task.feedback = static_cast<FeedbackFormat>(feedback);
    LOCKSTEP_TRY_ASSIGN(const std::size_t code, chosenOf(arguments, u"--code"_s, std::array{"sandbox", "none"}));
    task.runsCode = code == 0;
    for (const QString& name : arguments.value(u"--again"_s).split(u',', Qt::SkipEmptyParts)) {
        task.again.push_back(name.trimmed().toStdString());
    }
    if (task.laboratories.empty() || task.keys.empty()) {
        return failure(LS_TR("Messages", "grade: needs --lab LAB and --key FILE"));
    }
    if (arguments.has(u"--again-sample"_s)) {
        bool isNumber = false;
        task.againSample = arguments.value(u"--again-sample"_s).toUInt(&isNumber);
        if (!isNumber) {
            return refusal("--again-sample", LS_TR("Messages", "needs a number of runs"));
        }
    }
    if (arguments.has(u"--late-after"_s)) {
        task.deadline = QDateTime::fromString(arguments.value(u"--late-after"_s), Qt::ISODate);
        if (!task.deadline->isValid()) {
            return refusal("--late-after", LS_TR("Messages", "needs a time such as 2026-11-30T23:59"));
        }
    }
    return task;
}

Json linesOf(const std::vector<Text>& lines)
{
    Json list = Json::array();
    for (const Text& each : lines) {
        list.push_back(language::worded(each));
    }
    return list;
}

std::string jsonText(const MarkedClass& made)
{
    const Grading& grading = made.grading;
    std::vector<Text> remarks = grading.remarks;
    std::ranges::copy(made.remarks, std::back_inserter(remarks));
    Json files = Json::array();
    std::ranges::transform(made.files, std::back_inserter(files), &QString::toStdString);
    Json students = Json::array();
    for (const WorkMarks& work : grading.marks.works) {
        for (const laboratory::Student& student : work.students) {
            students.push_back({{"number", student.number}, {"name", student.name}, {"points", work.points()},
                {"of", work.of()}, {"to_mark", work.open()}, {"late", work.isLate}, {"file", work.file}});
        }
    }
    Json unread = Json::array();
    for (const Unread& each : grading.unread) {
        unread.push_back({{"file", each.file}, {"text", language::errorLine(each.why)}});
    }
    return Json{{"version", 1}, {"laboratory", grading.marks.laboratory}, {"students", students}, {"unread", unread},
               {"other_files", grading.otherFiles}, {"differences", linesOf(grading.differences)},
               {"conflicts", linesOf(grading.conflicts)}, {"copies", linesOf(copyLines(grading))},
               {"again", linesOf(made.again)}, {"remarks", linesOf(remarks)}, {"files", files}}
               .dump(2, ' ', false, Json::error_handler_t::replace)
        + "\n";
}

std::string rowsText(const Grading& grading)
{
    analysis::TextTable table{
        {{language::told(LS_TR("CommandLine", "number")), false}, {language::told(LS_TR("CommandLine", "name")), false},
            {language::told(LS_TR("CommandLine", "points")), true}, {language::told(LS_TR("CommandLine", "of")), true},
            {language::told(LS_TR("CommandLine", "to mark")), true},
            {language::told(LS_TR("CommandLine", "late")), false}},
        {}};
    for (const WorkMarks& work : grading.marks.works) {
        for (const laboratory::Student& student : work.students) {
            table.rows.push_back({student.number, student.name, pointsText(work.points()), pointsText(work.of()),
                std::to_string(work.open()),
                work.isLate ? language::told(LS_TR("CommandLine", "late")) : std::string()});
        }
    }
    return analysis::toColumns(table);
}

Result<int> carryOut(const Arguments& arguments, const CommandContext& context)
{
    LOCKSTEP_TRY_ASSIGN(const MarkTask task, readTask(arguments));
    LOCKSTEP_TRY_ASSIGN(const MarkedClass made, markClass(task, {context.drawPdf, {}}));
    const int done = made.grading.unread.empty() ? ExitDone : ExitPartlyDone;
    const bool wantsJson = arguments.has(u"--json"_s);
    const int printed = printOrFail(wantsJson ? jsonText(made) : rowsText(made.grading));
    if (!wantsJson) {
        for (const std::string& line : remarkLines(made)) {
            report(line);
        }
    }
    return printed == ExitDone ? done : printed;
}

} // namespace

int gradeCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("grade", words, GradeOptions,
        LS_TR("CommandLine",
            "lockstep grade FOLDER|ZIP --lab LAB --key FILE [--roster FILE] [--out DIR]: marks the hand-ins of a "
            "class\n\nExit codes: 0 all are marked, 1 some could not be read, 2 bad input."),
        [&context](const Arguments& arguments) { return carryOut(arguments, context); });
}

} // namespace lockstep::cli
