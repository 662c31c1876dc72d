// What the writers of tables share. Private to core/exchange/report and ui/export.
#pragma once

#include "exchange/report/report.h"

#include <vector>

namespace lockstep::report {

/// Of the table's width, by column; their sum is 1. No column is so narrow that it divides a word while another has
/// room.
[[nodiscard]] std::vector<double> columnShares(const Table& table);

/// Whether a page may not divide it.
[[nodiscard]] bool isKeptTogether(const Table& table);

} // namespace lockstep::report
