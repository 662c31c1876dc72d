// A table in a file that an LMS exported. Only cells that are set change: every other byte of a CSV, and every other
// part of a workbook, stays as it is.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::laboratory::grading {

class CellTable {
public:
    /// A CSV in UTF-8 with commas, semicolons or tabs (RFC 4180), or the first sheet of a workbook, by its first bytes.
    [[nodiscard]] static Result<std::unique_ptr<CellTable>> read(const QString& path);
    virtual ~CellTable() = default;

    [[nodiscard]] virtual std::size_t rows() const = 0;
    [[nodiscard]] virtual std::size_t columns(std::size_t row) const = 0;
    /// As text, so that `007` keeps its zeros; empty where the row is shorter.
    [[nodiscard]] virtual std::string cell(std::size_t row, std::size_t column) const = 0;
    /// A number as text, with the decimal sign of the table.
    virtual void setNumber(std::size_t row, std::size_t column, const std::string& number) = 0;
    [[nodiscard]] virtual Result<QByteArray> bytes() const = 0;
};

[[nodiscard]] Result<std::unique_ptr<CellTable>> csvTable(QByteArray bytes);
/// Where the first line names these columns. Error: it does not name all.
[[nodiscard]] Result<std::vector<std::size_t>> placesOf(
    const CellTable& table, const std::vector<std::string_view>& columns);
/// A cell without the mark with which analysis::toCsv() keeps a spreadsheet from running it.
[[nodiscard]] std::string asTyped(const std::string& cell);
/// `path`: an Office Open XML workbook (ECMA-376).
[[nodiscard]] Result<std::unique_ptr<CellTable>> workbookTable(const QString& path);

} // namespace lockstep::laboratory::grading
