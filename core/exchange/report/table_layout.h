// What the writers of pages share. Private to core/exchange/report and ui/export.
#pragma once

#include "exchange/report/report.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::report {

/// Of the table's width, by column; their sum is 1. No column is so narrow that it divides a word while another has
/// room.
[[nodiscard]] std::vector<double> columnShares(const Table& table);

/// Whether a line may divide `[94.6, 95.7]`.
enum class Intervals : std::uint8_t { Whole, Divided };
/// Of a table's cells: divided where whole ones would divide words.
[[nodiscard]] Intervals intervalsOf(const Table& table);
/// The text with spaces that no line divides within `95.1 %`, `3.2 ms`, `n = 3` and intervals.
[[nodiscard]] std::string unbroken(std::string_view text, Intervals intervals = Intervals::Whole);

/// A paragraph's lines in pieces, unbroken(); blank lines are left out.
[[nodiscard]] std::vector<std::vector<Piece>> linesOf(const Paragraph& paragraph);
/// Whether it is formulas and nothing else: they stand apart.
[[nodiscard]] bool isFormula(const std::vector<Piece>& line);
/// Whether a page may not divide the block from the next one: what introduces a figure, a table or an answer.
[[nodiscard]] bool isKeptWithNext(const std::vector<Block>& blocks, std::size_t place);

/// Whether a page may not divide it.
[[nodiscard]] bool isKeptTogether(const Table& table);

/// Of code: whether a page may not divide this line (from 0) from the next one. Short code is whole, and no line of
/// longer code is alone.
[[nodiscard]] bool isListingLineKept(std::size_t line, std::size_t lines);

} // namespace lockstep::report
