// A message as a row of its table in a run's file: columns, values and back, all from the message's fields(). Columns
// of many values are BLOBs of little-endian numbers: SQLite would turn NaN into NULL. Private to the store.
#pragma once

#include "analysis/not_measured.h"
#include "store/account/delta.h"

#include <QSqlQuery>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace lockstep::store {

template <typename T>
concept IsScalar = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;

/// NULL for a number that is not finite; a run's status by its name.
template <IsScalar T>
[[nodiscard]] QVariant storedValue(const T& value)
{
    if constexpr (std::is_same_v<T, analysis::RunStatus>) {
        return storedValue(std::string(nameOf(value)));
    } else if constexpr (std::is_floating_point_v<T>) {
        return std::isfinite(value) ? QVariant(value) : QVariant(QMetaType::fromType<double>());
    } else if constexpr (std::is_same_v<T, std::string>) {
        return QString::fromStdString(value.empty() ? std::string("") : value); // a null string would be NULL
    } else {
        return static_cast<qlonglong>(value);
    }
}

template <IsScalar T>
void readStored(const QVariant& value, T& to)
{
    if constexpr (std::is_same_v<T, analysis::RunStatus>) {
        to = analysis::statusFromName(value.toString().toStdString()).value_or(analysis::RunStatus::Failed);
    } else if constexpr (std::is_floating_point_v<T>) {
        to = value.isNull() ? analysis::NotMeasured : value.toDouble();
    } else if constexpr (std::is_same_v<T, bool>) {
        to = value.toBool();
    } else if constexpr (std::is_same_v<T, std::string>) {
        to = value.toString().toStdString();
    } else {
        to = static_cast<T>(value.toLongLong());
    }
}

template <typename T>
[[nodiscard]] std::vector<T> storedList(const QVariant& column)
{
    const QByteArray bytes = column.toByteArray();
    std::vector<T> values(static_cast<std::size_t>(bytes.size()) / sizeof(T));
    if (!values.empty()) {
        std::memcpy(values.data(), bytes.constData(), values.size() * sizeof(T));
    }
    return values;
}

[[nodiscard]] inline const char* columnType(const QVariant& value)
{
    switch (value.typeId()) {
    case QMetaType::LongLong:
        return "INTEGER";
    case QMetaType::Double:
        return "REAL";
    case QMetaType::QString:
        return "TEXT";
    default:
        return "BLOB";
    }
}

template <typename M>
concept HasRows = requires(const M& message)
{
    message.rows;
};

/// Visits the fields that are stored, in the order of the table: those of a batch itself before those of its rows.
template <typename M, typename Visit>
void eachStoredField(Visit&& visit)
{
    const auto ofMessage = [&]<typename Owner, typename T>(const Field& field, T Owner::*member) {
        if constexpr (std::is_same_v<Owner, M>) {
            if (field.isStored) {
                visit(field, member);
            }
        }
    };
    M::fields(ofMessage);
    const auto ofRow = [&]<typename Owner, typename T>(const Field& field, T Owner::*member) {
        if constexpr (!std::is_same_v<Owner, M>) {
            if (field.isStored) {
                visit(field, member);
            }
        }
    };
    M::fields(ofRow);
}

template <typename M>
[[nodiscard]] QStringList storedColumns()
{
    QStringList columns;
    if constexpr (HasRows<M>) {
        columns += QStringLiteral("rows INTEGER");
    }
    eachStoredField<M>([&]<typename Owner, typename T>(const Field& field, T Owner::*) {
        for (const std::string_view each : field.storedEach) {
            columns += QString::fromUtf8(each.data(), static_cast<qsizetype>(each.size())) + QStringLiteral(" BLOB");
        }
        if (field.storedEach.empty()) {
            const char* type = "BLOB";
            if constexpr (IsScalar<T> && std::is_same_v<Owner, M>) {
                type = columnType(storedValue(T{}));
            }
            columns += QStringLiteral("%1 %2").arg(QLatin1StringView(field.stored), QLatin1StringView(type));
        }
    });
    return columns;
}

/// The values of one message, in the order of its columns.
class StoredValues {
public:
    template <typename M>
    [[nodiscard]] static std::vector<QVariant> of(const M& message)
    {
        StoredValues values;
        if constexpr (HasRows<M>) {
            values.m_values.emplace_back(static_cast<qlonglong>(message.rows.size()));
        }
        eachStoredField<M>([&](const Field& field, auto member) { values.add(field, message, member); });
        return std::move(values.m_values);
    }

private:
    template <typename M, typename T>
    void add(const Field&, const M& message, T M::*member)
    {
        const T& value = message.*member;
        if constexpr (requires { storedValue(value); }) {
            m_values.push_back(storedValue(value));
        } else {
            m_values.emplace_back(QByteArray(reinterpret_cast<const char*>(value.data()),
                static_cast<qsizetype>(value.size() * sizeof(typename T::value_type))));
        }
    }
    template <HasRows M, typename Row, typename T>
    void add(const Field& field, const M& message, T Row::*member)
    {
        const std::vector<Row>& rows = message.rows;
        if (field.isOptional
            && std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row.*member == Row{}.*member; })) {
            m_values.emplace_back();
            return;
        }
        QByteArray bytes;
        addColumns(bytes, field, rows, member);
        if (field.storedEach.empty()) {
            m_values.emplace_back(bytes);
        }
    }
    template <typename Row, typename T>
    void addColumns(QByteArray& bytes, const Field&, const std::vector<Row>& rows, T Row::*member)
    {
        bytes.reserve(static_cast<qsizetype>(rows.size() * sizeof(T)));
        for (const Row& row : rows) {
            bytes.append(reinterpret_cast<const char*>(&(row.*member)), sizeof(T));
        }
    }
    template <typename Row, std::size_t N>
    void addColumns(QByteArray&, const Field&, const std::vector<Row>& rows, std::array<std::int64_t, N> Row::*member)
    {
        for (std::size_t i = 0; i < N; ++i) {
            QByteArray column;
            for (const Row& row : rows) {
                column.append(reinterpret_cast<const char*>(&(row.*member)[i]), sizeof(std::int64_t));
            }
            m_values.emplace_back(column);
        }
    }
    /// Arrays, concatenated in one column.
    template <typename Row, std::size_t N>
    void addColumns(QByteArray& bytes, const Field&, const std::vector<Row>& rows,
        std::optional<std::array<std::int64_t, N>> Row::*member)
    {
        for (std::size_t i = 0; i < N; ++i) {
            for (const Row& row : rows) {
                const std::int64_t value = row.*member ? (*(row.*member))[i] : 0;
                bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
            }
        }
    }

    std::vector<QVariant> m_values;
};

/// Reads a row of a table back into a message. Missing columns leave the defaults of a new message.
class StoredRow {
public:
    /// `places` has the place in `row` of each column after `delta` and `rank`, -1: there is none.
    StoredRow(const QSqlQuery& row, const std::vector<int>& places)
        : m_row(row)
        , m_places(places)
    { }

    template <typename M>
    [[nodiscard]] M read()
    {
        M message;
        if constexpr (HasRows<M>) {
            take(); // how many rows: their columns say so
            m_rows = SIZE_MAX;
            const std::size_t first = m_next;
            eachStoredField<M>([&](const Field& field, auto member) { countRows(message, field, member); });
            message.rows.resize(m_rows == SIZE_MAX ? 0 : m_rows);
            m_next = first;
        }
        eachStoredField<M>([&](const Field& field, auto member) { set(message, field, member); });
        return message;
    }

private:
    QVariant take()
    {
        const int place = m_places[m_next++];
        return place < 0 ? QVariant() : m_row.value(place);
    }

    template <typename M, typename T>
    void countRows(const M&, const Field&, T M::*)
    {
        take();
    }
    /// In a damaged file columns may differ in length: their common part can be used.
    template <HasRows M, typename Row, typename T>
    void countRows(const M&, const Field& field, T Row::*)
    {
        for (std::size_t i = 0; i < std::max<std::size_t>(1, field.storedEach.size()); ++i) {
            const auto bytes = static_cast<std::size_t>(take().toByteArray().size());
            const std::size_t each = field.storedEach.empty() ? sizeof(T) : sizeof(std::int64_t);
            if (!field.isOptional) {
                m_rows = std::min(m_rows, bytes / each);
            }
        }
    }

    template <typename M, typename T>
    void set(M& message, const Field&, T M::*member)
    {
        const QVariant value = take();
        T& to = message.*member;
        if constexpr (requires { readStored(value, to); }) {
            readStored(value, to);
        } else if constexpr (requires { to.resize(0); }) {
            to = storedList<typename T::value_type>(value);
        } else {
            const auto stored = storedList<typename T::value_type>(value); // kinds that the file lacks: 0
            std::copy_n(stored.begin(), std::min(stored.size(), to.size()), to.begin());
        }
    }
    template <HasRows M, typename Row, typename T>
    void set(M& message, const Field&, T Row::*member)
    {
        const auto values = storedList<T>(take());
        for (std::size_t i = 0; i < std::min(values.size(), message.rows.size()); ++i) {
            message.rows[i].*member = values[i];
        }
    }
    template <HasRows M, typename Row, std::size_t N>
    void set(M& message, const Field&, std::array<std::int64_t, N> Row::*member)
    {
        for (std::size_t i = 0; i < N; ++i) {
            const auto values = storedList<std::int64_t>(take());
            for (std::size_t row = 0; row < message.rows.size(); ++row) {
                (message.rows[row].*member)[i] = values[row];
            }
        }
    }
    template <HasRows M, typename Row, std::size_t N>
    void set(M& message, const Field&, std::optional<std::array<std::int64_t, N>> Row::*member)
    {
        const auto values = storedList<std::int64_t>(take());
        if (values.size() != N * message.rows.size()) {
            return; // none, or from a version with other kinds
        }
        for (std::size_t row = 0; row < message.rows.size(); ++row) {
            auto& kinds = (message.rows[row].*member).emplace();
            for (std::size_t i = 0; i < N; ++i) {
                kinds[i] = values[i * message.rows.size() + row];
            }
        }
    }

    const QSqlQuery& m_row;
    const std::vector<int>& m_places;
    std::size_t m_next = 0;
    std::size_t m_rows = 0;
};

} // namespace lockstep::store
