// The tables of a run's file: one for each part of a Delta. `delta` counts the Deltas in the order in which they were
// published. Private to the store.
#pragma once

#include "store/file/entry_columns.h"
#include "store/file/stored_fields.h"

#include <QSqlRecord>

namespace lockstep::store {

inline const char* const MetaTable = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";

/// Where the columns are in a file that may be older than this program; -1: it lacks the column.
[[nodiscard]] inline std::vector<int> placesOf(const QStringList& columns, const QSqlRecord& record)
{
    std::vector<int> places;
    for (const QString& column : columns) {
        places.push_back(record.indexOf(column.section(u' ', 0, 0)));
    }
    return places;
}

/// How to store an entry of a Delta: its columns after `delta`, its values in their order, and the inverse.
template <typename Entry>
struct Stored;

template <typename M>
struct Stored<FromRank<M>> {
    static QString columns()
    {
        return QStringLiteral("rank INTEGER, ") + storedColumns<M>().join(QStringLiteral(", "));
    }

    static std::vector<QVariant> values(const FromRank<M>& entry)
    {
        std::vector<QVariant> values = StoredValues::of(entry.what);
        values.insert(values.begin(), entry.rank);
        return values;
    }

    static std::vector<int> places(const QSqlRecord& record) { return placesOf(storedColumns<M>(), record); }

    static FromRank<M> read(const QSqlQuery& row, const std::vector<int>& places)
    {
        FromRank<M> entry{row.value(1).toInt(), StoredRow(row, places).template read<M>()};
        if constexpr (std::is_same_v<M, wire::Hello>) {
            entry.what.rank = entry.rank;
        }
        return entry;
    }
};

template <typename Entry>
requires requires(Entry entry)
{
    eachColumn(entry, [](const char*, auto&, auto...) {});
}
struct Stored<Entry> {
    static QString columns() { return names().join(QStringLiteral(", ")); }

    static std::vector<QVariant> values(Entry entry)
    {
        std::vector<QVariant> values;
        eachColumn(entry,
            [&](const char*, const auto& value, auto... member) { values.push_back(storedValue(value, member...)); });
        return values;
    }

    static std::vector<int> places(const QSqlRecord& record) { return placesOf(names(), record); }

    static Entry read(const QSqlQuery& row, const std::vector<int>& places)
    {
        Entry entry;
        std::size_t column = 0;
        const void* list = nullptr;
        eachColumn(entry, [&](const char*, auto& to, auto... member) {
            const int place = places[column++];
            const QVariant value = place < 0 ? QVariant() : row.value(place);
            const bool isOther = std::exchange(list, &to) != &to;
            if constexpr (sizeof...(member) > 0) {
                readStored(value, to, member..., isOther);
            } else {
                readStored(value, to);
            }
        });
        return entry;
    }

private:
    static QStringList names()
    {
        QStringList names;
        Entry entry;
        eachColumn(entry, [&](const char* name, const auto& value, auto... member) {
            const char* type = columnType(storedValue(value, member...));
            names += QStringLiteral("%1 %2").arg(QLatin1StringView(name), QLatin1StringView(type));
        });
        return names;
    }
};

/// Visits every stored part: its table, the part, and how its entries are stored.
template <typename Visit>
void eachTable(Visit&& visit)
{
    Delta::parts([&]<typename Entry>(const char* table, std::vector<Entry> Delta::*part) {
        constexpr bool IsStored
            = !std::is_same_v<Entry,
                  RunStart> && !std::is_same_v<Entry, StoredLoss> && !std::is_same_v<Entry, std::shared_ptr<DeltaSink>>;
        if constexpr (IsStored) {
            visit(table, part, Stored<Entry>());
        }
    });
}

} // namespace lockstep::store
