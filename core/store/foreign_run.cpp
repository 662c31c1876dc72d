#include "store/foreign_run.h"

#include "analysis/plain_text.h"
#include "store/account/run_account.h"
#include "store/file/run_file_reader.h"
#include "store/file/run_file_writer.h"
#include "store/file/run_meta.h"
#include "store/file/run_tables.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

constexpr std::int32_t MaxRank = 1 << 16;
constexpr std::size_t LengthBytes = 4; ///< of a frame, before its payload

/// What RunFileWriter creates: tables of plain columns.
bool isPlainTable(const QString& name, const QString& sql)
{
    static const QRegularExpression plain(
        u"\\ACREATE TABLE ([a-z_]+)\\([a-z][a-z0-9_]* (INTEGER|REAL|TEXT|BLOB)(, [a-z][a-z0-9_]* "
        u"(INTEGER|REAL|TEXT|BLOB))*\\)\\z"_s);
    if (name == u"meta") {
        return sql == QLatin1StringView(MetaTable);
    }
    const QRegularExpressionMatch match = plain.match(sql);
    return match.hasMatch() && match.captured(1) == name;
}

Result<void> checkSchema(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(auto query, file.query(u"SELECT type, name, tbl_name, sql FROM sqlite_master"_s));
    while (query.next()) {
        const QString type = query.value(0).toString();
        const QString name = query.value(1).toString();
        if (type != u"table" || query.value(2).toString() != name || !isPlainTable(name, query.value(3).toString())) {
            return failure(LS_TR("Messages", "it has a %1 \"%2\" that no run file has"),
                {verbatim(type.left(20).toStdString()), verbatim(name.left(60).simplified().toStdString())});
        }
    }
    return {};
}

Result<void> checkPages(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(auto query, file.query(u"PRAGMA quick_check(1)"_s));
    if (!query.next() || query.value(0).toString() != u"ok") {
        return failure(
            LS_TR("Messages", "it is damaged: %1"), {verbatim(query.value(0).toString().simplified().toStdString())});
    }
    return {};
}

/// The limits of the wire hold for rows of a file, too.
template <typename M>
Result<void> checkEntry(const FromRank<M>& entry)
{
    if (entry.rank < 0 || entry.rank > MaxRank) {
        return failure(LS_TR("Messages", "it has a row of rank %1"), {entry.rank});
    }
    LOCKSTEP_TRY_ASSIGN(const auto frame, wire::encode(entry.what));
    LOCKSTEP_TRY(wire::decode(std::span(frame).subspan(LengthBytes)));
    return {};
}
Result<void> checkEntry(const RankChange& change)
{
    const bool isKnown = change.rank >= 0 && change.rank <= MaxRank && change.state <= RankState::Lost;
    return isKnown ? Result<void>() : failure(LS_TR("Messages", "it has an unknown state of a rank"));
}
template <typename Entry>
Result<void> checkEntry(const Entry&)
{
    return {};
}

Result<void> checkDelta(const Delta& delta)
{
    Result<void> done;
    eachTable([&](const char*, auto part, auto) {
        for (const auto& entry : delta.*part) {
            done = done ? checkEntry(entry) : done;
        }
    });
    return done;
}

/// A terminal obeys control characters.
void makePrintable(std::string& text)
{
    text = analysis::cleanLine(text);
}

Result<void> copyRows(Database& source, RunWriter& writer, RunAccount& account, const RunChanges& changes)
{
    LOCKSTEP_TRY_ASSIGN(const ClockCorrection clocks, readClocks(source));
    Result<void> done;
    const auto copy = [&](const Delta& read) {
        Delta delta = read;
        done = checkDelta(delta);
        if (done && changes.delta) {
            changes.delta(delta);
        }
        account.add(clocks.isNeeded() ? clocks.applied(delta) : delta);
        done = done ? writer.add(delta) : done;
        return done.isOk();
    };
    LOCKSTEP_TRY(replayFile(source, copy, Times::AsStored));
    return done;
}

} // namespace

Result<std::unique_ptr<Database>> openForeignRun(const QString& path)
{
    if (const qint64 bytes = QFileInfo(path).size(); bytes > MaxRunFileBytes) {
        return failure(LS_TR("Messages", "it has %1 bytes; at most %2 are allowed"), {bytes, MaxRunFileBytes});
    }
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(path, Access::ReadOnly));
    for (const char* pragma : {"PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA query_only = ON",
             "PRAGMA mmap_size = 0", "BEGIN"}) {
        LOCKSTEP_TRY(file->exec(QLatin1StringView(pragma)));
    }
    LOCKSTEP_TRY(checkSchema(*file));
    LOCKSTEP_TRY(checkPages(*file));
    return file;
}

Result<analysis::RunRecord> readForeignRun(const QString& path)
{
    LOCKSTEP_TRY_ASSIGN(const auto file, openForeignRun(path));
    LOCKSTEP_TRY_ASSIGN(auto record, readRecord(*file));
    if (!isFinal(record.status)) {
        return failure(LS_TR("Messages", "it has no end"));
    }
    RunAccount account;
    account.setSpec(record.spec);
    Result<void> done;
    LOCKSTEP_TRY(replayFile(*file, [&](const Delta& delta) {
        done = checkDelta(delta);
        account.add(delta);
        return done.isOk();
    }));
    LOCKSTEP_TRY(std::move(done));
    account.fill(record);
    record.summary = account.summary();
    return record;
}

Result<analysis::RunRecord> copyRun(Database& source, const QString& target, const RunChanges& changes)
{
    LOCKSTEP_TRY_ASSIGN(auto record, readRecord(source));
    makePrintable(record.label);
    record.setWhy(edited(record.why(), makePrintable));
    makePrintable(record.marks.note);
    std::ranges::for_each(record.marks.tags, makePrintable);
    if (changes.record) {
        changes.record(record);
    }
    LOCKSTEP_TRY_ASSIGN(
        const auto writer, createRunFile(target, record, [](const analysis::RunRecord&) { return Result<void>(); }));
    RunAccount account(RunAccount::Curves::Leave);
    account.setSpec(record.spec);
    LOCKSTEP_TRY(copyRows(source, *writer, account, changes));
    if (!isFinal(record.status)) {
        endAbandoned(record, account, LS_TR("Messages", "it had no end when its file was copied"));
        record.summary = account.summary();
    }
    LOCKSTEP_TRY(writer->finish(record.status, record.why(), record.summary));
    return record;
}

} // namespace lockstep::store
