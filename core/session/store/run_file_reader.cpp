#include "session/store/run_file_reader.h"

#include "session/run_account.h"
#include "session/store/run_tables.h"

#include <QSqlError>

#include <algorithm>
#include <optional>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

/// One table, read row by row; `delta` is that of its next row.
struct Cursor {
    QSqlQuery rows;
    std::function<void(Delta&, const QSqlQuery&)> add;
    std::optional<qlonglong> delta;

    void advance() { delta = rows.next() ? std::optional<qlonglong>(rows.value(0).toLongLong()) : std::nullopt; }
};

Result<QStringList> tablesOf(Database& file)
{
    auto query = file.prepare(u"SELECT name FROM sqlite_master WHERE type = 'table'"_s);
    if (!query) {
        return query.error();
    }
    if (auto done = file.run(*query); !done) {
        return done.error();
    }
    QStringList names;
    while (query->next()) {
        names.append(query->value(0).toString());
    }
    return names;
}

template <typename Entry, typename Kept>
Result<Cursor> openTable(Database& file, qlonglong after, const char* table, std::vector<Entry> Delta::*part, Kept)
{
    auto query = file.prepare(u"SELECT * FROM %1 WHERE delta > ? ORDER BY rowid"_s.arg(QLatin1StringView(table)));
    if (!query) {
        return query.error();
    }
    query->addBindValue(after);
    if (auto done = file.run(*query); !done) {
        return done.error();
    }
    Cursor cursor{std::move(*query), {}, {}};
    cursor.add = [part, places = Kept::places(cursor.rows.record())](
                     Delta& delta, const QSqlQuery& row) { (delta.*part).push_back(Kept::read(row, places)); };
    cursor.advance();
    return cursor;
}

Result<std::vector<Cursor>> openTables(Database& file, qlonglong after)
{
    const auto present = tablesOf(file);
    if (!present) {
        return present.error();
    }
    std::vector<Cursor> cursors;
    Result<void> done;
    eachTable([&](const char* table, auto part, auto stored) {
        if (!done || !present->contains(QLatin1StringView(table))) {
            return; // a file can be older than a table
        }
        auto cursor = openTable(file, after, table, part, stored);
        if (cursor) {
            cursors.push_back(std::move(*cursor));
        } else {
            done = cursor.error();
        }
    });
    return done ? Result<std::vector<Cursor>>(std::move(cursors)) : done.error();
}

} // namespace

QString runFile(const QString& storeFolder, const RunId& id)
{
    return storeFolder + u'/' + QString::fromStdString(id.text) + u".run"_s;
}

Result<qlonglong> replayFrom(Database& file, qlonglong after, const std::function<bool(const Delta&)>& visit)
{
    qlonglong last = after;
    auto opened = openTables(file, after);
    if (!opened) {
        return opened.error();
    }
    std::vector<Cursor>& cursors = *opened;
    for (;;) {
        std::optional<qlonglong> next;
        for (const Cursor& cursor : cursors) {
            next = cursor.delta && (!next || *cursor.delta < *next) ? cursor.delta : next;
        }
        if (!next) {
            // An error ends a query like its last row does.
            const auto broken = std::find_if(
                cursors.begin(), cursors.end(), [](const Cursor& cursor) { return cursor.rows.lastError().isValid(); });
            return broken == cursors.end() ? Result<qlonglong>(last)
                                           : Error{file.path().toStdString() + " cannot be read to its end: "
                                               + broken->rows.lastError().text().toStdString()};
        }
        last = *next;
        Delta delta;
        for (Cursor& cursor : cursors) {
            while (cursor.delta == next) {
                cursor.add(delta, cursor.rows);
                cursor.advance();
            }
        }
        if (!visit(delta)) {
            return last;
        }
    }
}

Result<void> replayFile(Database& file, const std::function<bool(const Delta&)>& visit)
{
    LOCKSTEP_TRY(replayFrom(file, -1, visit));
    return {};
}

Result<void> readCurves(Database& file, analysis::RunRecord& record, Summarise summarise)
{
    RunAccount account;
    auto done = replayFile(file, [&](const Delta& delta) {
        account.add(delta);
        return true;
    });
    if (done) {
        account.fill(record);
    }
    if (done && summarise == Summarise::FromRows) {
        record.summary = account.summary();
    }
    return done;
}

} // namespace lockstep::session
