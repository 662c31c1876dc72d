#include "session/store/recover.h"

#include "session/store/database.h"
#include "session/store/run_file_reader.h"
#include "session/store/run_meta.h"

namespace lockstep::session {

using namespace Qt::StringLiterals;

Result<analysis::RunRecord> recoverIfAbandoned(const QString& path)
{
    auto file = Database::open(path, Access::ReadWrite);
    if (!file) {
        return file.error();
    }
    auto record = readRecord(**file);
    if (!record || isFinal(record->status)) {
        return record;
    }
    const auto writer = readWriter(**file);
    if (!writer) {
        return writer.error();
    }
    if (writer->isAlive()) {
        return record;
    }
    if (auto read = readCurves(**file, *record, Summarise::FromRows); !read) {
        return read.error();
    }
    record->status = analysis::RunStatus::Interrupted;
    record->message = "the workbench ended while this run went on";
    if (auto done = writeRecord(**file, *record, {}); !done) {
        return done.error();
    }
    for (const QString& sql : {u"PRAGMA wal_checkpoint(TRUNCATE)"_s, u"PRAGMA journal_mode = DELETE"_s}) {
        if (auto done = (*file)->exec(sql); !done) {
            return done.error();
        }
    }
    record->loss = {};
    record->accuracy = {};
    return record;
}

} // namespace lockstep::session
