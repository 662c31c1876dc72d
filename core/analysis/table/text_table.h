// A table of texts as CSV, as LaTeX and in columns for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::analysis {

struct TextTable {
    struct Header {
        std::string name;
        bool isNumber = false; ///< its cells are aligned to the right
    };
    std::vector<Header> headers;
    std::vector<std::vector<std::string>> rows; ///< each as long as the headers
};

/// RFC 4180 with line feeds; cells by cleanLine() (analysis/plain_text.h), as in columns. A cell that begins with = + -
/// @ (or a tab) and is no number gets an apostrophe before it and quotation marks around it: spreadsheets would run it
/// as a formula.
[[nodiscard]] std::string toCsv(const TextTable& table);
/// One cell of it.
[[nodiscard]] std::string csvCell(std::string_view text);

/// A tabular with booktabs' rules, to be put into a table; `%` says which package it needs.
[[nodiscard]] std::string toLatex(const TextTable& table);
/// Columns two blanks apart.
[[nodiscard]] std::string toColumns(const TextTable& table);
/// Of a text, in columns of a terminal: characters of East Asia are two wide.
[[nodiscard]] std::size_t terminalWidth(std::string_view text);

} // namespace lockstep::analysis
