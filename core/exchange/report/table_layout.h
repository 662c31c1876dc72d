// What the writers of tables and code share. Private to core/exchange/report and ui/export.
#pragma once

#include "exchange/report/report.h"

#include <cstddef>
#include <vector>

namespace lockstep::report {

/// Of the table's width, by column; their sum is 1. No column is so narrow that it divides a word while another has
/// room.
[[nodiscard]] std::vector<double> columnShares(const Table& table);

/// Whether a page may not divide it.
[[nodiscard]] bool isKeptTogether(const Table& table);

/// Of code: whether a page may not divide this line (from 0) from the next one. Short code is whole, and no line of
/// longer code is alone.
[[nodiscard]] bool isListingLineKept(std::size_t line, std::size_t lines);

} // namespace lockstep::report
