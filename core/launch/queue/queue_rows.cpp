#include "launch/queue/queue_rows.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace lockstep::launch {

using namespace Qt::StringLiterals;

namespace {

constexpr int QueueFormat = 2; ///< 1 has no problem_data

QString asText(std::string_view given)
{
    return QString::fromUtf8(given.data(), static_cast<qsizetype>(given.size()));
}

/// State, paused, runs, problem and problem_data.
QVariantList changingValues(const QueueEntry& entry)
{
    return {asText(nameOf(entry.state)), entry.isPaused ? 1 : 0, asText(runsToJson(entry.runs).dump()),
        asText(entry.problem.english), asText(packed(entry.problem))};
}

Result<int> versionOf(store::Database& database)
{
    LOCKSTEP_TRY_ASSIGN(auto query, database.query(u"PRAGMA user_version"_s));
    return query.next() ? query.value(0).toInt() : 0;
}

Result<void> prepareFile(store::Database& database, int version)
{
    if (version == 1) {
        LOCKSTEP_TRY(database.exec(u"ALTER TABLE entries ADD COLUMN problem_data TEXT NOT NULL DEFAULT ''"_s));
    }
    for (const QString& sql : {u"PRAGMA journal_mode = WAL"_s, u"PRAGMA synchronous = NORMAL"_s,
             u"CREATE TABLE IF NOT EXISTS entries(id INTEGER PRIMARY KEY AUTOINCREMENT, place INTEGER NOT NULL, "
             "name TEXT NOT NULL, state TEXT NOT NULL, paused INTEGER NOT NULL, runs TEXT NOT NULL, "
             "problem TEXT NOT NULL, problem_data TEXT NOT NULL)"_s,
             u"CREATE TABLE IF NOT EXISTS queue(key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID"_s,
             u"PRAGMA user_version = %1"_s.arg(QueueFormat)}) {
        LOCKSTEP_TRY(database.exec(sql));
    }
    return {};
}

Result<void> fill(QueueEntry& entry, const QString& state, const std::string& runs)
{
    const auto known = entryStateFromName(state.toStdString());
    if (!known || *known == EntryState::Stopping) {
        return failure(LS_TR("Messages", "its state is \"%1\""), {verbatim(state.toStdString())});
    }
    const auto json = nlohmann::ordered_json::parse(runs, nullptr, false);
    if (json.is_discarded()) {
        return failure(LS_TR("Messages", "its runs are not JSON"));
    }
    LOCKSTEP_TRY_ASSIGN(entry.runs, runsFromJson(json));
    entry.state = *known;
    return {};
}

} // namespace

Result<std::unique_ptr<QueueRows>> QueueRows::open(const QString& storeFolder)
{
    const QString path = storeFolder + u"/queue.sqlite"_s;
    QString aside;
    if (store::isDamaged(path)) {
        LOCKSTEP_TRY_ASSIGN(aside, store::setAside(path));
    }
    LOCKSTEP_TRY_ASSIGN(auto database, store::Database::open(path, store::Access::Create));
    LOCKSTEP_TRY_ASSIGN(const int version, versionOf(*database));
    if (version > QueueFormat) {
        return failure(
            LS_TR("Messages", "queue: %1 is from a later version of Lockstep"), {verbatim(path.toStdString())});
    }
    LOCKSTEP_TRY(prepareFile(*database, version));
    std::unique_ptr<QueueRows> rows(new QueueRows(std::move(database)));
    if (!aside.isEmpty()) {
        QueueEntry entry{.name = "queue.sqlite"};
        entry.state = EntryState::Damaged;
        entry.problem
            = {LS_TR("Messages", "the queue's file was damaged; it is kept as %1"), {verbatim(aside.toStdString())}};
        LOCKSTEP_TRY(rows->add(entry));
    }
    return rows;
}

Result<QueueState> QueueRows::load()
{
    QueueState state;
    LOCKSTEP_TRY_ASSIGN(auto paused, m_database->query(u"SELECT value FROM queue WHERE key = 'paused'"_s));
    state.isPaused = paused.next() && paused.value(0).toInt() != 0;
    LOCKSTEP_TRY_ASSIGN(auto rows,
        m_database->query(
            u"SELECT id, name, state, paused, runs, problem, problem_data FROM entries ORDER BY place, id"_s));
    while (rows.next()) {
        QueueEntry entry{.id = rows.value(0).toLongLong(), .name = rows.value(1).toString().toStdString()};
        entry.isPaused = rows.value(3).toInt() != 0;
        entry.problem = unpacked(rows.value(5).toString().toStdString(), rows.value(6).toString().toStdString());
        if (entryStateFromName(rows.value(2).toString().toStdString()) == EntryState::Damaged) {
            entry.state = EntryState::Damaged; // with the problem that it was stored with
            state.entries.push_back(std::move(entry));
            continue;
        }
        const auto filled = fill(entry, rows.value(2).toString(), rows.value(4).toString().toStdString());
        if (!filled) {
            entry.state = EntryState::Damaged;
            entry.problem = {LS_TR("Messages", "this entry cannot be read: %1"), {filled.error()}};
        }
        state.entries.push_back(std::move(entry));
    }
    return state;
}

Result<std::int64_t> QueueRows::add(const QueueEntry& entry)
{
    LOCKSTEP_TRY_ASSIGN(auto query,
        m_database->query(u"INSERT INTO entries(place, name, state, paused, runs, problem, problem_data) "
                          "VALUES((SELECT COALESCE(MAX(place), 0) + 1 FROM entries), ?, ?, ?, ?, ?, ?)"_s,
            QVariantList{asText(entry.name)} + changingValues(entry)));
    return query.lastInsertId().toLongLong();
}

Result<void> QueueRows::write(const QueueEntry& entry)
{
    LOCKSTEP_TRY(m_database->query(
        u"UPDATE entries SET state = ?, paused = ?, runs = ?, problem = ?, problem_data = ? WHERE id = ?"_s,
        changingValues(entry) + QVariantList{qlonglong{entry.id}}));
    return {};
}

Result<void> QueueRows::remove(std::span<const std::int64_t> ids)
{
    return m_database->inTransaction([&]() -> Result<void> {
        for (const std::int64_t id : ids) {
            LOCKSTEP_TRY(m_database->query(u"DELETE FROM entries WHERE id = ?"_s, {qlonglong{id}}));
        }
        return {};
    });
}

Result<void> QueueRows::setOrder(std::span<const std::int64_t> ids)
{
    return m_database->inTransaction([&]() -> Result<void> {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            LOCKSTEP_TRY(m_database->query(
                u"UPDATE entries SET place = ? WHERE id = ?"_s, {static_cast<qlonglong>(i + 1), qlonglong{ids[i]}}));
        }
        return {};
    });
}

Result<void> QueueRows::setPaused(bool isPaused)
{
    LOCKSTEP_TRY(m_database->query(u"INSERT OR REPLACE INTO queue VALUES('paused', ?)"_s, {isPaused ? 1 : 0}));
    return {};
}

} // namespace lockstep::launch
