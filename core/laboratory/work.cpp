#include "laboratory/work.h"

#include "base/draft_folder.h"
#include "base/translate.h"
#include "laboratory/entry_json.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t LongestAnswer = 200'000;

const QString WorksFolder = u"/laboratories"_s;
const QString LaboratoryFile = u"/laboratory.lab"_s;
const QString JournalFile = u"/work.jsonl"_s;

Result<void> mayChange(const Work& work)
{
    return work.isReadOnly() ? failure(LS_TR("Messages", "this is a hand-in: it is only read")) : Result<void>();
}

Result<const Step*> stepIn(const Laboratory& laboratory, const std::string& step)
{
    const Step* found = laboratory.find(step);
    return found != nullptr
        ? Result<const Step*>(found)
        : failure(LS_TR("Messages", "the laboratory %1 has no step %2"), {verbatim(laboratory.id), verbatim(step)});
}

} // namespace

QString workFolderOf(const QString& storeFolder, const Laboratory& laboratory)
{
    return u"%1%2/%3-%4"_s.arg(storeFolder, WorksFolder, QString::fromStdString(laboratory.id))
        .arg(laboratory.revision);
}

Work::Work(QString folder, Laboratory laboratory, Journal journal)
    : m_folder(std::move(folder))
    , m_laboratory(std::move(laboratory))
    , m_journal(std::move(journal))
{
    for (const Entry& entry : m_journal.entries()) {
        m_state.take(entry);
    }
    m_writing.setSingleShot(true);
    m_writing.setInterval(TypingDelay);
    QObject::connect(&m_writing, &QTimer::timeout, &m_writing, [this] {
        if (const auto written = writeTyped(); !written) {
            m_writeError = written.error();
        }
    });
}

Work::~Work()
{
    [[maybe_unused]] const auto written = writeTyped(); // who wants to know has asked before
}

Result<std::unique_ptr<Work>> Work::open(const QString& storeFolder, const Laboratory& laboratory)
{
    const QString folder = workFolderOf(storeFolder, laboratory);
    if (!QDir().mkpath(folder)) {
        return failure(LS_TR("Messages", "the folder %1 cannot be made"), {verbatim(folder.toStdString())});
    }
    if (!QFileInfo::exists(folder + LaboratoryFile)) {
        LOCKSTEP_TRY(writeLaboratory(laboratory, folder + LaboratoryFile));
    }
    auto work = openFolder(folder);
    if (work) {
        (*work)->m_isOfOtherContent = (*work)->laboratory().sha256 != laboratory.sha256;
    }
    return work;
}

Result<std::unique_ptr<Work>> Work::openFolder(const QString& folder)
{
    LOCKSTEP_TRY_ASSIGN(Laboratory laboratory, readLaboratory(folder + LaboratoryFile));
    LOCKSTEP_TRY_ASSIGN(Journal journal, Journal::open(folder + JournalFile));
    DraftFolder::clear(folder.toStdString()); // of a window that was killed while it sealed
    std::unique_ptr<Work> work(new Work(folder, std::move(laboratory), std::move(journal)));
    if (work->m_journal.entries().empty()) {
        const Laboratory& begun = work->m_laboratory;
        LOCKSTEP_TRY(work->append(EntryKind::Begin, {},
            {{"laboratory", begun.id}, {"revision", begun.revision}, {"sha256", begun.sha256},
                {"version", LOCKSTEP_VERSION}}));
    }
    return work;
}

std::unique_ptr<Work> Work::forReading(HandIn handIn)
{
    std::unique_ptr<Work> work(new Work({}, std::move(handIn.laboratory), std::move(handIn.journal)));
    work->m_code = std::move(handIn.code);
    return work;
}

const QByteArray* Work::handedInCode(const std::string& step) const
{
    const auto found = m_code.find(step);
    return found == m_code.end() ? nullptr : &found->second;
}

std::shared_ptr<const Work> Work::copy() const
{
    std::shared_ptr<Work> copy(new Work(m_folder, m_laboratory, m_journal.copy()));
    copy->m_isOfOtherContent = m_isOfOtherContent;
    return copy;
}

std::vector<QString> workFoldersIn(const QString& storeFolder)
{
    std::vector<QString> folders;
    const QDir all(storeFolder + WorksFolder);
    for (const QFileInfo& each : all.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFileInfo::exists(each.absoluteFilePath() + JournalFile)) {
            folders.push_back(each.absoluteFilePath());
        }
    }
    return folders;
}

Result<void> Work::append(EntryKind kind, const std::string& step, Json content, Journal::Sync sync)
{
    LOCKSTEP_TRY(mayChange(*this));
    const std::size_t before = m_journal.entries().size();
    const auto appended = m_journal.append(kind, step, std::move(content), sync);
    if (m_journal.entries().size() > before) { // also where only the file beside the journal could not be written
        m_state.take(m_journal.entries().back());
    }
    return appended;
}

Result<void> Work::setStudents(std::vector<Student> students)
{
    for (Student& each : students) {
        each = {QString::fromStdString(each.name).trimmed().toStdString(),
            QString::fromStdString(each.number).trimmed().toStdString()};
        if (each.name.size() > LongestStudent || each.number.size() > LongestStudent) {
            return failure(LS_TR("Messages", "the text has more than %1 bytes"), {LongestStudent});
        }
    }
    std::erase(students, Student());
    if (students.empty() || students.size() > MostStudents) {
        return failure(LS_TR("Messages", "enter one to four names with their numbers"));
    }
    return students == m_state.students() ? Result<void>()
                                          : append(EntryKind::Student, {}, {{"students", toJson(students)}});
}

Result<void> Work::type(const std::string& step, Answer answer)
{
    LOCKSTEP_TRY(mayChange(*this));
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    if (!found->is<QuestionStep>()) {
        return failure(LS_TR("Messages", "%1 is not a question"), {verbatim(step)});
    }
    if (m_state.sealedAnswerOf(step) != nullptr) {
        return failure(LS_TR("Messages", "it is sealed; add a comment instead"));
    }
    if (answer.text.size() > LongestAnswer) {
        return failure(LS_TR("Messages", "the text has more than %1 bytes"), {LongestAnswer});
    }
    if (answer == m_state.answerOf(step)) {
        return {};
    }
    writeSoon(step, {{"answer", toJson(answer)}});
    m_state.setAnswer(step, std::move(answer));
    return {};
}

Result<void> Work::keepDraft(const std::string& step, PredictionDraft draft)
{
    LOCKSTEP_TRY(mayChange(*this));
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    if (!found->is<PredictionStep>()) {
        return failure(LS_TR("Messages", "%1 is not a prediction"), {verbatim(step)});
    }
    if (m_state.sealOf(step) != nullptr) {
        return failure(LS_TR("Messages", "it is sealed; add a comment instead"));
    }
    if (draft.reason.size() > LongestAnswer) {
        return failure(LS_TR("Messages", "the text has more than %1 bytes"), {LongestAnswer});
    }
    if (draft == m_state.draftOf(step)) {
        return {};
    }
    writeSoon(step, {{"draft", toJson(draft)}});
    m_state.setDraft(step, std::move(draft));
    return {};
}

void Work::writeSoon(const std::string& step, Json content)
{
    m_typed[step] = std::move(content);
    if (!m_writing.isActive()) { // not again with each key: else it would never come while one types
        m_writing.start();
    }
}

Result<void> Work::writeTyped()
{
    while (!m_typed.empty()) {
        const auto& [step, content] = *m_typed.begin();
        const EntryKind kind = content.contains("draft") ? EntryKind::Draft : EntryKind::Text;
        LOCKSTEP_TRY(m_journal.append(kind, step, content));
        m_typed.erase(m_typed.begin());
    }
    m_writing.stop();
    return {};
}

std::optional<Error> Work::takeWriteError()
{
    return std::exchange(m_writeError, std::nullopt);
}

Result<std::string> Work::appendSeal(const std::string& step, Json content)
{
    LOCKSTEP_TRY(writeTyped());
    LOCKSTEP_TRY(append(EntryKind::Seal, step, std::move(content), Journal::Sync::Disk));
    return sealCodeOf(m_journal.entries().back().hash);
}

Result<std::string> Work::sealAnswer(const std::string& step)
{
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    const Answer answer = m_state.answerOf(step);
    if (!found->is<QuestionStep>() || answer.empty()) {
        return failure(LS_TR("Messages", "%1 has no answer yet"), {verbatim(step)});
    }
    return m_state.sealedAnswerOf(step) == nullptr ? appendSeal(step, {{"answer", toJson(answer)}})
                                                   : failure(LS_TR("Messages", "it is sealed; add a comment instead"));
}

Result<std::string> Work::seal(const std::string& step, const Prediction& prediction)
{
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    const auto* content = found->as<PredictionStep>();
    if (content == nullptr) {
        return failure(LS_TR("Messages", "%1 is not a prediction"), {verbatim(step)});
    }
    if (m_state.sealOf(step) != nullptr) {
        return failure(LS_TR("Messages", "it is sealed; add a comment instead"));
    }
    if (!m_state.runsOf(content->of.step).empty()) {
        return failure(LS_TR("Messages", "its experiment has run already: there is nothing to predict"));
    }
    LOCKSTEP_TRY(checkPrediction(prediction, *found, m_laboratory.experiment(content->of.step)->spec));
    return appendSeal(step, {{"prediction", toJson(prediction)}});
}

Result<void> Work::comment(const std::string& step, const std::string& text)
{
    if (m_state.sealOf(step) == nullptr && m_state.sealedAnswerOf(step) == nullptr) {
        return failure(LS_TR("Messages", "%1 is not sealed yet"), {verbatim(step)});
    }
    if (text.size() > LongestAnswer) {
        return failure(LS_TR("Messages", "the text has more than %1 bytes"), {LongestAnswer});
    }
    return append(EntryKind::Comment, step, {{"text", text}});
}

Result<experiment::Spec> Work::specToRun(const std::string& step, std::span<const experiment::Override> overrides) const
{
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    if (const auto open = m_state.unsealed(m_laboratory, step); !open.empty()) {
        return failure(LS_TR("Messages", "predict first: %1"), {verbatim(listed(open))});
    }
    return specOf(*found, m_state.number(), overrides);
}

Result<void> Work::addRuns(const std::string& step, const std::vector<RunId>& runs)
{
    if (m_laboratory.experiment(step) == nullptr) {
        return failure(LS_TR("Messages", "%1 is not an experiment step"), {verbatim(step)});
    }
    std::vector<std::string> ids;
    std::ranges::transform(runs, std::back_inserter(ids), &RunId::text);
    return ids.empty() ? Result<void>() : append(EntryKind::Run, step, {{"runs", ids}}, Journal::Sync::Disk);
}

Result<void> Work::addClaim(const std::string& step, const Claim& claim)
{
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    const auto* content = found->as<ClaimStep>();
    if (content == nullptr) {
        return failure(LS_TR("Messages", "%1 is not a step of claims"), {verbatim(step)});
    }
    LOCKSTEP_TRY(checkClaim(claim, m_laboratory.experiment(content->about.step)->spec));
    return append(EntryKind::Claim, step, {{"claim", toJson(claim)}});
}

Result<void> Work::removeClaim(const std::string& step, std::int64_t entry)
{
    const auto claims = m_state.claimsOf(step);
    return std::ranges::find(claims, entry, &MadeClaim::entry) == claims.end()
        ? failure(LS_TR("Messages", "%1 has no such claim"), {verbatim(step)})
        : append(EntryKind::Claim, step, {{"removed", entry}});
}

Result<void> Work::addCheck(const std::string& step, const QByteArray& code, const CodeVerdict& verdict)
{
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    if (!found->is<CodeStep>()) {
        return failure(LS_TR("Messages", "%1 is not a code step"), {verbatim(step)});
    }
    Json content{{"sha256", QCryptographicHash::hash(code, QCryptographicHash::Sha256).toHex().toStdString()},
        {"right", verdict.isRight()}};
    if (!verdict.isRight()) {
        content.update({{"fault", verdict.fault->text()}, {"line", verdict.line}, {"mistake", verdict.mistake}});
    }
    return append(EntryKind::Check, step, std::move(content), Journal::Sync::Disk);
}

Result<void> Work::setDone(const std::string& step)
{
    LOCKSTEP_TRY_ASSIGN(const Step* found, stepIn(m_laboratory, step));
    if (!isToRead(*found)) {
        return failure(LS_TR("Messages", "%1 is not a step to read"), {verbatim(step)});
    }
    return m_state.stateOf(m_laboratory, step) == StepState::Done ? Result<void>()
                                                                  : append(EntryKind::Done, step, Json::object());
}

QString codeFileOf(const Work& work, const Step& step)
{
    const auto* code = step.as<CodeStep>();
    // A hand-in has no folder: `/code/adam.py` would be any file of that name.
    return code == nullptr || work.isReadOnly() ? QString()
                                                : work.folder() + u'/' + QString::fromStdString(code->templateFile);
}

Result<void> writeTemplate(const Work& work, const std::string& step)
{
    LOCKSTEP_TRY(mayChange(work));
    const Step* found = work.laboratory().find(step);
    const auto* code = found == nullptr ? nullptr : found->as<CodeStep>();
    if (code == nullptr) {
        return failure(LS_TR("Messages", "%1 is not a code step"), {verbatim(step)});
    }
    const QString path = codeFileOf(work, *found);
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDir().mkpath(folder)) {
        return failure(LS_TR("Messages", "the folder %1 cannot be made"), {verbatim(folder.toStdString())});
    }
    QFile file(path);
    if (QFileInfo::exists(path) || !file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
        return QFileInfo::exists(path)
            ? failure(LS_TR("Messages", "%1 already exists; it is kept"), {verbatim(path.toStdString())})
            : failure(LS_TR("Messages", "%1 cannot be written: %2"),
                {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    const QByteArray& text = work.laboratory().files.at(code->templateFile);
    if (file.write(text) == text.size() && file.flush()) {
        return {};
    }
    const Error error = failure(LS_TR("Messages", "%1 cannot be written: %2"),
        {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    file.remove(); // else a part of it would be kept as the student's
    return error;
}

} // namespace lockstep::laboratory
