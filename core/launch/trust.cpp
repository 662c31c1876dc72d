#include "launch/trust.h"

#include "launch/session.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace lockstep::launch {

namespace {

using namespace Qt::StringLiterals;

/// Of a larger file that a command names - data, not a script - the beginning and the size count.
constexpr qint64 MostScriptBytes = 16 << 20;

std::string hashOf(const std::string& text)
{
    const QByteArrayView bytes(text.data(), static_cast<qsizetype>(text.size()));
    return QCryptographicHash::hash(bytes.toByteArray(), QCryptographicHash::Sha256).toHex().toStdString();
}

/// Marks that a value was confirmed before. Covers nothing: it is no hashOfAll(), not even of a value without files.
std::string hashOfValue(const Risk& risk)
{
    return hashOf(risk.parameter + '\n' + risk.value);
}

std::string hashOfAll(const Risk& risk)
{
    return hashOf(risk.parameter + '\n' + risk.value + '\n' + risk.content);
}

bool addContent(QCryptographicHash& hash, QFile& file, bool isProgram)
{
    if (isProgram || file.size() <= MostScriptBytes) {
        return hash.addData(&file);
    }
    const QByteArray size = QByteArray::number(file.size()).append('\n');
    hash.addData(size);
    hash.addData(file.read(MostScriptBytes));
    return true;
}

/// The files that `python3 -m name` runs from the working folder: the module's, or all of its package. Empty: it is not
/// there.
QStringList filesOfModule(const QString& name)
{
    if (name.isEmpty()) {
        return {};
    }
    constexpr qsizetype MostFiles = 2000;
    const QString top = QDir::current().absoluteFilePath(name.section(u'.', 0, 0));
    if (!QFileInfo(top).isDir()) {
        return QFileInfo(top + u".py"_s).isFile() ? QStringList{top + u".py"_s} : QStringList();
    }
    QStringList files;
    QDirIterator each(top, {u"*.py"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (each.hasNext() && files.size() < MostFiles) {
        files += each.next();
    }
    files.sort();
    return files;
}

std::string hashOfFile(const QString& name, bool isProgram)
{
    QFile file(name);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const bool isRead = file.open(QIODevice::ReadOnly) && addContent(hash, file, isProgram);
    return name.toStdString() + '\n' + (isRead ? hash.result().toHex().toStdString() : std::string()) + '\n';
}

/// `mod` of `python3 -m mod`; empty if the command is another.
QString moduleOf(const QStringList& words)
{
    const bool isPython = words.size() > 2 && QFileInfo(words.front()).fileName().startsWith(u"python"_s);
    const qsizetype option = isPython ? words.indexOf(u"-m"_s) : -1;
    return option < 0 ? QString() : words.value(option + 1);
}

/// Of the files of its module, and of those that the words of a command name.
std::string contentOf(const QStringList& words, const QStringList& module)
{
    std::string hashes;
    for (const QString& file : module) {
        hashes += hashOfFile(file, false);
    }
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString word = fileOfWord(words, i);
        const bool isProgram = i == 0 && word.contains(u'/');
        if ((i == 0 && !isProgram) || !QFileInfo(word).isFile()) {
            continue;
        }
        hashes += hashOfFile(word, isProgram);
    }
    return hashes.empty() ? hashes : hashOf(hashes);
}

bool isWrittenByOwnerOnly(const QString& file)
{
    return (QFile::permissions(file) & (QFile::WriteGroup | QFile::WriteOther)) == QFile::Permissions();
}

} // namespace

QString Risk::shown() const
{
    QString text;
    for (const char32_t c : QString::fromStdString(value).toUcs4()) {
        const bool isSeen = QChar::isPrint(c) && c != QChar::LineSeparator && c != QChar::ParagraphSeparator;
        text += isSeen ? QString::fromUcs4(&c, 1) : u"\\u{%1}"_s.arg(c, 0, 16);
    }
    return text;
}

Text Risk::text() const
{
    const std::string_view pattern = isChanged
        ? LS_TR("Messages", "%1: \"%2\" would be started; its files have changed since it was confirmed")
        : parameter == nameOf(&experiment::RankSettings::program) ? LS_TR("Messages", "%1: \"%2\" would be started")
        : parameter == nameOf(&experiment::CheckpointSettings::path)
        ? LS_TR("Messages", "%1: \"%2\" would be written to")
        : LS_TR("Messages", "%1: \"%2\" would be resumed from");
    const Text said(pattern, {verbatim(parameter), verbatim(shown().toStdString())});
    return unseen.empty()
        ? said
        : Text(LS_TR("Messages", "%1; it will not be noticed if the module %2 changes"), {said, verbatim(unseen)});
}

std::vector<Risk> risksOf(std::span<const experiment::RunSpec> runs)
{
    std::vector<Risk> risks;
    for (const experiment::RunSpec& each : runs) {
        const experiment::RunSpec run = withAbsolutePaths(each);
        const std::string& program = run.settings->rank.program;
        const auto clean = [](const std::string& path) {
            return path.empty()
                ? path
                : QDir::cleanPath(QFileInfo(QString::fromStdString(path)).absoluteFilePath()).toStdString();
        };
        const QStringList words = commandWords(program);
        const QString module = moduleOf(words);
        const QStringList files = filesOfModule(module);
        const bool isSeen = module.isEmpty() || !files.isEmpty();
        const Risk starts{nameOf(&experiment::RankSettings::program), program, contentOf(words, files),
            isSeen ? std::string() : module.toStdString()};
        const Risk writes{nameOf(&experiment::CheckpointSettings::path), clean(run.settings->checkpoint.path)};
        const Risk resumes{nameOf(&experiment::CheckpointSettings::from), clean(run.settings->checkpoint.from)};
        for (const Risk& risk : {starts, writes, resumes}) {
            if (!risk.value.empty() && std::ranges::find(risks, risk) == risks.end()) {
                risks.push_back(risk);
            }
        }
    }
    return risks;
}

Result<OwnProgram> confirmedProgram(const experiment::RunSpec& run)
{
    if (run.isConfirmed) {
        return ownProgram(run);
    }
    const std::vector<Risk> risks = risksOf({&run, 1});
    return failure(
        LS_TR("Messages", "%1, but you have not confirmed it; start it from the window or with lockstep run --trust"),
        {risks.empty() ? Text(LS_TR("Messages", "rank.program: nothing")) : risks.front().text()});
}

Trust::Trust(QString file)
    : m_file(std::move(file))
{
    if (m_file.isEmpty()) {
        m_file = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/lockstep/trusted"_s;
    }
    QFile present(m_file);
    if (present.exists() && isWrittenByOwnerOnly(m_file) && present.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : present.readAll().split('\n')) {
            m_hashes.insert(line.trimmed().toStdString());
        }
    }
}

bool Trust::covers(const Risk& risk) const
{
    return m_hashes.contains(hashOfAll(risk));
}

std::vector<Risk> Trust::uncovered(std::span<const experiment::RunSpec> runs) const
{
    std::vector<Risk> risks = risksOf(runs);
    std::erase_if(risks, [this](const Risk& risk) { return covers(risk); });
    for (Risk& risk : risks) {
        risk.isChanged = m_hashes.contains(hashOfValue(risk));
    }
    return risks;
}

Result<void> Trust::add(std::span<const Risk> risks)
{
    const std::size_t before = m_hashes.size();
    for (const Risk& risk : risks) {
        m_hashes.insert({hashOfValue(risk), hashOfAll(risk)});
    }
    if (m_hashes.size() == before) {
        return {};
    }
    QByteArray text;
    for (const std::string& hash : m_hashes) {
        text += hash.empty() ? QByteArray() : QByteArray::fromStdString(hash) + '\n';
    }
    QSaveFile file(m_file);
    const bool isWritten = QDir().mkpath(QFileInfo(m_file).absolutePath()) && file.open(QIODevice::WriteOnly)
        && file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) && file.write(text) == text.size()
        && file.commit();
    return isWritten ? Result<void>()
                     : failure(LS_TR("Messages", "%1: cannot be written: %2"),
                         {verbatim(m_file.toStdString()), verbatim(file.errorString().toStdString())});
}

std::vector<Risk> checkpointRisks(const experiment::RunSpec& resumed)
{
    std::vector<Risk> risks = risksOf({&resumed, 1});
    std::erase_if(
        risks, [](const Risk& risk) { return risk.parameter != nameOf(&experiment::CheckpointSettings::from); });
    return risks;
}

void confirm(std::span<experiment::RunSpec> runs)
{
    for (experiment::RunSpec& run : runs) {
        run.isConfirmed = true;
    }
}

} // namespace lockstep::launch
