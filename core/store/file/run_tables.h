// The tables of a run's file: one for each part of a Delta. `delta` counts the Deltas in the order in which they were
// published. Private to the store.
#pragma once

#include "store/file/machine_columns.h"
#include "store/file/stored_fields.h"

#include <QSqlRecord>

namespace lockstep::store {

inline const char* const MetaTable = "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID";

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

    /// Where the columns are in a file that may be older than this program.
    static std::vector<int> places(const QSqlRecord& record)
    {
        std::vector<int> places;
        for (const QString& column : storedColumns<M>()) {
            places.push_back(record.indexOf(column.section(u' ', 0, 0)));
        }
        return places;
    }

    static FromRank<M> read(const QSqlQuery& row, const std::vector<int>& places)
    {
        FromRank<M> entry{row.value(1).toInt(), StoredRow(row, places).template read<M>()};
        if constexpr (std::is_same_v<M, wire::Hello>) {
            entry.what.rank = entry.rank;
        }
        return entry;
    }
};

/// Tables whose columns have been the same from the first version on.
struct StoredByPosition {
    static std::vector<int> places(const QSqlRecord&) { return {}; }
};

/// The same, and `data`, packed(Text) of their message, which files of earlier versions lack.
struct StoredWithText {
    static std::vector<int> places(const QSqlRecord& record) { return {record.indexOf(QStringLiteral("data"))}; }
    static std::string data(const QSqlQuery& row, const std::vector<int>& places)
    {
        return places[0] < 0 ? std::string() : row.value(places[0]).toString().toStdString();
    }
};

template <>
struct Stored<analysis::Machine> : StoredByPosition {
    static QString columns() { return QLatin1StringView(MachineColumns); }
    static std::vector<QVariant> values(const analysis::Machine& machine) { return machineValues(machine); }
    static analysis::Machine read(const QSqlQuery& row, const std::vector<int>&) { return machineOf(row); }
};

template <>
struct Stored<analysis::MachineSample> : StoredByPosition {
    static QString columns() { return QLatin1StringView(MachineSampleColumns); }
    static std::vector<QVariant> values(const analysis::MachineSample& sample) { return machineSampleValues(sample); }
    static analysis::MachineSample read(const QSqlQuery& row, const std::vector<int>&) { return machineSampleOf(row); }
};

template <>
struct Stored<RankChange> : StoredWithText {
    static QString columns() { return QStringLiteral("rank INTEGER, state INTEGER, message TEXT, data TEXT"); }
    static std::vector<QVariant> values(const RankChange& change)
    {
        return {change.rank, static_cast<int>(change.state), StoredValues::text(change.message),
            StoredValues::text(change.data)};
    }
    static RankChange read(const QSqlQuery& row, const std::vector<int>& places)
    {
        return {row.value(1).toInt(), static_cast<RankState>(row.value(2).toInt()),
            row.value(3).toString().toStdString(), StoredWithText::data(row, places)};
    }
};

template <>
struct Stored<StatusChange> : StoredWithText {
    static QString columns() { return QStringLiteral("status TEXT, message TEXT, wall_ns INTEGER, data TEXT"); }
    static std::vector<QVariant> values(const StatusChange& change)
    {
        return {StoredValues::text(std::string(nameOf(change.status))), StoredValues::text(change.message),
            QVariant::fromValue<qlonglong>(change.wallNs), StoredValues::text(change.data)};
    }
    static StatusChange read(const QSqlQuery& row, const std::vector<int>& places)
    {
        const auto status = analysis::statusFromName(row.value(1).toString().toStdString());
        return {status.value_or(analysis::RunStatus::Failed), row.value(2).toString().toStdString(),
            row.value(3).toLongLong(), StoredWithText::data(row, places)};
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
