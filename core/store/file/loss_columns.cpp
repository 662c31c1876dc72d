#include "store/file/loss_columns.h"

#include <QVariant>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

/// Steps of a chunk: a row of the table.
constexpr std::size_t ChunkSteps = 4096;
/// Points of a stretch of which the pyramid has the lowest and the highest, by level. Each divides a chunk.
constexpr std::array<std::size_t, 3> Widths{64, 512, 4096};
/// No screen is wider.
constexpr std::size_t FewestStretches = 1024;

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

/// A curve's columns, in the order of a table's last ones.
QVariantList columnsOf(const analysis::Curve& curve)
{
    return {bytesOf(curve.step), bytesOf(curve.epoch), bytesOf(curve.seconds), bytesOf(curve.value)};
}

void appendRow(analysis::Curve& curve, const QSqlQuery& query)
{
    const QByteArray columns[] = {query.value(0).toByteArray(), query.value(1).toByteArray(),
        query.value(2).toByteArray(), query.value(3).toByteArray()};
    const auto shortest = std::ranges::min_element(columns, {}, &QByteArray::size); // in a damaged file
    const std::size_t count = static_cast<std::size_t>(shortest->size()) / sizeof(double);
    appendBytes(curve.step, columns[0], count);
    appendBytes(curve.epoch, columns[1], count);
    appendBytes(curve.seconds, columns[2], count);
    appendBytes(curve.value, columns[3], count);
}

Result<bool> hasTable(Database& file, const QString& name)
{
    LOCKSTEP_TRY_ASSIGN(
        auto table, file.query(u"SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"_s, {name}));
    return table.next();
}

} // namespace

Result<void> LossColumns::create(Database& file)
{
    LOCKSTEP_TRY(file.exec(u"CREATE TABLE loss_columns(step BLOB, epoch BLOB, seconds BLOB, loss BLOB)"_s));
    return file.exec(
        u"CREATE TABLE loss_pyramid(width INTEGER, steps INTEGER, step BLOB, epoch BLOB, seconds BLOB, loss BLOB)"_s);
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
    const analysis::Curve chunk = m_account.takeLoss();
    LOCKSTEP_TRY(file.query(u"INSERT INTO loss_columns VALUES(?, ?, ?, ?)"_s, columnsOf(chunk)));
    for (const std::size_t width : Widths) {
        const QVariantList level{static_cast<qlonglong>(width), static_cast<qlonglong>(chunk.size())};
        LOCKSTEP_TRY(file.query(
            u"INSERT INTO loss_pyramid VALUES(?, ?, ?, ?, ?, ?)"_s, level + columnsOf(outlineOf(chunk, width))));
    }
    m_hasChunks = true;
    return {};
}

analysis::Curve outlineOf(const analysis::Curve& curve, std::size_t width)
{
    analysis::Curve outline;
    for (std::size_t first = 0; first < curve.size(); first += width) {
        const std::size_t last = std::min(curve.size(), first + width);
        std::size_t low = last;
        std::size_t high = last;
        std::size_t gap = last;
        for (std::size_t i = first; i < last; ++i) {
            const double value = curve.value[i];
            if (!std::isfinite(value)) {
                gap = i;
                continue;
            }
            low = low == last || value < curve.value[low] ? i : low;
            high = high == last || value > curve.value[high] ? i : high;
        }
        for (const std::size_t i : std::set<std::size_t>{low, high, gap}) {
            if (i < last) {
                outline.step.push_back(curve.step[i]);
                outline.epoch.push_back(curve.epoch[i]);
                outline.seconds.push_back(curve.seconds[i]);
                outline.value.push_back(curve.value[i]);
            }
        }
    }
    return outline;
}

Result<std::optional<StoredLoss>> readLossOutline(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(const bool isThere, hasTable(file, u"loss_pyramid"_s));
    if (!isThere) {
        return std::optional<StoredLoss>();
    }
    LOCKSTEP_TRY_ASSIGN(auto count,
        file.query(u"SELECT sum(steps) FROM loss_pyramid WHERE width = ?"_s, {static_cast<qlonglong>(Widths.front())}));
    const auto steps = count.next() ? static_cast<std::size_t>(std::max(0LL, count.value(0).toLongLong())) : 0;
    const auto level = std::ranges::find_if(
        Widths.rbegin(), Widths.rend(), [steps](std::size_t width) { return steps / width >= FewestStretches; });
    if (level == Widths.rend()) {
        return std::optional<StoredLoss>();
    }
    LOCKSTEP_TRY_ASSIGN(auto query,
        file.query(u"SELECT step, epoch, seconds, loss FROM loss_pyramid WHERE width = ? ORDER BY rowid"_s,
            {static_cast<qlonglong>(*level)}));
    auto outline = std::make_shared<analysis::Curve>();
    while (query.next()) {
        appendRow(*outline, query);
    }
    return std::optional(StoredLoss{std::move(outline), steps});
}

Result<analysis::Curve> readLossColumns(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(const bool isThere, hasTable(file, u"loss_columns"_s));
    analysis::Curve curve;
    if (!isThere) {
        return curve;
    }
    LOCKSTEP_TRY_ASSIGN(
        auto query, file.query(u"SELECT step, epoch, seconds, loss FROM loss_columns ORDER BY rowid"_s));
    while (query.next()) {
        appendRow(curve, query);
    }
    return curve;
}

} // namespace lockstep::store
