#include "store/file/run_file_writer.h"

#include "store/file/database.h"
#include "store/file/loss_columns.h"
#include "store/file/run_meta.h"
#include "store/file/run_tables.h"

#include <QFileInfo>
#include <QVariant>

#include <map>
#include <vector>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

class RunFileWriter final : public RunWriter {
public:
    RunFileWriter(std::unique_ptr<Database> file, analysis::RunRecord record,
        std::function<Result<void>(const analysis::RunRecord&)> ended)
        : m_file(std::move(file))
        , m_record(std::move(record))
        , m_ended(std::move(ended))
    { }

    Result<void> add(const Delta& delta) override;
    Result<void> finish(analysis::RunStatus status, const Text& why, const analysis::Summary& summary) override;

private:
    Result<void> insert(const char* table, const std::vector<QVariant>& values);
    Result<void> insertAll(const Delta& delta);

    std::unique_ptr<Database> m_file;
    std::map<std::string, QSqlQuery> m_inserts;
    LossColumns m_loss;
    analysis::RunRecord m_record;
    std::function<Result<void>(const analysis::RunRecord&)> m_ended;
    qlonglong m_delta = 0;
};

Result<void> RunFileWriter::insert(const char* table, const std::vector<QVariant>& values)
{
    auto found = m_inserts.find(table);
    if (found == m_inserts.end()) {
        const QString marks = QStringList(static_cast<qsizetype>(values.size()) + 1, u"?"_s).join(u',');
        LOCKSTEP_TRY_ASSIGN(
            auto query, m_file->prepare(u"INSERT INTO %1 VALUES(%2)"_s.arg(QLatin1StringView(table), marks)));
        found = m_inserts.emplace(table, std::move(query)).first;
    }
    QSqlQuery& query = found->second;
    query.bindValue(0, m_delta);
    int place = 0;
    for (const QVariant& value : values) {
        query.bindValue(++place, value);
    }
    return m_file->run(query);
}

Result<void> RunFileWriter::insertAll(const Delta& delta)
{
    Result<void> done;
    eachTable([&](const char* table, auto part, auto stored) {
        for (const auto& entry : delta.*part) {
            done = done ? insert(table, stored.values(entry)) : done;
        }
    });
    for (const StatusChange& change : delta.statuses) {
        const std::string name(nameOf(change.status));
        done = done ? setMeta(*m_file, u"status"_s, QString::fromStdString(name)) : done;
    }
    return done ? m_loss.add(*m_file, delta) : done;
}

Result<void> RunFileWriter::add(const Delta& delta)
{
    if (delta.isEmpty()) {
        return {};
    }
    auto done = m_file->inTransaction([&] { return insertAll(delta); });
    m_delta += done ? 1 : 0;
    if (!done) {
        m_loss.stop();
    }
    return done;
}

Result<void> RunFileWriter::finish(analysis::RunStatus status, const Text& why, const analysis::Summary& summary)
{
    m_record.status = status;
    m_record.setWhy(why);
    m_record.summary = summary;
    const auto written = m_file->inTransaction([this]() -> Result<void> {
        // The run may have been renamed, tagged or pinned since it was begun.
        LOCKSTEP_TRY(readMarks(*m_file, m_record));
        LOCKSTEP_TRY(m_loss.finish(*m_file));
        return writeRecord(*m_file, m_record, {});
    });
    if (!written) {
        return written;
    }
    m_inserts.clear();
    LOCKSTEP_TRY(m_file->exec(u"PRAGMA wal_checkpoint(TRUNCATE)"_s));
    // From here on a copy of the file is the run. A reader that has it open only delays this. The change of the mode
    // rewrites the first page through a journal. Unsynced, a power failure may leave the journal with zeros for that
    // page: its checksum skips most bytes, may accept them, and the file would begin with zeros.
    for (const QString& pragma : {u"PRAGMA synchronous = EXTRA"_s, u"PRAGMA journal_mode = DELETE"_s}) {
        static_cast<void>(m_file->exec(pragma).isOk());
    }
    const QString path = m_file->path();
    m_file.reset();
    if (!QFileInfo::exists(path)) { // SQLite still writes to the file, which has no name any more
        return failure(LS_TR("Messages", "run store: %1 was removed during the run"), {verbatim(path.toStdString())});
    }
    return m_ended(m_record);
}

} // namespace

Result<std::unique_ptr<RunWriter>> createRunFile(const QString& path, const analysis::RunRecord& record,
    std::function<Result<void>(const analysis::RunRecord&)> ended)
{
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(path, Access::Create));
    // A run that has just begun need not be protected from a power failure.
    for (const char* pragma :
        {"PRAGMA synchronous = OFF", "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 4000"}) {
        LOCKSTEP_TRY(file->exec(QLatin1StringView(pragma)));
    }
    LOCKSTEP_TRY(file->exec(u"BEGIN IMMEDIATE"_s));
    auto made = file->exec(QLatin1StringView(MetaTable));
    eachTable([&](const char* table, auto, auto stored) {
        const QString sql = u"CREATE TABLE %1(delta INTEGER, %2)"_s.arg(QLatin1StringView(table), stored.columns());
        made = made ? file->exec(sql) : made;
    });
    made = made ? LossColumns::create(*file) : made;
    if (!made) {
        return made.error();
    }
    LOCKSTEP_TRY(writeRecord(*file, record, WriterIdentity::ofThisProcess()));
    for (const QString& last : {u"COMMIT"_s, u"PRAGMA synchronous = NORMAL"_s}) {
        LOCKSTEP_TRY(file->exec(last));
    }
    return std::unique_ptr<RunWriter>(std::make_unique<RunFileWriter>(std::move(file), record, std::move(ended)));
}

} // namespace lockstep::store
