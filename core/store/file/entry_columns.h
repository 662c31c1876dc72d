// Entries of a Delta that are not messages - machines, their samples, changes of a rank or of the run, rounds that do
// not count - as rows of a run's file: columns, values and back, all from one list of columns for each. Private to the
// store.
#pragma once

#include "store/account/delta.h"
#include "store/file/stored_fields.h"

#include <QStringList>

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::store {

/// Visits the columns after `delta`: each with its member, or with a list and a member of its entries. The columns of a
/// list follow each other, numbers first.
template <typename Visit>
void eachColumn(analysis::Machine& machine, Visit&& visit)
{
    using analysis::MachineGpu;
    visit("host", machine.host);
    visit("cores", machine.cores);
    visit("memory", machine.memoryBytes);
    visit("gpu", machine.gpus, &MachineGpu::number);
    visit("gpu_name", machine.gpus, &MachineGpu::name);
    visit("gpu_uuid", machine.gpus, &MachineGpu::uuid);
    visit("gpu_memory", machine.gpus, &MachineGpu::memoryBytes);
    visit("mps", machine.mps);
}

template <typename Visit>
void eachColumn(analysis::MachineSample& sample, Visit&& visit)
{
    using analysis::GpuShare;
    using analysis::GpuUse;
    using analysis::RankUse;
    visit("host", sample.host);
    visit("time_ns", sample.timeNs);
    visit("busy_cores", sample.busyCores);
    visit("free_memory", sample.freeMemoryBytes);
    visit("sampling_ms", sample.samplingMs);
    visit("rank", sample.ranks, &RankUse::rank);
    visit("rank_cores", sample.ranks, &RankUse::cores);
    visit("rank_resident", sample.ranks, &RankUse::residentBytes);
    visit("gpu", sample.gpus, &GpuUse::number);
    visit("gpu_use", sample.gpus, &GpuUse::usePercent);
    visit("gpu_memory_use", sample.gpus, &GpuUse::memoryUsePercent);
    visit("gpu_memory", sample.gpus, &GpuUse::memoryBytes);
    visit("gpu_power", sample.gpus, &GpuUse::powerW);
    visit("gpu_power_limit", sample.gpus, &GpuUse::powerLimitW);
    visit("gpu_temperature", sample.gpus, &GpuUse::temperatureC);
    visit("gpu_sm_mhz", sample.gpus, &GpuUse::smMhz);
    visit("gpu_memory_mhz", sample.gpus, &GpuUse::memoryMhz);
    visit("gpu_clock_reasons", sample.gpus, &GpuUse::clockReasons);
    visit("share_gpu", sample.shares, &GpuShare::gpu);
    visit("share_rank", sample.shares, &GpuShare::rank);
    visit("share_bytes", sample.shares, &GpuShare::bytes);
    visit("workbench_cores", sample.workbenchCores);
}

template <typename Visit>
void eachColumn(LeftOutRound& round, Visit&& visit)
{
    visit("number", round.number);
}

template <typename Visit>
void eachColumn(RankChange& change, Visit&& visit)
{
    visit("rank", change.rank);
    visit("state", change.state);
    visit("message", change.message);
    visit("data", change.data);
}

template <typename Visit>
void eachColumn(StatusChange& change, Visit&& visit)
{
    visit("status", change.status);
    visit("message", change.message);
    visit("wall_ns", change.wallNs);
    visit("data", change.data);
}

/// One member of each entry, one after the other; texts in lines: names from a driver contain no line breaks.
template <typename Entry, typename T>
[[nodiscard]] QVariant storedValue(const std::vector<Entry>& entries, T Entry::*member)
{
    QByteArray column(""); // a null array would be NULL
    for (const Entry& each : entries) {
        if constexpr (std::is_same_v<T, std::string>) {
            column += (&each == &entries.front() ? "" : "\n") + QByteArray::fromStdString(each.*member);
        } else {
            column.append(reinterpret_cast<const char*>(&(each.*member)), sizeof(T));
        }
    }
    return std::is_same_v<T, std::string> ? QVariant(QString::fromUtf8(column)) : QVariant(column);
}

/// The first column of a list says how many entries it has. In a damaged file they may differ: those that all have.
template <typename Entry, typename T>
void readStored(const QVariant& column, std::vector<Entry>& entries, T Entry::*member, bool isFirst)
{
    if constexpr (std::is_same_v<T, std::string>) {
        const QStringList texts = column.toString().split(u'\n');
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].*member = texts.value(static_cast<qsizetype>(i)).toStdString();
        }
    } else {
        const std::vector<T> values = storedList<T>(column);
        entries.resize(isFirst ? values.size() : std::min(entries.size(), values.size()));
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].*member = values[i];
        }
    }
}

} // namespace lockstep::store
