// What a disk holds after a power failure, from the record of a program's changes (fakes/failing_calls.h): changes that
// were not yet synced may be missing. A file's bytes are synced with the file, its name with the folder.
#pragma once

#include "fakes/failing_calls.h"

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lockstep::tests {

struct RecordedChange {
    fakes::Change kind{};
    unsigned long inode = 0;
    std::string path; ///< empty: a change of the file's bytes
    std::string to; ///< of a renaming
    QByteArray bytes;
    qsizetype offset = 0;
};

/// Empty if the file is not such a record.
[[nodiscard]] std::vector<RecordedChange> recordedChanges(const QString& file);

/// The places of changes before `end` that no later sync before `end` covers, the latest first.
[[nodiscard]] std::vector<std::size_t> unsyncedBefore(const std::vector<RecordedChange>& changes, std::size_t end);

class RecordedDisk {
public:
    /// After the changes before `end` but those in `lost`.
    RecordedDisk(const std::vector<RecordedChange>& changes, std::size_t end, const std::set<std::size_t>& lost);

    /// Writes what lay below `root` into the folder, without SQLite's shared memory, which does not outlive its users.
    [[nodiscard]] bool writeTo(const QString& folder, const std::string& root) const;
    /// Equal disks have equal names.
    [[nodiscard]] QByteArray digest() const;

private:
    void apply(const RecordedChange& change);
    void rename(const RecordedChange& change);

    std::map<std::string, unsigned long> m_files;
    std::set<std::string> m_folders;
    std::map<unsigned long, QByteArray> m_contents;
};

} // namespace lockstep::tests
