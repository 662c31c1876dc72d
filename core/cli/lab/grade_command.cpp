// `lockstep grade`.
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "laboratory/grading/grade_files.h"
#include "laboratory/grading/mark_code.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"
#include "language/wording.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using namespace laboratory::grading;
using Json = nlohmann::ordered_json;

constexpr std::array GradeOptions{
    Option{"--lab", "FILE", LS_TR("CommandLine", "the laboratory; again for each other revision")},
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
    Option{"--out", "DIR", LS_TR("CommandLine", "the folder of the results; without it `marks`")}, JsonOption,
    HelpOption};

/// `read` of the bytes of a file.
template <typename Read>
auto readFile(const QString& path, Read read) -> decltype(read(QByteArray()))
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1 cannot be read: %2"),
            {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    return read(file.readAll());
}

Result<Marks> readMarks(const QString& path)
{
    return readFile(path, [&](const QByteArray& bytes) { return parseMarks(bytes.toStdString(), path.toStdString()); });
}

struct GradeTask {
    GradeRequest request;
    std::optional<Roster> roster;
    QString rosterPath;
    QString out;
    QString feedback;
};

Result<void> readLaboratories(const Arguments& arguments, GradeRequest& request)
{
    for (const QString& path : arguments.values(u"--lab"_s)) {
        LOCKSTEP_TRY_ASSIGN(request.laboratories.emplace_back(), laboratory::readLaboratory(path));
    }
    for (const QString& path : arguments.values(u"--key"_s)) {
        LOCKSTEP_TRY_ASSIGN(request.keys.emplace_back(), readFile(path, [&](const QByteArray& bytes) {
            return laboratory::parseKey(bytes.toStdString(), path.toStdString());
        }));
    }
    if (request.laboratories.empty() || request.keys.empty()) {
        return failure(LS_TR("Messages", "grade: needs --lab FILE and --key FILE"));
    }
    return {};
}

Result<void> readRoster(const Arguments& arguments, GradeTask& task)
{
    if (arguments.has(u"--late-after"_s)) {
        task.request.deadline = QDateTime::fromString(arguments.value(u"--late-after"_s), Qt::ISODate);
        if (!task.request.deadline->isValid()) {
            return refusal("--late-after", LS_TR("Messages", "needs a time such as 2026-11-30T23:59"));
        }
    }
    task.rosterPath = arguments.value(u"--roster"_s);
    if (task.rosterPath.isEmpty()) {
        return {};
    }
    const QString target = QDir(task.out).absoluteFilePath(QFileInfo(task.rosterPath).fileName());
    if (QFileInfo(target) == QFileInfo(task.rosterPath)) {
        return refusal("--out", LS_TR("Messages", "the roster lies there; choose another folder"));
    }
    const auto& lab = task.request.laboratories.front();
    LOCKSTEP_TRY_ASSIGN(task.roster,
        Roster::read(task.rosterPath,
            {arguments.value(u"--number-column"_s).toStdString(), arguments.value(u"--points-column"_s).toStdString()},
            {lab.id, lab.title.en, lab.title.zh}));
    return {};
}

Result<GradeTask> readTask(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "grade: needs one folder or zip archive of hand-ins"));
    }
    GradeTask task;
    task.request.submissions = arguments.positional().front();
    task.out = arguments.value(u"--out"_s, u"marks"_s);
    task.feedback = arguments.value(u"--feedback"_s, u"html"_s);
    if (!QStringList{u"html"_s, u"pdf"_s, u"none"_s}.contains(task.feedback)) {
        return refusal("--feedback", LS_TR("Messages", "needs one of %1"), {verbatim("html, pdf, none")});
    }
    const QString code = arguments.value(u"--code"_s, u"sandbox"_s);
    if (!QStringList{u"sandbox"_s, u"none"_s}.contains(code)) {
        return refusal("--code", LS_TR("Messages", "needs one of %1"), {verbatim("sandbox, none")});
    }
    if (code == u"sandbox"_s) {
        task.request.checkCode = codeInSandbox;
    }
    LOCKSTEP_TRY(readLaboratories(arguments, task.request));
    LOCKSTEP_TRY(readRoster(arguments, task));
    if (const QString before = QDir(task.out).filePath(QLatin1StringView(MarksName)); QFileInfo::exists(before)) {
        LOCKSTEP_TRY_ASSIGN(task.request.before, readMarks(before));
        const QString answers = QDir(task.out).filePath(QLatin1StringView(AnswersName));
        if (QFileInfo::exists(answers)) {
            const auto taken = readFile(answers, [&](const QByteArray& bytes) {
                return takeAnswers(*task.request.before, bytes, arguments.value(u"--marker"_s).toStdString());
            });
            if (!taken) {
                return during(verbatim(answers.toStdString()), taken.error());
            }
        }
    }
    for (const QString& path : arguments.values(u"--merge"_s)) {
        LOCKSTEP_TRY_ASSIGN(task.request.others.emplace_back(), readMarks(path));
    }
    return task;
}

Result<std::vector<exchange::NewFile>> feedbackFiles(
    const Grading& grading, const QString& format, const CommandContext& context)
{
    std::vector<exchange::NewFile> files;
    if (format == u"none") {
        return files;
    }
    if (format == u"pdf" && !context.drawPdf) {
        return refusal("--feedback", LS_TR("Messages", "this build draws no PDF; use html"));
    }
    for (const Feedback& each : feedbackOf(grading)) {
        QByteArray bytes;
        if (format == u"pdf") {
            LOCKSTEP_TRY_ASSIGN(bytes, context.drawPdf(each.report));
        } else {
            LOCKSTEP_TRY_ASSIGN(const std::string page, feedbackPage(each));
            bytes = QByteArray::fromStdString(page);
        }
        files.push_back({u"feedback/%1.%2"_s.arg(QString::fromStdString(each.name), format), bytes});
    }
    return files;
}

Json linesOf(const std::vector<Text>& lines)
{
    Json list = Json::array();
    for (const Text& each : lines) {
        list.push_back(language::worded(each));
    }
    return list;
}

std::vector<Text> copyLines(const Grading& grading)
{
    std::vector<Text> lines;
    for (const Copy& copy : grading.copies) {
        lines.emplace_back(LS_TR("Messages", "%1 and %2: %3"),
            std::vector<Text>{verbatim(grading.traces[copy.first].file), verbatim(grading.traces[copy.second].file),
                verbatim(listed(
                    copy.what, [](const Text& each) { return language::worded(each); }, "; "))});
    }
    return lines;
}

std::string jsonText(const Grading& grading, const std::vector<Text>& remarks, const std::vector<std::string>& files)
{
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
               {"remarks", linesOf(remarks)}, {"files", files}}
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

/// What a lecturer should see beside the table, a line each.
void reportLines(const Grading& grading, const std::vector<Text>& remarks)
{
    for (const Unread& each : grading.unread) {
        report(each.file + ": " + language::errorLine(each.why));
    }
    for (const auto* lines : {&remarks, &grading.differences, &grading.conflicts}) {
        for (const Text& each : *lines) {
            report(language::worded(each));
        }
    }
    for (const Text& each : copyLines(grading)) {
        report(language::told(LS_TR("CommandLine", "a pair to look at: %1"), {language::worded(each)}));
    }
    if (!grading.otherFiles.empty()) {
        report(language::told(
            LS_TR("CommandLine", "files that are no hand-ins: %1"), {std::to_string(grading.otherFiles.size())}));
    }
}

Result<int> carryOut(const Arguments& arguments, const CommandContext& context)
{
    LOCKSTEP_TRY_ASSIGN(GradeTask task, readTask(arguments));
    task.request.roster = task.roster ? &*task.roster : nullptr;
    LOCKSTEP_TRY_ASSIGN(const Grading grading, grade(task.request));
    std::vector<Text> remarks;
    LOCKSTEP_TRY_ASSIGN(auto files, gradeFiles(grading, arguments.has(u"--names"_s) ? Names::Shown : Names::Codes));
    LOCKSTEP_TRY_ASSIGN(auto feedback, feedbackFiles(grading, task.feedback, context));
    std::ranges::move(feedback, std::back_inserter(files));
    if (task.roster) {
        remarks = fillRoster(*task.roster, grading.marks);
        LOCKSTEP_TRY_ASSIGN(const QByteArray roster, task.roster->bytes());
        files.push_back({QFileInfo(task.rosterPath).fileName(), roster});
    }
    LOCKSTEP_TRY(exchange::writeFiles(task.out, files, exchange::Existing::Replace));
    const int done = grading.unread.empty() ? ExitDone : ExitPartlyDone;
    if (arguments.has(u"--json"_s)) {
        std::vector<std::string> paths;
        std::ranges::transform(files, std::back_inserter(paths), [&task](const exchange::NewFile& file) {
            return QDir(task.out).absoluteFilePath(file.path).toStdString();
        });
        const int printed = printOrFail(jsonText(grading, remarks, paths));
        return printed == ExitDone ? done : printed;
    }
    const int printed = printOrFail(rowsText(grading));
    reportLines(grading, remarks);
    return printed == ExitDone ? done : printed;
}

} // namespace

int gradeCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("grade", words, GradeOptions,
        LS_TR("CommandLine",
            "lockstep grade FOLDER|ZIP --lab FILE --key FILE [--roster FILE] [--out DIR]: marks the hand-ins of a "
            "class\n\nExit codes: 0 all are marked, 1 some could not be read, 2 bad input."),
        [&context](const Arguments& arguments) { return carryOut(arguments, context); });
}

} // namespace lockstep::cli
