#include "exchange/export/file_set.h"

#include "base/draft_folder.h"
#include "exchange/export/series_csv.h"

#include <QDir>
#include <QFileInfo>

#include <string>

namespace lockstep::exchange {

namespace {

/// Folders and their parents, those of which it had to make it removes again unless they are kept.
class MadeFolder {
public:
    MadeFolder() = default;
    MadeFolder(const MadeFolder&) = delete;
    MadeFolder& operator=(const MadeFolder&) = delete;
    ~MadeFolder()
    {
        for (auto each = m_made.rbegin(); !m_isKept && each != m_made.rend(); ++each) {
            QDir().rmdir(*each);
        }
    }

    [[nodiscard]] bool make(const QString& folder)
    {
        QStringList missing;
        for (QString at = QFileInfo(folder).absoluteFilePath(); !QFileInfo::exists(at); at = QFileInfo(at).path()) {
            missing.prepend(at);
        }
        for (const QString& each : missing) {
            if (!QDir().mkdir(each)) {
                return false;
            }
            m_made += each;
        }
        return QFileInfo(folder).isDir();
    }
    void keep() { m_isKept = true; }

private:
    QStringList m_made;
    bool m_isKept = false;
};

/// Files that were moved to their places; removes them again unless they are kept.
class MovedFiles {
public:
    MovedFiles() = default;
    MovedFiles(const MovedFiles&) = delete;
    MovedFiles& operator=(const MovedFiles&) = delete;
    ~MovedFiles()
    {
        for (const QString& each : m_moved) {
            QFile::remove(each);
        }
    }

    [[nodiscard]] Result<void> move(const std::string& from, const QString& to)
    {
        const bool isNew = !QFileInfo::exists(to);
        if (const int code = renameOnDisk(from, to.toStdString()); code != 0) {
            return failure(
                LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(to.toStdString()), systemError(code)});
        }
        if (isNew) {
            m_moved += to;
        }
        return {};
    }
    void keep() { m_moved.clear(); }

private:
    QStringList m_moved;
};

bool isThere(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.readAll() == bytes;
}

} // namespace

Result<void> writeFiles(const QString& folder, const std::vector<NewFile>& files, Existing existing)
{
    const QDir target(folder);
    for (const NewFile& file : files) {
        const QString path = target.filePath(file.path);
        if (existing == Existing::Refuse && QFileInfo::exists(path) && !(file.isShared && isThere(path, file.bytes))) {
            return failure(
                LS_TR("Messages", "%1 exists already; choose another folder, or replace it with --overwrite"),
                {verbatim(path.toStdString())});
        }
    }
    MadeFolder made;
    if (!made.make(folder)) {
        return failure(LS_TR("Messages", "the folder %1 cannot be made"), {verbatim(folder.toStdString())});
    }
    LOCKSTEP_TRY_ASSIGN(const DraftFolder draft, DraftFolder::make(folder.toStdString()));
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string draftName = draft.file(std::to_string(i));
        if (const auto written = writeWhole(QString::fromStdString(draftName), files[i].bytes); !written) {
            const std::string name = target.filePath(files[i].path).toStdString();
            return failureOf(
                edited(written.error(), [&](std::string& part) { part = part == draftName ? name : part; }));
        }
    }
    MadeFolder parts;
    MovedFiles moved;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const QString path = target.filePath(files[i].path);
        if (!parts.make(QFileInfo(path).path())) {
            return failure(
                LS_TR("Messages", "the folder %1 cannot be made"), {verbatim(QFileInfo(path).path().toStdString())});
        }
        LOCKSTEP_TRY(moved.move(draft.file(std::to_string(i)), path));
    }
    moved.keep();
    made.keep();
    parts.keep();
    return {};
}

} // namespace lockstep::exchange
