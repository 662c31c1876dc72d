// One SQLite connection as an object: opened, used and closed in one thread. Private to store and bundle.
#pragma once

#include "base/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QString>
#include <QVariant>

#include <functional>
#include <memory>

namespace lockstep::store {

enum class Access { ReadOnly, ReadWrite, Create };

/// How much of a file is read to find damage. All of it takes 7 us a stored run.
enum class DamageCheck {
    AfterUncleanEnd, ///< all of it where its last user did not close it, else its begin and length
    Whole
};

/// The file does not hold a database that can be read: it is cut off, overwritten, or of something else. False for a
/// file that is empty, missing, locked or not permitted.
[[nodiscard]] bool isDamaged(const QString& path, DamageCheck check = DamageCheck::AfterUncleanEnd);
/// Renames a damaged file, with its journal; gives the new name.
[[nodiscard]] Result<QString> setAside(const QString& path);

class Database {
public:
    /// Fails if the file does not exist (unless Create), is not an SQLite file, or cannot be opened. In a folder that
    /// cannot be written, a file is read as it is, without what another process has not checkpointed.
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(const QString& path, Access access);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] Result<void> exec(const QString& sql);
    /// Runs a statement with the values in the places of its `?`. Its rows are read forward only.
    [[nodiscard]] Result<QSqlQuery> query(const QString& sql, const QVariantList& values = {});
    /// A prepared query, forward only; isActive() is false before it runs.
    [[nodiscard]] Result<QSqlQuery> prepare(const QString& sql);
    /// Runs a prepared query with its bound values.
    [[nodiscard]] Result<void> run(QSqlQuery& query);
    /// All of it or nothing.
    [[nodiscard]] Result<void> inTransaction(const std::function<Result<void>()>& change);
    [[nodiscard]] const QString& path() const { return m_path; }

private:
    Database(QString path, QString connection);
    [[nodiscard]] Error error(const QSqlQuery& query) const;

    QString m_path;
    QString m_connection;
    QSqlDatabase m_database;
};

} // namespace lockstep::store
