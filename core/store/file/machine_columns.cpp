#include "store/file/machine_columns.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lockstep::store {

namespace {

using analysis::GpuShare;
using analysis::GpuUse;
using analysis::MachineGpu;
using analysis::RankUse;

QVariant integerValue(std::int64_t value)
{
    return QVariant::fromValue<qlonglong>(value);
}

QVariant realValue(double value)
{
    return std::isfinite(value) ? QVariant(value) : QVariant(QMetaType::fromType<double>());
}

double realAt(const QSqlQuery& row, int place)
{
    const QVariant value = row.value(place);
    return value.isNull() ? analysis::NotMeasured : value.toDouble();
}

/// One field of each entry, one after the other.
template <typename Entry, typename T>
QVariant column(const std::vector<Entry>& entries, T Entry::*field)
{
    QByteArray bytes(static_cast<qsizetype>(entries.size() * sizeof(T)), Qt::Uninitialized);
    char* to = bytes.data();
    for (const Entry& each : entries) {
        std::memcpy(to, &(each.*field), sizeof(T));
        to += sizeof(T);
    }
    return bytes;
}

/// Cuts the entries where the column ends.
template <typename Entry, typename T>
void read(const QSqlQuery& row, int place, std::vector<Entry>& entries, T Entry::*field)
{
    const QByteArray bytes = row.value(place).toByteArray();
    entries.resize(std::min(entries.size(), static_cast<std::size_t>(bytes.size()) / sizeof(T)));
    const char* from = bytes.constData();
    for (Entry& each : entries) {
        std::memcpy(&(each.*field), from, sizeof(T));
        from += sizeof(T);
    }
}

/// How many entries the first column of a list has.
template <typename T>
std::size_t lengthAt(const QSqlQuery& row, int place)
{
    return static_cast<std::size_t>(row.value(place).toByteArray().size()) / sizeof(T);
}

/// Names from a driver contain no line breaks.
QString lines(const std::vector<MachineGpu>& gpus, std::string MachineGpu::*field)
{
    QStringList texts;
    for (const MachineGpu& gpu : gpus) {
        texts += QString::fromStdString(gpu.*field);
    }
    return texts.join(u'\n');
}

} // namespace

std::vector<QVariant> machineValues(const analysis::Machine& machine)
{
    return {QString::fromStdString(machine.host), machine.cores, integerValue(machine.memoryBytes),
        column(machine.gpus, &MachineGpu::number), lines(machine.gpus, &MachineGpu::name),
        lines(machine.gpus, &MachineGpu::uuid), column(machine.gpus, &MachineGpu::memoryBytes)};
}

analysis::Machine machineOf(const QSqlQuery& row)
{
    analysis::Machine machine;
    machine.host = row.value(1).toString().toStdString();
    machine.cores = row.value(2).toInt();
    machine.memoryBytes = row.value(3).toLongLong();
    machine.gpus.resize(lengthAt<std::int32_t>(row, 4));
    read(row, 4, machine.gpus, &MachineGpu::number);
    read(row, 7, machine.gpus, &MachineGpu::memoryBytes);
    const QStringList names = row.value(5).toString().split(u'\n');
    const QStringList uuids = row.value(6).toString().split(u'\n');
    for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
        machine.gpus[i].name = names.value(static_cast<qsizetype>(i)).toStdString();
        machine.gpus[i].uuid = uuids.value(static_cast<qsizetype>(i)).toStdString();
    }
    return machine;
}

std::vector<QVariant> machineSampleValues(const analysis::MachineSample& sample)
{
    return {QString::fromStdString(sample.host), integerValue(sample.timeNs), realValue(sample.busyCores),
        realValue(sample.freeMemoryBytes), realValue(sample.samplingMs), column(sample.ranks, &RankUse::rank),
        column(sample.ranks, &RankUse::cores), column(sample.ranks, &RankUse::residentBytes),
        column(sample.gpus, &GpuUse::number), column(sample.gpus, &GpuUse::usePercent),
        column(sample.gpus, &GpuUse::memoryUsePercent), column(sample.gpus, &GpuUse::memoryBytes),
        column(sample.gpus, &GpuUse::powerW), column(sample.gpus, &GpuUse::powerLimitW),
        column(sample.gpus, &GpuUse::temperatureC), column(sample.gpus, &GpuUse::smMhz),
        column(sample.gpus, &GpuUse::memoryMhz), column(sample.gpus, &GpuUse::clockReasons),
        column(sample.shares, &GpuShare::gpu), column(sample.shares, &GpuShare::rank),
        column(sample.shares, &GpuShare::bytes), realValue(sample.workbenchCores)};
}

analysis::MachineSample machineSampleOf(const QSqlQuery& row)
{
    analysis::MachineSample sample;
    sample.host = row.value(1).toString().toStdString();
    sample.timeNs = row.value(2).toLongLong();
    sample.busyCores = realAt(row, 3);
    sample.freeMemoryBytes = realAt(row, 4);
    sample.samplingMs = realAt(row, 5);
    sample.ranks.resize(lengthAt<std::int32_t>(row, 6));
    read(row, 6, sample.ranks, &RankUse::rank);
    read(row, 7, sample.ranks, &RankUse::cores);
    read(row, 8, sample.ranks, &RankUse::residentBytes);
    sample.gpus.resize(lengthAt<std::int32_t>(row, 9));
    read(row, 9, sample.gpus, &GpuUse::number);
    read(row, 10, sample.gpus, &GpuUse::usePercent);
    read(row, 11, sample.gpus, &GpuUse::memoryUsePercent);
    read(row, 12, sample.gpus, &GpuUse::memoryBytes);
    read(row, 13, sample.gpus, &GpuUse::powerW);
    read(row, 14, sample.gpus, &GpuUse::powerLimitW);
    read(row, 15, sample.gpus, &GpuUse::temperatureC);
    read(row, 16, sample.gpus, &GpuUse::smMhz);
    read(row, 17, sample.gpus, &GpuUse::memoryMhz);
    read(row, 18, sample.gpus, &GpuUse::clockReasons);
    sample.shares.resize(lengthAt<std::int32_t>(row, 19));
    read(row, 19, sample.shares, &GpuShare::gpu);
    read(row, 20, sample.shares, &GpuShare::rank);
    read(row, 21, sample.shares, &GpuShare::bytes);
    sample.workbenchCores = realAt(row, 22);
    return sample;
}

} // namespace lockstep::store
