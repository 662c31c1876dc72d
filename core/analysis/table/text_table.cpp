#include "analysis/table/text_table.h"

#include "analysis/plain_text.h"
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <span>

namespace lockstep::analysis {

namespace {

bool isNumberText(std::string_view text)
{
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    double number = 0.0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return status != std::errc::invalid_argument && end == digits.data() + digits.size() && !digits.starts_with("+");
}

bool isFormula(std::string_view text)
{
    constexpr std::string_view Starts = "=+-@\t\r";
    return !text.empty() && Starts.find(text.front()) != std::string_view::npos && !isNumberText(text);
}

std::string csvLine(std::span<const std::string> cells)
{
    return listed(cells, csvCell, ",") + "\n";
}

std::string latexLine(std::span<const std::string> cells)
{
    return "  " + listed(cells, latexEscaped, " & ") + " \\\\\n";
}

std::vector<std::string> namesOfHeaders(const TextTable& table)
{
    std::vector<std::string> names;
    for (const TextTable::Header& header : table.headers) {
        names.push_back(header.name);
    }
    return names;
}

} // namespace

std::size_t terminalWidth(std::string_view text)
{
    std::size_t width = 0;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        const bool isFirst = (byte & 0xC0U) != 0x80U;
        // U+3000 to U+9FFF and U+F900 to U+FFFF, roughly: three bytes that begin with E3 to E9 or EF.
        const bool isWide = (byte >= 0xE3U && byte <= 0xE9U) || byte == 0xEFU;
        width += isFirst ? (isWide ? 2 : 1) : 0;
    }
    return width;
}

std::string csvCell(std::string_view text)
{
    const std::string line = cleanLine(text);
    const bool isDangerous = isFormula(text);
    if (!isDangerous && line.find_first_of(",\"") == std::string::npos) {
        return line;
    }
    std::string cell = isDangerous ? "\"'" : "\"";
    for (const char c : line) {
        cell += c == '"' ? "\"\"" : std::string(1, c);
    }
    return cell + '"';
}

std::string toCsv(const TextTable& table)
{
    std::string text = csvLine(namesOfHeaders(table));
    for (const auto& row : table.rows) {
        text += csvLine(row);
    }
    return text;
}

std::string toLatex(const TextTable& table)
{
    std::string alignment;
    for (const TextTable::Header& header : table.headers) {
        alignment += header.isNumber ? 'r' : 'l';
    }
    std::string text = "% \\usepackage{booktabs}\n\\begin{tabular}{" + alignment + "}\n  \\toprule\n"
        + latexLine(namesOfHeaders(table)) + "  \\midrule\n";
    for (const auto& row : table.rows) {
        text += latexLine(row);
    }
    return text + "  \\bottomrule\n\\end{tabular}\n";
}

std::string toColumns(const TextTable& table)
{
    std::vector<std::vector<std::string>> lines{namesOfHeaders(table)};
    std::ranges::copy(table.rows, std::back_inserter(lines));
    std::vector<std::size_t> widths(table.headers.size());
    for (std::vector<std::string>& cells : lines) {
        std::ranges::transform(cells, cells.begin(), cleanLine);
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], terminalWidth(cells[i]));
        }
    }
    std::string text;
    for (const std::vector<std::string>& cells : lines) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string blanks(widths[i] - terminalWidth(cells[i]), ' ');
            line += (i == 0 ? "" : "  ") + (table.headers[i].isNumber ? blanks + cells[i] : cells[i] + blanks);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

} // namespace lockstep::analysis
