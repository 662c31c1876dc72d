// Machines and their samples as rows of a run's file. Private to the store.
#pragma once

#include "analysis/machine_record.h"

#include <QSqlQuery>
#include <QVariant>

#include <vector>

namespace lockstep::store {

inline const char* const MachineColumns
    = "host TEXT, cores INTEGER, memory INTEGER, gpu BLOB, gpu_name TEXT, gpu_uuid TEXT, gpu_memory BLOB";
/// Lists of ranks, of GPUs and of the shares that processes have of GPUs' memory.
inline const char* const MachineSampleColumns
    = "host TEXT, time_ns INTEGER, busy_cores REAL, free_memory REAL, "
      "sampling_ms REAL, rank BLOB, rank_cores BLOB, rank_resident BLOB, gpu BLOB, gpu_use BLOB, gpu_memory_use BLOB, "
      "gpu_memory BLOB, gpu_power BLOB, gpu_power_limit BLOB, gpu_temperature BLOB, gpu_sm_mhz BLOB, "
      "gpu_memory_mhz BLOB, gpu_clock_reasons BLOB, share_gpu BLOB, share_rank BLOB, share_bytes BLOB, "
      "workbench_cores REAL";

/// The values after `delta`, in the order of the columns above.
[[nodiscard]] std::vector<QVariant> machineValues(const analysis::Machine& machine);
[[nodiscard]] std::vector<QVariant> machineSampleValues(const analysis::MachineSample& sample);

/// Of a row of all columns; those that an older file lacks are NotMeasured. In a damaged file lists may differ in
/// length: reads the common part.
[[nodiscard]] analysis::Machine machineOf(const QSqlQuery& row);
[[nodiscard]] analysis::MachineSample machineSampleOf(const QSqlQuery& row);

} // namespace lockstep::store
