#include "faults/recorded_disk.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockstep::tests {

using fakes::Change;

namespace {

std::string parentOf(const std::string& path)
{
    return path.substr(0, path.rfind('/'));
}

/// Reads the line of one change; gives the sizes of what follows it.
bool readLine(const QByteArray& line, RecordedChange& change, qsizetype& first, qsizetype& second)
{
    const QList<QByteArray> fields = line.split(' ');
    if (fields.size() != 5 || fields[0].size() != 1) {
        return false;
    }
    change.kind = static_cast<Change>(fields[0][0]);
    change.inode = fields[1].toULong();
    first = fields[2].toLongLong();
    second = fields[3].toLongLong();
    change.offset = fields[4].toLongLong();
    return true;
}

} // namespace

std::vector<RecordedChange> recordedChanges(const QString& path)
{
    QFile file(path);
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    std::vector<RecordedChange> changes;
    for (qsizetype at = 0; at < bytes.size();) {
        const qsizetype end = bytes.indexOf('\n', at);
        RecordedChange change;
        qsizetype first = 0;
        qsizetype second = 0;
        if (end < 0 || !readLine(bytes.mid(at, end - at), change, first, second)
            || end + 1 + first + second > bytes.size()) {
            return {};
        }
        if (change.kind == Change::Write) {
            change.bytes = bytes.mid(end + 1, first);
        } else {
            change.path = bytes.mid(end + 1, first).toStdString();
            change.to = bytes.mid(end + 1 + first, second).toStdString();
        }
        at = end + 1 + first + second;
        changes.push_back(std::move(change));
    }
    return changes;
}

std::vector<std::size_t> unsyncedBefore(const std::vector<RecordedChange>& changes, std::size_t end)
{
    std::set<unsigned long> syncedFiles;
    std::set<std::string> syncedFolders;
    std::vector<std::size_t> unsynced;
    for (std::size_t i = end; i-- > 0;) {
        const RecordedChange& change = changes[i];
        if (change.kind == Change::Sync) {
            syncedFiles.insert(change.inode);
            syncedFolders.insert(change.path);
            continue;
        }
        const bool isOfBytes = change.kind == Change::Write || change.kind == Change::Truncate;
        const std::string& name = change.to.empty() ? change.path : change.to;
        if (isOfBytes ? !syncedFiles.contains(change.inode) : !syncedFolders.contains(parentOf(name))) {
            unsynced.push_back(i);
        }
    }
    return unsynced;
}

RecordedDisk::RecordedDisk(
    const std::vector<RecordedChange>& changes, std::size_t end, const std::set<std::size_t>& lost)
{
    for (std::size_t i = 0; i < end; ++i) {
        if (!lost.contains(i)) {
            apply(changes[i]);
        } else if (changes[i].kind == Change::Create) {
            m_contents[changes[i].inode].clear(); // the number may have been another file's
        }
    }
}

void RecordedDisk::rename(const RecordedChange& change)
{
    if (m_files.erase(change.path) > 0 || !m_folders.contains(change.path)) {
        m_files[change.to] = change.inode;
        return;
    }
    const std::string inside = change.path + '/';
    std::map<std::string, unsigned long> files;
    for (const auto& [path, inode] : m_files) {
        files[path.starts_with(inside) ? change.to + path.substr(change.path.size()) : path] = inode;
    }
    m_files = std::move(files);
    m_folders.erase(change.path);
    m_folders.insert(change.to);
}

void RecordedDisk::apply(const RecordedChange& change)
{
    switch (change.kind) {
    case Change::Create:
        m_files[change.path] = change.inode;
        m_contents[change.inode].clear();
        break;
    case Change::MakeFolder:
        m_folders.insert(change.path);
        break;
    case Change::Write: {
        QByteArray& content = m_contents[change.inode];
        if (content.size() < change.offset + change.bytes.size()) {
            content.append(change.offset + change.bytes.size() - content.size(), '\0');
        }
        content.replace(change.offset, change.bytes.size(), change.bytes);
        break;
    }
    case Change::Truncate: {
        QByteArray& content = m_contents[change.inode];
        content.append(std::max<qsizetype>(0, change.offset - content.size()), '\0');
        content.truncate(change.offset);
        break;
    }
    case Change::Unlink:
        m_files.erase(change.path);
        m_folders.erase(change.path);
        break;
    case Change::Rename:
        rename(change);
        break;
    case Change::Sync:
        break;
    }
}

bool RecordedDisk::writeTo(const QString& folder, const std::string& root) const
{
    const auto placeOf
        = [&](const std::string& path) { return folder + QString::fromStdString(path.substr(root.size())); };
    QDir().mkpath(folder);
    for (const std::string& each : m_folders) {
        QDir().mkpath(placeOf(each));
    }
    for (const auto& [path, inode] : m_files) {
        if (path.ends_with("-shm")) {
            continue;
        }
        QFile file(placeOf(path));
        // A file in a folder whose name was lost cannot be found.
        if (!QFileInfo(QFileInfo(file).path()).isDir()) {
            continue;
        }
        const auto content = m_contents.find(inode);
        const QByteArray bytes = content == m_contents.end() ? QByteArray() : content->second;
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
            return false;
        }
    }
    return true;
}

QByteArray RecordedDisk::digest() const
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const std::string& each : m_folders) {
        hash.addData(QByteArray::fromStdString(each + '\n'));
    }
    for (const auto& [path, inode] : m_files) {
        const auto content = m_contents.find(inode);
        hash.addData(QByteArray::fromStdString(path + '\n'));
        if (content != m_contents.end() && !path.ends_with("-shm")) {
            hash.addData(QByteArray::number(content->second.size()) + '\n');
            hash.addData(content->second);
        }
    }
    return hash.result();
}

} // namespace lockstep::tests
