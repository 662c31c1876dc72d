// Every stored row of a run as tables: one table per kind of message, one line per row.
#pragma once

#include "exchange/export/file_set.h"
#include "store/account/delta.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lockstep::exchange {

/// Times are CLOCK_MONOTONIC in ns, sizes in bytes. What was not measured is null, in CSV an empty field.
class RunRows {
public:
    /// All Deltas of a run, in their order.
    void add(const store::Delta& delta);

    /// `{"steps":{"columns":[...],"rows":[[...],...]},...}`; only tables that have rows.
    [[nodiscard]] QByteArray toJson() const;
    /// `steps.csv`, ... below `folder`: RFC 4180, each with a header. A list within a field is separated by `;`.
    [[nodiscard]] std::vector<NewFile> toCsv(const QString& folder) const;

private:
    struct Table {
        std::vector<std::string> columns;
        QByteArray json; ///< of its rows, separated by commas
        QByteArray csv;
    };
    class Writer;

    std::map<std::string, Table> m_tables;
};

} // namespace lockstep::exchange
