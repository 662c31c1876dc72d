#include "store/file/run_file_reader.h"

#include "store/account/run_account.h"
#include "store/file/run_tables.h"

#include <QSqlError>

#include <algorithm>
#include <optional>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

/// One table, read row by row; `delta` is that of its next row.
struct Cursor {
    std::string table;
    QSqlQuery rows;
    std::function<void(Delta&, const QSqlQuery&)> add;
    int rowColumn = 0; ///< of the rowid
    std::optional<qlonglong> delta;

    void advance() { delta = rows.next() ? std::optional<qlonglong>(rows.value(0).toLongLong()) : std::nullopt; }
    [[nodiscard]] qlonglong row() const { return rows.value(rowColumn).toLongLong(); }
};

Result<QStringList> tablesOf(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(auto query, file.query(u"SELECT name FROM sqlite_master WHERE type = 'table'"_s));
    QStringList names;
    while (query.next()) {
        names.append(query.value(0).toString());
    }
    return names;
}

template <typename Entry, typename Kept>
Result<Cursor> openTable(
    Database& file, const ReplayPlace& place, const char* table, std::vector<Entry> Delta::*part, Kept)
{
    // A table's rows are in the order of their Deltas, and only the rowid has an index.
    const auto last = place.find(table);
    LOCKSTEP_TRY_ASSIGN(auto query,
        file.query(u"SELECT *, rowid FROM %1 WHERE rowid > ? ORDER BY rowid"_s.arg(QLatin1StringView(table)),
            {last == place.end() ? qlonglong{0} : last->second}));
    Cursor cursor{table, std::move(query), {}, 0, {}};
    cursor.rowColumn = cursor.rows.record().count() - 1;
    cursor.add = [part, places = Kept::places(cursor.rows.record())](
                     Delta& delta, const QSqlQuery& row) { (delta.*part).push_back(Kept::read(row, places)); };
    cursor.advance();
    return cursor;
}

Result<std::vector<Cursor>> openTables(Database& file, const ReplayPlace& place)
{
    LOCKSTEP_TRY_ASSIGN(const auto present, tablesOf(file));
    std::vector<Cursor> cursors;
    Result<void> done;
    eachTable([&](const char* table, auto part, auto stored) {
        if (!done || !present.contains(QLatin1StringView(table))) {
            return; // a file can be older than a table
        }
        auto cursor = openTable(file, place, table, part, stored);
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

Result<ClockCorrection> readClocks(Database& file)
{
    ClockCorrection clocks;
    LOCKSTEP_TRY_ASSIGN(const QStringList present, tablesOf(file));
    Result<void> done;
    eachTable([&](const char* table, auto part, auto stored) {
        if constexpr (std::is_same_v<decltype(part), decltype(&Delta::clocks)>) {
            if (!present.contains(QLatin1StringView(table))) {
                return; // a file can be older than a table
            }
            auto cursor = openTable(file, {}, table, part, stored);
            if (!cursor) {
                done = cursor.error();
                return;
            }
            Delta delta;
            for (; cursor->delta; cursor->advance()) {
                cursor->add(delta, cursor->rows);
            }
            clocks.learn(delta);
        }
    });
    return done ? Result<ClockCorrection>(std::move(clocks)) : done.error();
}

Result<void> replayFrom(Database& file, ReplayPlace& place, const std::function<bool(const Delta&)>& visit, Times times)
{
    ClockCorrection clocks;
    if (times == Times::OfRankZero) {
        LOCKSTEP_TRY_ASSIGN(clocks, readClocks(file));
    }
    LOCKSTEP_TRY_ASSIGN(auto cursors, openTables(file, place));
    for (;;) {
        std::optional<qlonglong> next;
        for (const Cursor& cursor : cursors) {
            next = cursor.delta && (!next || *cursor.delta < *next) ? cursor.delta : next;
        }
        if (!next) {
            // An error ends a query like its last row does.
            const auto broken = std::find_if(
                cursors.begin(), cursors.end(), [](const Cursor& cursor) { return cursor.rows.lastError().isValid(); });
            return broken == cursors.end()
                ? Result<void>()
                : failure(LS_TR("Messages", "%1 cannot be read to its end: %2"),
                    {verbatim(file.path().toStdString()), verbatim(broken->rows.lastError().text().toStdString())});
        }
        Delta delta;
        for (Cursor& cursor : cursors) {
            while (cursor.delta == next) {
                cursor.add(delta, cursor.rows);
                place[cursor.table] = cursor.row();
                cursor.advance();
            }
        }
        clocks.apply(delta);
        if (!visit(delta)) {
            return {};
        }
    }
}

Result<void> replayFile(Database& file, const std::function<bool(const Delta&)>& visit, Times times)
{
    ReplayPlace beginning;
    return replayFrom(file, beginning, visit, times);
}

void endAbandoned(analysis::RunRecord& record, const RunAccount& account, const Text& why)
{
    const bool isDone = account.areOwnStepsDone();
    record.status = isDone ? analysis::RunStatus::Finished : analysis::RunStatus::Interrupted;
    record.setWhy(isDone ? measuredLess(why) : why);
}

Result<void> readCurves(Database& file, analysis::RunRecord& record, Summarise summarise)
{
    RunAccount account;
    account.setSpec(record.spec);
    auto done = replayFile(file, [&](const Delta& delta) {
        account.add(delta);
        return true;
    });
    if (done) {
        account.fill(record);
    }
    if (done && summarise == Summarise::FromRows) {
        record.summary = account.summary();
        endAbandoned(record, account, LS_TR("Messages", "the workbench ended during this run"));
    }
    return done;
}

} // namespace lockstep::store
