#include "store/recover.h"

#include "store/file/database.h"
#include "store/file/run_file_reader.h"
#include "store/file/run_meta.h"

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

struct Look {
    analysis::RunRecord record;
    bool isAbandoned = false; ///< it has no end, and its writer has ended
};

Result<Look> findAbandoned(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(auto record, readRecord(file));
    if (isFinal(record.status)) {
        return Look{std::move(record), false};
    }
    LOCKSTEP_TRY_ASSIGN(const auto writer, readWriter(file));
    return Look{std::move(record), !writer.isAlive()};
}

} // namespace

Result<analysis::RunRecord> recoverIfAbandoned(const QString& path)
{
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(path, Access::ReadWrite));
    auto abandoned = findAbandoned(*file);
    if (!abandoned || !abandoned->isAbandoned) {
        return abandoned ? Result<analysis::RunRecord>(abandoned->record) : abandoned.error();
    }
    // Its writer may have ended the run between the two checks: the second and what follows are one transaction.
    // Closing the connection rolls it back.
    LOCKSTEP_TRY(file->exec(u"BEGIN IMMEDIATE"_s));
    abandoned = findAbandoned(*file);
    if (!abandoned || !abandoned->isAbandoned) {
        return abandoned ? Result<analysis::RunRecord>(abandoned->record) : abandoned.error();
    }
    Result<analysis::RunRecord> record = std::move(abandoned->record);
    LOCKSTEP_TRY(readCurves(*file, *record, Summarise::FromRows));
    record->status = analysis::RunStatus::Interrupted;
    record->setWhy(LS_TR("Messages", "the workbench ended during this run"));
    LOCKSTEP_TRY(writeRecord(*file, *record, {}));
    for (const QString& sql : {u"COMMIT"_s, u"PRAGMA wal_checkpoint(TRUNCATE)"_s, u"PRAGMA journal_mode = DELETE"_s}) {
        LOCKSTEP_TRY(file->exec(sql));
    }
    record->loss = {};
    record->accuracy = {};
    return record;
}

} // namespace lockstep::store
