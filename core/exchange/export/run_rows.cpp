#include "exchange/export/run_rows.h"

#include "analysis/table/text_table.h"
#include "exchange/export/command_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <type_traits>

namespace lockstep::exchange {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> LevelNames{"debug", "info", "warning", "error"};
constexpr std::array<const char*, 7> StateNames{
    "starting", "running", "paused", "finished", "stopped", "failed", "lost"};

template <typename Enum, std::size_t N>
Json named(Enum value, const std::array<const char*, N>& names)
{
    const auto place = static_cast<std::size_t>(value);
    return place < N ? Json(names[place]) : Json(place);
}

template <typename T>
Json cell(const T& value)
{
    return value;
}
Json cell(Phase phase)
{
    return nameOf(phase);
}
Json cell(Call call)
{
    return nameOf(call);
}
Json cell(wire::LogLevel level)
{
    return named(level, LevelNames);
}
Json cell(wire::Command command)
{
    return commandName(command);
}

template <std::size_t N>
std::array<std::string_view, N> partsOf()
{
    if constexpr (N == PhaseCount) {
        return PhaseNames;
    } else if constexpr (N == TrafficKindCount) {
        return TrafficKindNames;
    } else {
        static_assert(N == MemoryKindCount);
        return MemoryKindNames;
    }
}

/// `phase_ns` with the part `data` is `data_ns`, `live` with `weights` is `live_weights`.
std::string columnOf(std::string_view field, std::string_view part)
{
    return field == "phase_ns" ? std::string(part) + "_ns" : std::string(field) + "_" + std::string(part);
}

template <typename T>
struct ArraySize : std::integral_constant<std::size_t, 0> { };
template <std::size_t N>
struct ArraySize<std::array<std::int64_t, N>> : std::integral_constant<std::size_t, N> { };
template <std::size_t N>
struct ArraySize<std::optional<std::array<std::int64_t, N>>> : std::integral_constant<std::size_t, N> { };

/// Appends the columns of one field.
template <typename T>
void addColumns(std::vector<std::string>& columns, const Field& field)
{
    if constexpr (ArraySize<T>::value > 0) {
        for (const std::string_view part : partsOf<ArraySize<T>::value>()) {
            columns.push_back(columnOf(field.name, part));
        }
    } else {
        columns.emplace_back(field.name);
    }
}

template <std::size_t N>
void addCells(Json& row, const std::array<std::int64_t, N>& values)
{
    for (const std::int64_t value : values) {
        row.push_back(value);
    }
}
template <std::size_t N>
void addCells(Json& row, const std::optional<std::array<std::int64_t, N>>& values)
{
    for (std::size_t i = 0; i < N; ++i) {
        row.push_back(values ? Json((*values)[i]) : Json());
    }
}
template <typename T>
void addCells(Json& row, const T& value)
{
    row.push_back(cell(value));
}

/// The data of a text only serve to word it again, and are no column of an export.
bool isColumn(const Field& field)
{
    return field.isStored && std::string_view(field.name) != "data";
}

std::string csvField(const Json& value)
{
    if (value.is_string()) {
        return analysis::csvCell(value.get_ref<const std::string&>());
    }
    if (value.is_array()) {
        std::string list;
        for (const Json& each : value) {
            list += (list.empty() ? "" : ";") + csvField(each);
        }
        return list;
    }
    // NaN and the infinities are numbers, which the library writes as null.
    const std::string text = value.dump();
    return text == "null" ? std::string() : text;
}

template <typename M>
concept HasBatchRows = requires(const M& message)
{
    message.rows;
};

} // namespace

class RunRows::Writer {
public:
    explicit Writer(std::map<std::string, Table>& tables)
        : m_tables(tables)
    { }

    template <typename M>
    void add(const char* name, const std::vector<store::FromRank<M>>& messages)
    {
        for (const store::FromRank<M>& each : messages) {
            Table& table = tableOf<M>(name);
            if constexpr (HasBatchRows<M>) {
                addBatch(table, each.rank, each.what);
            } else {
                Json row = Json::array({each.rank});
                M::fields([&](const Field& field, auto member) {
                    if (isColumn(field)) {
                        addCells(row, each.what.*member);
                    }
                });
                addRow(table, row);
            }
        }
    }
    void add(const char* name, const std::vector<store::RankChange>& changes)
    {
        for (const store::RankChange& each : changes) {
            addRow(
                tableOf(name, {"rank", "state", "message"}), {each.rank, named(each.state, StateNames), each.message});
        }
    }
    void add(const char* name, const std::vector<store::StatusChange>& changes)
    {
        for (const store::StatusChange& each : changes) {
            addRow(tableOf(name, {"status", "message", "wall_ns"}),
                {std::string(analysis::nameOf(each.status)), each.message, each.wallNs});
        }
    }
    void add(const char* name, const std::vector<store::LeftOutRound>& rounds)
    {
        for (const store::LeftOutRound& each : rounds) {
            addRow(tableOf(name, {"number"}), Json::array({each.number}));
        }
    }
    void add(const char* name, const std::vector<analysis::Machine>& machines)
    {
        for (const analysis::Machine& each : machines) {
            Json gpus = Json::array();
            for (const analysis::MachineGpu& gpu : each.gpus) {
                gpus.push_back(gpu.name);
            }
            addRow(tableOf(name, {"host", "cores", "memory_bytes", "gpus"}),
                {each.host, each.cores, each.memoryBytes, std::move(gpus)});
        }
    }
    void add(const char* name, const std::vector<analysis::MachineSample>& samples)
    {
        for (const analysis::MachineSample& each : samples) {
            addRow(
                tableOf(name, {"host", "time_ns", "busy_cores", "free_memory_bytes", "sampling_ms", "workbench_cores"}),
                {each.host, each.timeNs, each.busyCores, each.freeMemoryBytes, each.samplingMs, each.workbenchCores});
            for (const analysis::RankUse& rank : each.ranks) {
                addRow(tableOf("machine_ranks", {"host", "time_ns", "rank", "cores", "resident_bytes"}),
                    {each.host, each.timeNs, rank.rank, rank.cores, rank.residentBytes});
            }
            for (const analysis::GpuUse& gpu : each.gpus) {
                addRow(tableOf("machine_gpus",
                           {"host", "time_ns", "gpu", "use_percent", "memory_bytes", "power_w", "temperature_c",
                               "sm_mhz"}),
                    {each.host, each.timeNs, gpu.number, gpu.usePercent, gpu.memoryBytes, gpu.powerW, gpu.temperatureC,
                        gpu.smMhz});
            }
        }
    }
    /// The start of a run is part of its summary, the stored loss follows from its rows.
    void add(const char*, const std::vector<store::RunStart>&) { }
    void add(const char*, const std::vector<store::StoredLoss>&) { }
    void add(const char*, const std::vector<std::shared_ptr<store::DeltaSink>>&) { }

private:
    Table& tableOf(const char* name, const std::vector<std::string>& columns)
    {
        Table& table = m_tables[name];
        if (table.columns.empty()) {
            table.columns = columns;
            table.csv = QByteArray::fromStdString(fmt::format("{}\r\n", fmt::join(columns, ",")));
        }
        return table;
    }
    template <typename M>
    Table& tableOf(const char* name)
    {
        std::vector<std::string> columns{"rank"};
        M::fields([&]<typename Owner, typename T>(const Field& field, T Owner::*) {
            if (isColumn(field)) {
                addColumns<T>(columns, field);
            }
        });
        return tableOf(name, columns);
    }

    /// What is counted for a whole batch is in its first row; in the others it is 0.
    template <typename M>
    void addBatch(Table& table, std::int32_t rank, const M& batch)
    {
        bool isFirst = true;
        for (const auto& each : batch.rows) {
            Json row = Json::array({rank});
            M::fields([&]<typename Owner, typename T>(const Field& field, T Owner::*member) {
                if (!field.isStored) {
                    return;
                }
                if constexpr (!std::is_same_v<Owner, M>) {
                    addCells(row, each.*member);
                } else if constexpr (std::is_integral_v<T>) {
                    row.push_back(isFirst ? batch.*member : T{});
                } else {
                    addCells(row, batch.*member);
                }
            });
            addRow(table, row);
            isFirst = false;
        }
    }

    static void addRow(Table& table, const Json& row)
    {
        table.json += (table.json.isEmpty() ? "" : ",\n") + QByteArray::fromStdString(row.dump());
        std::string line;
        for (const Json& value : row) {
            line += csvField(value) + ',';
        }
        line.pop_back();
        table.csv += QByteArray::fromStdString(line) + "\r\n";
    }

    std::map<std::string, Table>& m_tables;
};

void RunRows::add(const store::Delta& delta)
{
    Writer writer(m_tables);
    store::Delta::parts([&](const char* name, auto member) { writer.add(name, delta.*member); });
}

QByteArray RunRows::toJson() const
{
    QByteArray json;
    for (const auto& [name, table] : m_tables) {
        json += (json.isEmpty() ? "{\"" : ",\n\"") + QByteArray::fromStdString(name) + "\":{\"columns\":"
            + QByteArray::fromStdString(Json(table.columns).dump()) + ",\"rows\":[" + table.json + "]}";
    }
    return (json.isEmpty() ? QByteArray("{") : json) + '}';
}

std::vector<NewFile> RunRows::toCsv(const QString& folder) const
{
    std::vector<NewFile> files;
    for (const auto& [name, table] : m_tables) {
        files.push_back({QStringLiteral("%1/%2.csv").arg(folder, QString::fromStdString(name)), table.csv});
    }
    return files;
}

} // namespace lockstep::exchange
