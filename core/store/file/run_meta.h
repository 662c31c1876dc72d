// The record of a run as rows of its file's table `meta`, and as JSON in the index. Private to store and bundle.
#pragma once

#include "analysis/run_record.h"
#include "base/result.h"
#include "store/file/database.h"

#include <QString>

#include <string>
#include <vector>

namespace lockstep::store {

inline constexpr int RunFormat = 1;

/// The writer of a run: shows later whether that process is still alive.
struct WriterIdentity {
    qint64 pid = 0;
    QString start; ///< boot id and start time of the process

    [[nodiscard]] static WriterIdentity ofThisProcess();
    [[nodiscard]] bool isAlive() const;
};

/// A number as text that reads back to the last digit; empty for what is not finite.
[[nodiscard]] QString summaryToJson(const analysis::Summary& summary);
[[nodiscard]] analysis::Summary summaryFromJson(const QString& json);

/// `["paper","draft"]`; what is no such list gives no tags.
[[nodiscard]] QString tagsToJson(const std::vector<std::string>& tags);
[[nodiscard]] std::vector<std::string> tagsFromJson(const QString& json);

[[nodiscard]] Result<void> setMeta(Database& file, const QString& key, const QString& value);
/// Empty where there is none.
[[nodiscard]] Result<QString> meta(Database& file, const QString& key);

/// The user's name, tags, note and pin, which may change while the run is written; and only these.
[[nodiscard]] Result<void> writeMarks(Database& file, const analysis::RunRecord& record);
/// Those of the file replace the record's. A file of an earlier version has a name only.
[[nodiscard]] Result<void> readMarks(Database& file, analysis::RunRecord& record);

[[nodiscard]] Result<void> writeRecord(Database& file, const analysis::RunRecord& record, const WriterIdentity& writer);
/// Refuses a file that is not ours or of a later version. Curves stay empty.
[[nodiscard]] Result<analysis::RunRecord> readRecord(Database& file);
[[nodiscard]] Result<WriterIdentity> readWriter(Database& file);

} // namespace lockstep::store
