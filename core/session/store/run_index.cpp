#include "session/store/run_index.h"

#include "session/store/run_meta.h"

#include <QVariant>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

// "LOCK" as SQLite's application id.
constexpr int ApplicationId = 0x4c4f434b;
constexpr int IndexFormat = 1;

Result<int> pragma(Database& database, const QString& name)
{
    auto query = database.prepare(u"PRAGMA %1"_s.arg(name));
    if (!query) {
        return query.error();
    }
    if (auto done = database.run(*query); !done) {
        return done.error();
    }
    return query->next() ? query->value(0).toInt() : 0;
}

Result<void> create(Database& database)
{
    for (const QString& sql : {u"PRAGMA journal_mode = WAL"_s, u"PRAGMA application_id = %1"_s.arg(ApplicationId),
             u"PRAGMA user_version = %1"_s.arg(IndexFormat),
             u"CREATE TABLE IF NOT EXISTS runs(id TEXT PRIMARY KEY, created_ns INTEGER, status TEXT, message TEXT, "
             "label TEXT, spec TEXT, summary TEXT) WITHOUT ROWID"_s}) {
        if (auto done = database.exec(sql); !done) {
            return done;
        }
    }
    return {};
}

} // namespace

RunIndex::RunIndex(std::unique_ptr<Database> database)
    : m_database(std::move(database))
{ }

Result<std::unique_ptr<RunIndex>> RunIndex::open(const QString& folder)
{
    const QString path = folder + u"/index.sqlite"_s;
    auto database = Database::open(path, Access::Create);
    if (!database) {
        return database.error();
    }
    const auto application = pragma(**database, u"application_id"_s);
    const auto tables = pragma(**database, u"schema_version"_s);
    const auto format = pragma(**database, u"user_version"_s);
    if (!application || !tables || !format) {
        return Error{
            "run store: " + path.toStdString() + " is not a Lockstep index; choose another folder with --store"};
    }
    const bool isNew = *tables == 0;
    if (!isNew && (*application != ApplicationId || *format != IndexFormat)) {
        return Error{
            "run store: " + path.toStdString() + " is not a Lockstep index; choose another folder with --store"};
    }
    if (isNew) {
        if (auto done = create(**database); !done) {
            return done.error();
        }
    }
    return std::unique_ptr<RunIndex>(new RunIndex(std::move(*database)));
}

Result<void> RunIndex::put(const analysis::RunRecord& record)
{
    auto query = m_database->prepare(u"INSERT OR REPLACE INTO runs VALUES(?, ?, ?, ?, ?, ?, ?)"_s);
    if (!query) {
        return query.error();
    }
    for (const QVariant& value :
        {QVariant(QString::fromStdString(record.id.text)), QVariant::fromValue<qlonglong>(record.createdNs),
            QVariant(QString::fromStdString(std::string(nameOf(record.status)))),
            QVariant(QString::fromStdString(record.message)), QVariant(QString::fromStdString(record.label)),
            QVariant(QString::fromStdString(experiment::toJson(record.spec))),
            QVariant(summaryToJson(record.summary))}) {
        query->addBindValue(value);
    }
    return m_database->run(*query);
}

Result<void> RunIndex::erase(const RunId& id)
{
    auto query = m_database->prepare(u"DELETE FROM runs WHERE id = ?"_s);
    if (!query) {
        return query.error();
    }
    query->addBindValue(QString::fromStdString(id.text));
    return m_database->run(*query);
}

Result<void> RunIndex::clear()
{
    return m_database->exec(u"DELETE FROM runs"_s);
}

Result<std::vector<analysis::RunRecord>> RunIndex::list()
{
    auto query = m_database->prepare(
        u"SELECT id, created_ns, status, message, label, spec, summary FROM runs ORDER BY created_ns DESC, id DESC"_s);
    if (!query) {
        return query.error();
    }
    if (auto done = m_database->run(*query); !done) {
        return done.error();
    }
    std::vector<analysis::RunRecord> records;
    while (query->next()) {
        auto spec = experiment::parseRunSpec(query->value(5).toString().toStdString());
        const auto status = analysis::statusFromName(query->value(2).toString().toStdString());
        if (!spec || !status) {
            continue; // a row of a later program; the file itself says what is the matter when it is opened
        }
        analysis::RunRecord record;
        record.id.text = query->value(0).toString().toStdString();
        record.createdNs = query->value(1).toLongLong();
        record.status = *status;
        record.message = query->value(3).toString().toStdString();
        record.label = query->value(4).toString().toStdString();
        record.spec = std::move(*spec);
        record.summary = summaryFromJson(query->value(6).toString());
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace lockstep::session
