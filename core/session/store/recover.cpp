#include "session/store/recover.h"

#include "session/store/database.h"
#include "session/store/run_file_reader.h"
#include "session/store/run_meta.h"

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

struct Look {
    analysis::RunRecord record;
    bool isAbandoned = false; ///< it has no end, and its writer has ended
};

Result<Look> findAbandoned(Database& file)
{
    auto record = readRecord(file);
    if (!record) {
        return record.error();
    }
    if (isFinal(record->status)) {
        return Look{std::move(*record), false};
    }
    const auto writer = readWriter(file);
    if (!writer) {
        return writer.error();
    }
    return Look{std::move(*record), !writer->isAlive()};
}

} // namespace

Result<analysis::RunRecord> recoverIfAbandoned(const QString& path)
{
    auto file = Database::open(path, Access::ReadWrite);
    if (!file) {
        return file.error();
    }
    auto abandoned = findAbandoned(**file);
    if (!abandoned || !abandoned->isAbandoned) {
        return abandoned ? Result<analysis::RunRecord>(abandoned->record) : abandoned.error();
    }
    // Its writer may have ended the run between the two looks: the second is one transaction with what follows. Closing
    // the connection gives it up.
    if (auto begun = (*file)->exec(u"BEGIN IMMEDIATE"_s); !begun) {
        return begun.error();
    }
    abandoned = findAbandoned(**file);
    if (!abandoned || !abandoned->isAbandoned) {
        return abandoned ? Result<analysis::RunRecord>(abandoned->record) : abandoned.error();
    }
    Result<analysis::RunRecord> record = std::move(abandoned->record);
    if (auto read = readCurves(**file, *record, Summarise::FromRows); !read) {
        return read.error();
    }
    record->status = analysis::RunStatus::Interrupted;
    record->message = "the workbench ended during this run";
    if (auto done = writeRecord(**file, *record, {}); !done) {
        return done.error();
    }
    for (const QString& sql : {u"COMMIT"_s, u"PRAGMA wal_checkpoint(TRUNCATE)"_s, u"PRAGMA journal_mode = DELETE"_s}) {
        if (auto done = (*file)->exec(sql); !done) {
            return done.error();
        }
    }
    record->loss = {};
    record->accuracy = {};
    return record;
}

} // namespace lockstep::session
