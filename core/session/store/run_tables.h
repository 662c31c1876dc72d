// The tables of a run's file. Columns of many values are BLOBs of little-endian numbers: SQLite would turn NaN into
// NULL. `delta` counts the Deltas in the order in which they were published. Private to the store.
#pragma once

#include "session/store/machine_columns.h"

#include <QString>

namespace lockstep::session {

inline const char* const RunTables[] = {
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE hellos(delta INTEGER, rank INTEGER, protocol INTEGER, run TEXT, world_size INTEGER, pid INTEGER, "
    "host TEXT, device TEXT, libtorch TEXT)",
    "CREATE TABLE prepared(delta INTEGER, rank INTEGER, device TEXT, train_samples INTEGER, test_samples INTEGER, "
    "total_steps INTEGER, steps_per_epoch INTEGER, parameters INTEGER, data_ns INTEGER, dataset TEXT, communication TEXT, "
    "cores INTEGER)",
    "CREATE TABLE steps(delta INTEGER, rank INTEGER, rows INTEGER, step BLOB, end_ns BLOB, wall_ns BLOB, samples BLOB, "
    "batch BLOB, loss BLOB, learning_rate BLOB, bytes_sent BLOB, data BLOB, forward BLOB, backward BLOB, "
    "communicate BLOB, wait BLOB, optimize BLOB, evaluate BLOB, hidden BLOB, bytes_by_kind BLOB)",
    "CREATE TABLE spans(delta INTEGER, rank INTEGER, rows INTEGER, dropped INTEGER, step BLOB, phase BLOB, "
    "start_ns BLOB, duration_ns BLOB, micro_batch BLOB)",
    "CREATE TABLE traffic(delta INTEGER, rank INTEGER, rows INTEGER, dropped INTEGER, step BLOB, number BLOB, "
    "recipient BLOB, sender BLOB, bytes BLOB, start_ns BLOB, duration_ns BLOB)",
    "CREATE TABLE measurements(delta INTEGER, rank INTEGER, collective TEXT, algorithm TEXT, type TEXT, bytes INTEGER, "
    "in_place INTEGER, calls INTEGER, p50_ns INTEGER, p99_ns INTEGER, mean_ns INTEGER, wrong INTEGER)",
    "CREATE TABLE verifications(delta INTEGER, rank INTEGER, steps INTEGER, difference REAL, at_step INTEGER)",
    "CREATE TABLE shares(delta INTEGER, rank INTEGER, samples INTEGER, shared INTEGER, redraws INTEGER, labels BLOB)",
    "CREATE TABLE evaluations(delta INTEGER, rank INTEGER, step INTEGER, samples INTEGER, end_ns INTEGER, "
    "duration_ns INTEGER, accuracy REAL, loss REAL)",
    "CREATE TABLE logs(delta INTEGER, rank INTEGER, time_ns INTEGER, level INTEGER, text TEXT)",
    "CREATE TABLE vitals(delta INTEGER, rank INTEGER, time_ns INTEGER, resident INTEGER, device INTEGER)",
    "CREATE TABLE memory(delta INTEGER, rank INTEGER, step INTEGER, time_ns INTEGER, live BLOB, most BLOB, "
    "most_of_sum INTEGER, highest INTEGER, resident INTEGER, highest_resident INTEGER, planned BLOB, "
    "planned_highest INTEGER)",
    "CREATE TABLE applied(delta INTEGER, rank INTEGER, command INTEGER, step INTEGER, time_ns INTEGER, target INTEGER, "
    "value REAL)",
    MachineTable,
    MachineSampleTable,
    "CREATE TABLE ranks(delta INTEGER, rank INTEGER, state INTEGER, message TEXT)",
    "CREATE TABLE statuses(delta INTEGER, status TEXT, message TEXT, wall_ns INTEGER)",
};

} // namespace lockstep::session
