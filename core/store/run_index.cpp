#include "store/run_index.h"

#include "store/file/run_meta.h"

#include <fmt/format.h>

#include <QVariant>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

// "LOCK" as SQLite's application id.
constexpr int ApplicationId = 0x4c4f434b;
// 2 has the columns tags, note and pinned.
constexpr int IndexFormat = 2;

Result<int> pragma(Database& database, const QString& name)
{
    LOCKSTEP_TRY_ASSIGN(auto query, database.query(u"PRAGMA %1"_s.arg(name)));
    return query.next() ? query.value(0).toInt() : 0;
}

Result<void> create(Database& database)
{
    for (const QString& sql : {u"PRAGMA journal_mode = WAL"_s, u"PRAGMA application_id = %1"_s.arg(ApplicationId),
             u"PRAGMA user_version = %1"_s.arg(IndexFormat),
             u"CREATE TABLE IF NOT EXISTS runs(id TEXT PRIMARY KEY, created_ns INTEGER, status TEXT, message TEXT, "
             "label TEXT, spec TEXT, summary TEXT, tags TEXT, note TEXT, pinned INTEGER) WITHOUT ROWID"_s}) {
        LOCKSTEP_TRY(database.exec(sql));
    }
    return {};
}

/// Adds what format 1 lacks: tags, notes and pins.
Result<void> upgrade(Database& database)
{
    LOCKSTEP_TRY(database.exec(u"BEGIN IMMEDIATE"_s));
    LOCKSTEP_TRY_ASSIGN(const int format, pragma(database, u"user_version"_s));
    if (format < IndexFormat) { // another program may have done it meanwhile
        for (const QString& sql :
            {u"ALTER TABLE runs ADD COLUMN tags TEXT"_s, u"ALTER TABLE runs ADD COLUMN note TEXT"_s,
                u"ALTER TABLE runs ADD COLUMN pinned INTEGER"_s, u"PRAGMA user_version = %1"_s.arg(IndexFormat)}) {
            LOCKSTEP_TRY(database.exec(sql));
        }
    }
    return database.exec(u"COMMIT"_s);
}

/// A column that programs before it leave empty and need not know: the format is the same.
Result<void> addMessageData(Database& database)
{
    LOCKSTEP_TRY_ASSIGN(
        auto query, database.query(u"SELECT COUNT(*) FROM pragma_table_info('runs') WHERE name = 'message_data'"_s));
    if (query.next() && query.value(0).toInt() == 0) {
        query.finish();
        LOCKSTEP_TRY(database.exec(u"BEGIN IMMEDIATE"_s));
        (void)database.exec(u"ALTER TABLE runs ADD COLUMN message_data TEXT"_s); // another program may have done it
        return database.exec(u"COMMIT"_s);
    }
    return {};
}

/// What programs before it do not need.
Result<void> complete(Database& database)
{
    LOCKSTEP_TRY(addMessageData(database));
    return database.exec(u"CREATE TABLE IF NOT EXISTS imported(id TEXT PRIMARY KEY, source TEXT) WITHOUT ROWID"_s);
}

} // namespace

RunIndex::RunIndex(std::unique_ptr<Database> database)
    : m_database(std::move(database))
{ }

Result<std::unique_ptr<RunIndex>> RunIndex::open(const QString& folder)
{
    const QString path = folder + u"/index.sqlite"_s;
    LOCKSTEP_TRY_ASSIGN(auto database, Database::open(path, Access::Create));
    // A power failure may take the last rows: the index is rebuilt from the runs' files.
    LOCKSTEP_TRY(database->exec(u"PRAGMA synchronous = NORMAL"_s));
    const auto application = pragma(*database, u"application_id"_s);
    const auto tables = pragma(*database, u"schema_version"_s);
    const auto format = pragma(*database, u"user_version"_s);
    if (!application || !tables || !format) {
        return failure(LS_TR("Messages", "run store: %1 is not a Lockstep index; choose another folder with --store"),
            {verbatim(path.toStdString())});
    }
    const bool isNew = *tables == 0;
    if (!isNew && (*application != ApplicationId || *format < 1)) {
        return failure(LS_TR("Messages", "run store: %1 is not a Lockstep index; choose another folder with --store"),
            {verbatim(path.toStdString())});
    }
    if (*format > IndexFormat) {
        return failure(LS_TR("Messages",
                           "run store: %1 is an index of format %2, from a later version; this program reads up to %3; "
                           "choose another folder with --store"),
            {verbatim(path.toStdString()), *format, IndexFormat});
    }
    if (isNew) {
        LOCKSTEP_TRY(create(*database));
    } else if (*format < IndexFormat) {
        LOCKSTEP_TRY(upgrade(*database));
    }
    LOCKSTEP_TRY(complete(*database));
    return std::unique_ptr<RunIndex>(new RunIndex(std::move(database)));
}

Result<std::unique_ptr<RunIndex>> RunIndex::inMemory()
{
    LOCKSTEP_TRY_ASSIGN(auto database, Database::open(u":memory:"_s, Access::Create));
    LOCKSTEP_TRY(create(*database));
    LOCKSTEP_TRY(complete(*database));
    return std::unique_ptr<RunIndex>(new RunIndex(std::move(database)));
}

Result<void> RunIndex::putImported(const analysis::RunRecord& record)
{
    const QString id = QString::fromStdString(record.id.text);
    if (record.importedFrom.empty()) {
        LOCKSTEP_TRY(m_database->query(u"DELETE FROM imported WHERE id = ?"_s, {id}));
        return {};
    }
    LOCKSTEP_TRY(m_database->query(u"INSERT OR REPLACE INTO imported(id, source) VALUES(?, ?)"_s,
        {id, QString::fromStdString(record.importedFrom)}));
    return {};
}

Result<void> RunIndex::put(const analysis::RunRecord& record)
{
    LOCKSTEP_TRY(m_database->query(u"INSERT OR REPLACE INTO runs(id, created_ns, status, message, "
                                   "label, spec, summary, tags, note, pinned, message_data) "
                                   "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"_s,
        {QString::fromStdString(record.id.text), qlonglong{record.createdNs},
            QString::fromStdString(std::string(nameOf(record.status))), QString::fromStdString(record.message),
            QString::fromStdString(record.label), QString::fromStdString(experiment::toJson(record.spec)),
            summaryToJson(record.summary), tagsToJson(record.marks.tags), QString::fromStdString(record.marks.note),
            record.marks.isPinned ? 1 : 0, QString::fromStdString(record.messageData)}));
    return putImported(record);
}

Result<void> RunIndex::erase(const RunId& id)
{
    for (const char* table : {"imported", "runs"}) {
        LOCKSTEP_TRY(m_database->query(
            u"DELETE FROM %1 WHERE id = ?"_s.arg(QLatin1StringView(table)), {QString::fromStdString(id.text)}));
    }
    return {};
}

Result<std::map<std::string, std::string>> RunIndex::imported()
{
    LOCKSTEP_TRY_ASSIGN(auto query, m_database->query(u"SELECT id, source FROM imported"_s));
    std::map<std::string, std::string> sources;
    while (query.next()) {
        sources[query.value(0).toString().toStdString()] = query.value(1).toString().toStdString();
    }
    return sources;
}

Result<std::map<RunId, analysis::RunStatus>> RunIndex::statuses()
{
    LOCKSTEP_TRY_ASSIGN(auto query, m_database->query(u"SELECT id, status FROM runs"_s));
    std::map<RunId, analysis::RunStatus> statuses;
    while (query.next()) {
        if (const auto status = analysis::statusFromName(query.value(1).toString().toStdString())) {
            statuses[{query.value(0).toString().toStdString()}] = *status;
        }
    }
    return statuses;
}

Result<std::vector<analysis::RunRecord>> RunIndex::list()
{
    LOCKSTEP_TRY_ASSIGN(const auto sources, imported());
    LOCKSTEP_TRY_ASSIGN(auto query,
        m_database->query(
            u"SELECT id, created_ns, status, message, label, spec, summary, tags, note, pinned, message_data FROM "
            "runs ORDER BY created_ns DESC, id DESC"_s));
    std::vector<analysis::RunRecord> records;
    while (query.next()) {
        auto spec = experiment::parseRunSpec(query.value(5).toString().toStdString());
        const auto status = analysis::statusFromName(query.value(2).toString().toStdString());
        if (!spec || !status) {
            continue; // a row of a later version; opening the file reports the problem
        }
        analysis::RunRecord record;
        record.id.text = query.value(0).toString().toStdString();
        record.createdNs = query.value(1).toLongLong();
        record.status = *status;
        record.message = query.value(3).toString().toStdString();
        record.messageData = query.value(10).toString().toStdString();
        record.label = query.value(4).toString().toStdString();
        record.spec = std::move(*spec);
        record.summary = summaryFromJson(query.value(6).toString());
        record.marks = {tagsFromJson(query.value(7).toString()), query.value(8).toString().toStdString(),
            query.value(9).toInt() != 0};
        if (const auto source = sources.find(record.id.text); source != sources.end()) {
            record.importedFrom = source->second;
        }
        records.push_back(std::move(record));
    }
    return records;
}

bool RunIndex::hasChangedElsewhere()
{
    const auto version = pragma(*m_database, u"data_version"_s);
    if (!version) {
        return false;
    }
    const bool hasChanged = m_version && *m_version != *version;
    m_version = *version;
    return hasChanged;
}

} // namespace lockstep::store
