#include "laboratory/grading/mark_class.h"

#include "base/translate.h"
#include "laboratory/grading/comment_bank.h"
#include "laboratory/grading/mark_code.h"
#include "laboratory/grading/run_again.h"
#include "laboratory/named_laboratory.h"
#include "language/language.h"
#include "language/wording.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

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

QString inFolder(const QString& folder, const char* name)
{
    return QDir(folder).filePath(QLatin1StringView(name));
}

Result<void> readLaboratories(const MarkTask& task, GradeRequest& request)
{
    for (const QString& path : task.laboratories) {
        LOCKSTEP_TRY_ASSIGN(request.laboratories.emplace_back(), laboratoryNamed(path));
    }
    for (const QString& path : task.keys) {
        LOCKSTEP_TRY_ASSIGN(request.keys.emplace_back(),
            readFile(path, [&](const QByteArray& bytes) { return parseKey(bytes.toStdString(), path.toStdString()); }));
    }
    return {};
}

/// Whether a key has points for code.
bool hasCode(const GradeRequest& request)
{
    return std::ranges::any_of(request.laboratories, [&request](const Laboratory& laboratory) {
        return std::ranges::any_of(laboratory.steps, [&request](const Step& step) {
            return step.is<CodeStep>() && std::ranges::any_of(request.keys, [&step](const LaboratoryKey& key) {
                const auto entry = key.steps.find(step.id);
                return entry != key.steps.end() && entry->second.points > 0.0;
            });
        });
    });
}

/// readFile() with the file's path before what is wrong in it.
template <typename Take>
auto takeFile(const QString& path, Take take) -> decltype(take(QByteArray()))
{
    auto taken = readFile(path, take);
    return taken ? std::move(taken) : during(verbatim(path.toStdString()), taken.error());
}

/// Gives rows of answers.csv that are of no hand-in. A comment bank alone is that of another class.
Result<std::vector<Text>> readEarlier(const MarkTask& task, GradeRequest& request)
{
    for (const QString& path : task.otherMarks) {
        LOCKSTEP_TRY_ASSIGN(request.others.emplace_back(), readMarks(path));
    }
    const QString before = inFolder(task.out, MarksName);
    if (QFileInfo::exists(before)) {
        LOCKSTEP_TRY_ASSIGN(request.before, readMarks(before));
    }
    if (const QString bank = inFolder(task.out, CommentsName); QFileInfo::exists(bank)) {
        if (!request.before) {
            request.before.emplace();
        }
        LOCKSTEP_TRY(
            takeFile(bank, [&](const QByteArray& bytes) { return takeComments(request.before->comments, bytes); }));
    }
    const QString answers = inFolder(task.out, AnswersName);
    if (!QFileInfo::exists(before) || !QFileInfo::exists(answers)) {
        return std::vector<Text>();
    }
    return takeFile(answers, [&](const QByteArray& bytes) { return takeAnswers(*request.before, bytes, task.marker); });
}

Result<std::optional<Roster>> readRoster(const MarkTask& task, const Laboratory& lab)
{
    if (task.roster.isEmpty()) {
        return std::optional<Roster>();
    }
    const QFileInfo source(task.roster);
    if (QFileInfo(QDir(task.out).absoluteFilePath(source.fileName())) == source) {
        return failure(LS_TR("Messages", "the roster lies in the folder of the results; choose another folder"));
    }
    LOCKSTEP_TRY_ASSIGN(Roster roster, Roster::read(task.roster, task.columns, {lab.id, lab.title.en, lab.title.zh}));
    return std::optional<Roster>(std::move(roster));
}

Result<std::vector<exchange::NewFile>> feedbackFiles(
    const Grading& grading, FeedbackFormat format, const MarkTools& tools)
{
    std::vector<exchange::NewFile> files;
    if (format == FeedbackFormat::None) {
        return files;
    }
    for (const Feedback& each : feedbackOf(grading)) {
        QByteArray bytes;
        if (format == FeedbackFormat::Pdf) {
            LOCKSTEP_TRY_ASSIGN(bytes, tools.drawPdf(each.report));
        } else {
            LOCKSTEP_TRY_ASSIGN(const std::string page, feedbackPage(each));
            bytes = QByteArray::fromStdString(page);
        }
        const QString suffix = format == FeedbackFormat::Pdf ? u"pdf"_s : u"html"_s;
        files.push_back({u"feedback/%1.%2"_s.arg(QString::fromStdString(each.name), suffix), bytes});
        LOCKSTEP_TRY(tools.progress.checkCancelled());
    }
    return files;
}

/// Also a remark of the work that the run is of.
Result<void> runChosenAgain(MarkedClass& made, const GradeProgress& progress)
{
    LOCKSTEP_TRY_ASSIGN(made.again, runAgain(made.grading.chosen, progress));
    for (std::size_t i = 0; i < made.again.size(); ++i) {
        const auto work = std::ranges::find(made.grading.marks.works, made.grading.chosen[i].file, &WorkMarks::file);
        if (work != made.grading.marks.works.end()) {
            work->remarks.push_back(made.again[i]);
        }
    }
    return {};
}

} // namespace

Result<MarkedClass> markClass(const MarkTask& task, const MarkTools& tools)
{
    if (task.feedback == FeedbackFormat::Pdf && !tools.drawPdf) {
        return refusal("--feedback", LS_TR("Messages", "this build draws no PDF; use html"));
    }
    GradeRequest request;
    request.submissions = task.submissions;
    request.deadline = task.deadline;
    request.progress = tools.progress;
    request.again = task.again;
    request.againSample = task.againSample;
    LOCKSTEP_TRY(readLaboratories(task, request));
    LOCKSTEP_TRY_ASSIGN(auto roster, readRoster(task, request.laboratories.front()));
    request.roster = roster ? &*roster : nullptr;
    LOCKSTEP_TRY_ASSIGN(const auto lostRows, readEarlier(task, request));
    const auto canRun = task.runsCode && hasCode(request) ? canRunCode(tools.progress.cancelled) : Result<void>();
    if (task.runsCode && canRun) {
        request.checkCode = sandboxedCheck(tools.progress.cancelled);
    }
    LOCKSTEP_TRY_ASSIGN(Grading grading, grade(request));
    if (!canRun) {
        grading.remarks.emplace_back(canRun.error());
    }
    for (const auto& lines : {lostRows, unknownNumbers(grading.marks)}) {
        std::ranges::copy(lines, std::back_inserter(grading.remarks));
    }
    MarkedClass made{std::move(grading), {}, {}, {}};
    LOCKSTEP_TRY(runChosenAgain(made, tools.progress));
    LOCKSTEP_TRY_ASSIGN(auto files, gradeFiles(made.grading, task.names));
    LOCKSTEP_TRY_ASSIGN(auto feedback, feedbackFiles(made.grading, task.feedback, tools));
    std::ranges::move(feedback, std::back_inserter(files));
    if (roster) {
        made.remarks = fillRoster(*roster, made.grading.marks);
        LOCKSTEP_TRY_ASSIGN(const QByteArray bytes, roster->bytes());
        files.push_back({QFileInfo(task.roster).fileName(), bytes});
    }
    LOCKSTEP_TRY(tools.progress.checkCancelled());
    LOCKSTEP_TRY(exchange::writeFiles(task.out, files, exchange::Existing::Replace));
    std::ranges::transform(files, std::back_inserter(made.files),
        [&task](const exchange::NewFile& file) { return QDir(task.out).absoluteFilePath(file.path); });
    return made;
}

std::vector<Text> copyLines(const Grading& grading)
{
    std::vector<Text> lines;
    const auto namesOf = [&grading](std::size_t work) { return namesIn(grading.traces[work].students); };
    for (const Copy& copy : grading.copies) {
        const Text what = verbatim(listed(
            copy.what, [](const Text& each) { return language::worded(each); }, "; "));
        if (copy.works.size() == 2) {
            lines.emplace_back(LS_TR("Messages", "%1 and %2: %3"),
                std::vector<Text>{verbatim(namesOf(copy.works[0])), verbatim(namesOf(copy.works[1])), what});
        } else {
            lines.emplace_back(LS_TR("Messages", "%1 hand-ins, such as that of %2: %3"),
                std::vector<Text>{copy.works.size(), verbatim(namesOf(copy.works.front())), what});
        }
    }
    return lines;
}

std::vector<std::string> remarkLines(const MarkedClass& made)
{
    const Grading& grading = made.grading;
    std::vector<std::string> all;
    for (const Unread& each : grading.unread) {
        all.push_back(each.file + ": " + language::errorLine(each.why));
    }
    for (const auto* lines : {&grading.remarks, &made.remarks, &made.again, &grading.differences, &grading.conflicts}) {
        std::ranges::transform(
            *lines, std::back_inserter(all), [](const Text& each) { return language::worded(each); });
    }
    for (const Text& each : copyLines(grading)) {
        all.push_back(language::told(LS_TR("CommandLine", "to look at: %1"), {language::worded(each)}));
    }
    if (!grading.otherFiles.empty()) {
        all.push_back(language::told(
            LS_TR("CommandLine", "files that are no hand-ins: %1"), {std::to_string(grading.otherFiles.size())}));
    }
    return all;
}

} // namespace lockstep::laboratory::grading
