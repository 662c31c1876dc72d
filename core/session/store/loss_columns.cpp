#include "session/store/loss_columns.h"

#include <QVariant>

#include <algorithm>
#include <cstring>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

/// Steps of a chunk: a row of the table.
constexpr std::size_t ChunkSteps = 4096;

template <typename T>
QByteArray bytesOf(const std::vector<T>& column)
{
    return {reinterpret_cast<const char*>(column.data()), static_cast<qsizetype>(column.size() * sizeof(T))};
}

template <typename T>
void appendBytes(std::vector<T>& column, const QByteArray& bytes, std::size_t count)
{
    const std::size_t before = column.size();
    column.resize(before + count);
    std::memcpy(column.data() + before, bytes.constData(), count * sizeof(T));
}

} // namespace

Result<void> LossColumns::create(Database& file)
{
    return file.exec(u"CREATE TABLE loss_columns(step BLOB, epoch BLOB, seconds BLOB, loss BLOB)"_s);
}

Result<void> LossColumns::add(Database& file, const Delta& delta)
{
    if (m_isStopped) {
        return {};
    }
    m_account.add(delta);
    return m_account.loss().size() < ChunkSteps ? Result<void>() : write(file);
}

Result<void> LossColumns::finish(Database& file)
{
    const bool isLong = m_hasChunks && m_account.loss().size() > 0;
    return m_isStopped || !isLong ? Result<void>() : write(file);
}

Result<void> LossColumns::write(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(auto query, file.prepare(u"INSERT INTO loss_columns VALUES(?, ?, ?, ?)"_s));
    const analysis::Curve chunk = m_account.takeLoss();
    query.addBindValue(bytesOf(chunk.step));
    query.addBindValue(bytesOf(chunk.epoch));
    query.addBindValue(bytesOf(chunk.seconds));
    query.addBindValue(bytesOf(chunk.value));
    m_hasChunks = true;
    return file.run(query);
}

Result<analysis::Curve> readLossColumns(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(
        auto table, file.prepare(u"SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'loss_columns'"_s));
    LOCKSTEP_TRY(file.run(table));
    analysis::Curve curve;
    if (!table.next()) {
        return curve;
    }
    LOCKSTEP_TRY_ASSIGN(
        auto query, file.prepare(u"SELECT step, epoch, seconds, loss FROM loss_columns ORDER BY rowid"_s));
    LOCKSTEP_TRY(file.run(query));
    while (query.next()) {
        const QByteArray columns[] = {query.value(0).toByteArray(), query.value(1).toByteArray(),
            query.value(2).toByteArray(), query.value(3).toByteArray()};
        const auto shortest = std::ranges::min_element(columns, {}, &QByteArray::size); // in a damaged file
        const std::size_t count = static_cast<std::size_t>(shortest->size()) / sizeof(double);
        appendBytes(curve.step, columns[0], count);
        appendBytes(curve.epoch, columns[1], count);
        appendBytes(curve.seconds, columns[2], count);
        appendBytes(curve.value, columns[3], count);
    }
    return curve;
}

} // namespace lockstep::session
