#include "store/file/database.h"

#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QUrl>

#include <algorithm>
#include <atomic>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

QString freshName()
{
    static std::atomic<int> count{0};
    return u"lockstep-%1"_s.arg(count.fetch_add(1));
}

/// The last connection that closes a file removes its journal.
bool wasClosed(const QString& path)
{
    return QFileInfo(path + u"-wal"_s).size() == 0 && QFileInfo(path + u"-journal"_s).size() == 0;
}

} // namespace

bool isDamaged(const QString& path, DamageCheck check)
{
    if (QFileInfo(path).size() == 0) {
        return false;
    }
    const QString connection = freshName();
    bool isDamaged = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, connection);
        database.setDatabaseName(path);
        database.setConnectOptions(u"QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000"_s);
        QSqlQuery query(database);
        const bool readsAll = check == DamageCheck::Whole || !wasClosed(path);
        if (database.open() && query.exec(readsAll ? u"PRAGMA quick_check(1)"_s : u"PRAGMA schema_version"_s)) {
            isDamaged = readsAll && query.next() && query.value(0).toString() != u"ok"_s;
        } else {
            constexpr int Corrupt = 11; // SQLITE_CORRUPT
            constexpr int NotADatabase = 26; // SQLITE_NOTADB
            const int code = query.lastError().nativeErrorCode().toInt() & 0xff;
            isDamaged = code == Corrupt || code == NotADatabase;
        }
    }
    QSqlDatabase::removeDatabase(connection);
    return isDamaged;
}

Result<QString> setAside(const QString& path)
{
    QString aside = path + u".damaged"_s;
    for (int number = 2; QFileInfo::exists(aside); ++number) {
        aside = path + u".damaged-%1"_s.arg(number);
    }
    for (const QString& tail : {u"-wal"_s, u"-shm"_s, QString()}) {
        QFile file(path + tail);
        if (file.exists() && !file.rename(aside + tail)) {
            return failure(LS_TR("Messages", "run store: %1 cannot be moved to %2: %3"),
                {verbatim(path.toStdString()), verbatim(aside.toStdString()),
                    verbatim(file.errorString().toStdString())});
        }
    }
    return aside;
}

Database::Database(QString path, QString connection)
    : m_path(std::move(path))
    , m_connection(std::move(connection))
    , m_database(QSqlDatabase::addDatabase(u"QSQLITE"_s, m_connection))
{ }

Database::~Database()
{
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<Database>> Database::open(const QString& path, Access access)
{
    if (!QSqlDatabase::isDriverAvailable(u"QSQLITE"_s)) {
        return failure(
            LS_TR("Messages", "run store: Qt's SQLite driver is missing; install the package libqt6sql6-sqlite"));
    }
    if (access != Access::Create && !QFileInfo(path).isFile()) {
        return failure(LS_TR("Messages", "run store: %1 does not exist"), {verbatim(path.toStdString())});
    }
    std::unique_ptr<Database> database(new Database(path, freshName()));
    // Where no journal can be made, SQLite reads only a file opened as immutable: no process writes it.
    const bool isFixed = access != Access::Create && !QFileInfo(QFileInfo(path).absolutePath()).isWritable();
    database->m_database.setDatabaseName(isFixed
            ? QString::fromLatin1(QUrl::fromLocalFile(QFileInfo(path).absoluteFilePath()).toEncoded())
                + u"?immutable=1"_s
            : path);
    const QString options = isFixed  ? u"QSQLITE_OPEN_READONLY;QSQLITE_OPEN_URI;"_s
        : access == Access::ReadOnly ? u"QSQLITE_OPEN_READONLY;"_s
                                     : QString();
    database->m_database.setConnectOptions(options + u"QSQLITE_BUSY_TIMEOUT=5000"_s);
    if (!database->m_database.open()) {
        return failure(LS_TR("Messages", "run store: %1 cannot be opened: %2"),
            {verbatim(path.toStdString()), verbatim(database->m_database.lastError().text().toStdString())});
    }
    // Opening reads nothing yet: the first query shows whether this is a database.
    LOCKSTEP_TRY(database->exec(u"PRAGMA schema_version"_s));
    return database;
}

Error Database::error(const QSqlQuery& query) const
{
    return failure(LS_TR("Messages", "run store: %1: %2"),
        {verbatim(m_path.toStdString()), verbatim(query.lastError().text().trimmed().toStdString())});
}

Result<void> Database::exec(const QString& sql)
{
    QSqlQuery query(m_database);
    if (!query.exec(sql)) {
        return error(query);
    }
    return {};
}

Result<QSqlQuery> Database::query(const QString& sql, const QVariantList& values)
{
    auto query = prepare(sql);
    if (query) {
        std::ranges::for_each(values, [&](const QVariant& value) { query->addBindValue(value); });
        LOCKSTEP_TRY(run(*query));
    }
    return query;
}

Result<QSqlQuery> Database::prepare(const QString& sql)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.prepare(sql)) {
        return error(query);
    }
    return query;
}

Result<void> Database::run(QSqlQuery& query)
{
    if (!query.exec()) {
        return error(query);
    }
    return {};
}

Result<void> Database::inTransaction(const std::function<Result<void>()>& change)
{
    LOCKSTEP_TRY(exec(u"BEGIN IMMEDIATE"_s));
    auto done = change();
    done = done ? exec(u"COMMIT"_s) : done;
    if (!done) {
        // On a full disk SQLite has already rolled back; after other errors we do.
        static_cast<void>(exec(u"ROLLBACK"_s).isOk());
    }
    return done;
}

} // namespace lockstep::store
