// Curves as columns of a CSV (RFC 4180), with commas, semicolons or tabs between the cells.
#include "analysis/plain_text.h"
#include "base/translate.h"
#include "exchange/reference/reference_builder.h"
#include "exchange/reference/reference_sources.h"

#include <QString>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace lockstep::exchange {

namespace {

using namespace Qt::StringLiterals;

constexpr std::size_t NoColumn = std::numeric_limits<std::size_t>::max();
constexpr std::size_t MaxCellBytes = 4096;

using TableCells = std::vector<std::string>;

/// Reads line by line; cells in quotation marks may hold separators and line breaks.
class TableReader {
public:
    TableReader(std::string_view text, char separator)
        : m_rest(text)
        , m_separator(separator)
        , m_isEnded(text.ends_with('\n'))
    { }

    /// Of the next line that is not empty; none at the end.
    [[nodiscard]] Result<TableCells> next()
    {
        TableCells cells;
        while (!m_rest.empty() && cells.empty()) {
            m_line += std::exchange(m_breaks, 0);
            LOCKSTEP_TRY_ASSIGN(cells, line());
            if (cells.size() == 1 && cells.front().empty()) {
                cells.clear();
            }
        }
        return cells;
    }
    /// Of the cells that came last.
    [[nodiscard]] std::int64_t number() const { return m_line; }
    /// The text ends within the line that came last.
    [[nodiscard]] bool isAtCutEnd() const { return m_rest.empty() && !m_isEnded; }

private:
    [[nodiscard]] Result<TableCells> line()
    {
        TableCells cells(1);
        bool isQuoted = false;
        m_breaks = 1;
        while (!m_rest.empty()) {
            const char c = m_rest.front();
            m_rest.remove_prefix(1);
            if (c == '"') {
                const bool isDoubled = isQuoted && !m_rest.empty() && m_rest.front() == '"';
                if (isDoubled) {
                    m_rest.remove_prefix(1);
                    cells.back() += '"';
                } else {
                    isQuoted = !isQuoted;
                }
            } else if (c == m_separator && !isQuoted) {
                cells.emplace_back();
            } else if (c == '\n' && !isQuoted) {
                return cells;
            } else if (c != '\r' || isQuoted) {
                m_breaks += c == '\n' ? 1 : 0;
                cells.back() += c;
            }
            if (cells.back().size() > MaxCellBytes || cells.size() > MaxReferenceCurves + 2) {
                return refusal("line " + std::to_string(m_line),
                    LS_TR("Refusals", "a cell is too long, or there are too many cells"));
            }
        }
        return isQuoted ? Result<TableCells>(
                   refusal("line " + std::to_string(m_line), LS_TR("Refusals", "a quotation mark is not closed")))
                        : Result<TableCells>(std::move(cells));
    }

    std::string_view m_rest;
    char m_separator;
    bool m_isEnded = false; ///< the text, by an end of a line
    std::int64_t m_line = 1;
    std::int64_t m_breaks = 0; ///< within the line before
};

/// The one that the first line has most of.
char separatorOf(std::string_view text)
{
    const std::string_view first = text.substr(0, text.find('\n'));
    constexpr std::array Separators{',', ';', '\t'};
    return *std::max_element(Separators.begin(), Separators.end(), [&](char a, char b) {
        return std::count(first.begin(), first.end(), a) < std::count(first.begin(), first.end(), b);
    });
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<double> cellNumber(std::string_view cell)
{
    std::string_view text = trimmed(cell);
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
    }
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool isNamed(std::string_view cell, std::string_view name)
{
    return QString::fromUtf8(trimmed(cell).data(), static_cast<qsizetype>(trimmed(cell).size()))
               .compare(QLatin1StringView(name.data(), static_cast<qsizetype>(name.size())), Qt::CaseInsensitive)
        == 0;
}

std::size_t columnNamed(const TableCells& names, std::string_view name)
{
    const auto found
        = std::find_if(names.begin(), names.end(), [&](const std::string& each) { return isNamed(each, name); });
    return found == names.end() ? NoColumn : static_cast<std::size_t>(found - names.begin());
}

std::size_t firstColumn(const TableCells& names, std::initializer_list<std::string_view> wanted)
{
    for (const std::string_view name : wanted) {
        if (const std::size_t column = columnNamed(names, name); column != NoColumn) {
            return column;
        }
    }
    return NoColumn;
}

/// The columns of one table.
struct TableColumns {
    TableCells names;
    std::size_t step = 0;
    std::size_t time = NoColumn; ///< TensorBoard's own wall time

    [[nodiscard]] static TableColumns of(TableCells names, const QString& file)
    {
        TableColumns columns{std::move(names), 0, NoColumn};
        // As TensorBoard, Lightning and Weights & Biases name them.
        const std::size_t step = firstColumn(columns.names, {"step", "_step", "global_step"});
        columns.step = step == NoColumn ? 0 : step;
        columns.time = firstColumn(columns.names, {"wall time", "wall_time", "_timestamp"});
        const std::size_t value = columnNamed(columns.names, "value");
        if (columns.time != NoColumn && value != NoColumn) {
            columns.names[value] = stemOf(file).toStdString();
        }
        return columns;
    }
};

Error placed(const TableReader& reader, const std::string& column, std::string_view pattern, const std::string& cell)
{
    return refusal("line " + std::to_string(reader.number()) + ", " + analysis::shortened(column, 40), pattern,
        {verbatim(analysis::shortened(cell, 40))});
}

Error noNumber(const TableReader& reader, const std::string& column, const std::string& cell)
{
    return placed(reader, column, LS_TR("Refusals", "\"%1\" is not a number"), cell);
}

Result<void> addTableRow(
    ReferenceBuilder& builder, const TableReader& reader, const TableColumns& columns, const TableCells& cells)
{
    if (cells.size() != columns.names.size()) {
        return refusal("line " + std::to_string(reader.number()),
            LS_TR("Refusals", "it has %1 cells, the first line %2"), {cells.size(), columns.names.size()});
    }
    constexpr double LargestStep = 9e15; // whole numbers up to here are exact
    const auto step = cellNumber(cells[columns.step]);
    if (!step) {
        return noNumber(reader, columns.names[columns.step], cells[columns.step]);
    }
    if (*step != std::floor(*step) || std::fabs(*step) > LargestStep) {
        return placed(reader, columns.names[columns.step], LS_TR("Refusals", "\"%1\" is not a whole number"),
            cells[columns.step]);
    }
    const auto time = columns.time == NoColumn ? std::optional(0.0) : cellNumber(cells[columns.time]);
    if (!time || !std::isfinite(*time)) {
        return noNumber(reader, columns.names[columns.time], cells[columns.time]);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i == columns.step || i == columns.time || trimmed(cells[i]).empty()) {
            continue;
        }
        const auto value = cellNumber(cells[i]);
        if (!value) {
            return noNumber(reader, columns.names[i], cells[i]);
        }
        LOCKSTEP_TRY(builder.add(columns.names[i], static_cast<std::int64_t>(*step), *time, *value));
    }
    return {};
}

} // namespace

bool isCurveTable(const QString& path)
{
    const QString name = withoutGz(path);
    return name.endsWith(u".csv"_s, Qt::CaseInsensitive) || name.endsWith(u".tsv"_s, Qt::CaseInsensitive);
}

Result<ReferenceCurves> readCurveTable(const QString& path)
{
    LOCKSTEP_TRY_ASSIGN(const TableText whole, readTableText(path));
    std::string_view text(whole.bytes.constData(), static_cast<std::size_t>(whole.bytes.size()));
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    TableReader reader(text, separatorOf(text));
    LOCKSTEP_TRY_ASSIGN(auto names, reader.next());
    if (names.size() < 2) {
        return refusal(
            {}, LS_TR("Refusals", "its first line must name a column of steps and at least one other column"));
    }
    const TableColumns columns = TableColumns::of(std::move(names), path);
    ReferenceBuilder builder;
    bool isCut = whole.isCut;
    while (true) {
        LOCKSTEP_TRY_ASSIGN(const auto cells, reader.next());
        if (cells.empty()) {
            break;
        }
        const bool isIncomplete = whole.isCut || cells.size() < columns.names.size();
        if (reader.isAtCutEnd() && isIncomplete && !builder.isEmpty()) {
            isCut = true; // its program was ended while it wrote the last line, whose last number may lack digits
            break;
        }
        LOCKSTEP_TRY(addTableRow(builder, reader, columns, cells));
    }
    return builder.curves(columns.time != NoColumn,
        isCut ? Text(LS_TR("Messages", "the table is cut short: the complete lines were imported")) : Text());
}

} // namespace lockstep::exchange
