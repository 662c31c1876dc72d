#include "laboratory/format/laboratory_files.h"

#include "base/translate.h"
#include "exchange/bundle/zip_reader.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t MostFiles = 1000;

enum class FileRole { Description, Text, Picture, Code, Key, None };

FileRole roleOf(const QString& name)
{
    static const QRegularExpression OfText(u"^texts/[a-z0-9-]+\\.(en|zh)\\.md$"_s);
    static const QRegularExpression OfPicture(u"^pictures/[A-Za-z0-9_.-]+\\.(png|svg)$"_s);
    static const QRegularExpression OfCode(u"^code/[A-Za-z0-9_.-]+\\.py$"_s);
    return name == QLatin1StringView(DescriptionName)                    ? FileRole::Description
        : name == QLatin1StringView(KeyName) || name.endsWith(u".key"_s) ? FileRole::Key
        : OfText.match(name).hasMatch()                                  ? FileRole::Text
        : OfPicture.match(name).hasMatch()                               ? FileRole::Picture
        : OfCode.match(name).hasMatch()                                  ? FileRole::Code
                                                                         : FileRole::None;
}

std::uint64_t mostOf(FileRole role)
{
    return role == FileRole::Picture ? LargestPicture : LongestText;
}

Error hasNoPlace(const QString& name)
{
    return failure(LS_TR("Messages",
                       "its file %1 has no place in a laboratory; allowed: laboratory.json, texts/STEP.en.md, "
                       "texts/STEP.zh.md, pictures/*.png, pictures/*.svg, code/*.py"),
        {verbatim(name.toStdString())});
}

Error isTooLarge(const QString& name, std::uint64_t most)
{
    return failure(
        LS_TR("Messages", "its file %1 has more than the %2 bytes allowed"), {verbatim(name.toStdString()), most});
}

Result<QByteArray> contentOf(const QString& file, const QString& name, std::uint64_t most)
{
    QFile input(file);
    if (!input.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "its file %1 cannot be read: %2"),
            {verbatim(name.toStdString()), verbatim(input.errorString().toStdString())});
    }
    QByteArray bytes = input.read(static_cast<qint64>(most) + 1);
    return static_cast<std::uint64_t>(bytes.size()) > most ? Result<QByteArray>(isTooLarge(name, most))
                                                           : Result<QByteArray>(std::move(bytes));
}

/// Takes one file after the other, up to the limit of all.
class Gathered {
public:
    Result<void> add(const QString& name, const Result<QByteArray>& content)
    {
        LOCKSTEP_TRY(content);
        m_bytes += static_cast<std::uint64_t>(content->size());
        if (m_bytes > LargestLaboratory || m_files.size() >= MostFiles) {
            return failure(LS_TR("Messages", "it has more than %1 files or %2 MB; a laboratory is smaller"),
                {MostFiles, LargestLaboratory >> 20u});
        }
        m_files.emplace(name.toStdString(), *content);
        return {};
    }
    [[nodiscard]] std::map<std::string, QByteArray> take() { return std::move(m_files); }

private:
    std::map<std::string, QByteArray> m_files;
    std::uint64_t m_bytes = 0;
};

Result<std::map<std::string, QByteArray>> filesOfFolder(const QString& path)
{
    const QDir folder(QFileInfo(path).absoluteFilePath()); // relativeFilePath() leaves relative paths as they are
    Gathered files;
    QDirIterator each(
        folder.path(), QDir::Files | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString file = each.next();
        const QString name = folder.relativeFilePath(file);
        const FileRole role = roleOf(name);
        if (role == FileRole::Key || name.endsWith(u'~')) {
            continue;
        }
        if (role == FileRole::None) {
            return hasNoPlace(name);
        }
        LOCKSTEP_TRY(files.add(name, contentOf(file, name, mostOf(role))));
    }
    return files.take();
}

Result<std::map<std::string, QByteArray>> filesOfArchive(const QString& path)
{
    LOCKSTEP_TRY_ASSIGN(const auto archive, exchange::ZipReader::open(path));
    Gathered files;
    for (const exchange::ZipMember& member : archive.members()) {
        const FileRole role = roleOf(member.name);
        if (member.name == u"handin.json"_s) {
            return failure(LS_TR("Messages", "it is a hand-in, not a laboratory"));
        }
        if (member.name == u"bundle.json"_s) {
            return failure(LS_TR("Messages", "it is a bundle of runs, not a laboratory; open it by lockstep import"));
        }
        if (role == FileRole::Key) {
            return failure(LS_TR("Messages",
                               "it has its key, %1, which students must not get; lockstep lab hand-out "
                               "writes it without the key"),
                {verbatim(member.name.toStdString())});
        }
        if (role == FileRole::None) {
            return hasNoPlace(member.name);
        }
        if (member.bytes > mostOf(role)) {
            return isTooLarge(member.name, mostOf(role));
        }
        LOCKSTEP_TRY(files.add(member.name, archive.read(member.name, mostOf(role))));
    }
    return files.take();
}

/// What a file that is no archive may be instead.
Error notALaboratory(const QString& path)
{
    QFile file(path);
    const QByteArray begin = file.open(QIODevice::ReadOnly) ? file.read(1 << 16) : QByteArray();
    if (begin.trimmed().startsWith('{') && begin.contains("\"laboratory\"") && begin.contains("\"steps\"")) {
        return failure(LS_TR("Messages", "it is the key of a laboratory, not the laboratory itself"));
    }
    if (begin.trimmed().startsWith('{') && begin.contains("\"steps\"")) {
        return failure(LS_TR("Messages", "it is one file of a laboratory; open its folder"));
    }
    return failure(LS_TR("Messages", "it is not a laboratory: neither a .lab file nor a folder with laboratory.json"));
}

} // namespace

Result<std::map<std::string, QByteArray>> laboratoryFiles(const QString& path)
{
    const QFileInfo place(path);
    if (!place.exists()) {
        return failure(LS_TR("Messages", "there is no such file"));
    }
    if (place.isDir()) {
        return filesOfFolder(path);
    }
    return exchange::isZip(path) ? filesOfArchive(path) : notALaboratory(path);
}

Result<std::string> readTextFile(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    LOCKSTEP_TRY_ASSIGN(const QByteArray bytes, contentOf(path, name, LongestText));
    return bytes.toStdString();
}

std::string hashOfFiles(const std::map<std::string, QByteArray>& files)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const auto& [name, content] : files) {
        hash.addData(QByteArray::fromStdString(name).append('\0'));
        hash.addData(QByteArray::number(content.size()).append('\0'));
        hash.addData(content);
    }
    return hash.result().toHex().toStdString();
}

std::string textFileOf(const std::string& step, const char* language)
{
    return "texts/" + step + "." + language + ".md";
}

} // namespace lockstep::laboratory
