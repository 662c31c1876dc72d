#include "analysis/report/table_layout.h"

#include "analysis/table/text_table.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace lockstep::report {

namespace {

/// Latin letters that a line of a page has, in the size of tables.
constexpr double LineWidth = 100.0;
constexpr double CellPadding = 3.0;
constexpr std::size_t RowsKeptTogether = 15;

/// In widths of a Latin letter; Chinese text may be divided anywhere.
double longestWord(std::string_view text)
{
    double longest = 0.0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const bool isLatin
            = std::ranges::all_of(word, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
        const auto width = static_cast<double>(analysis::terminalWidth(word));
        longest = std::max(longest, isLatin ? width : std::min(width, 8.0));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return longest;
}

} // namespace

std::vector<double> columnShares(const Table& table)
{
    std::vector<double> least;
    std::vector<double> more; // that no line of it would be divided
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        double word = longestWord(table.header[column]);
        double line = word;
        for (const auto& row : table.rows) {
            word = std::max(word, longestWord(row[column]));
            line = std::max(line, static_cast<double>(analysis::terminalWidth(row[column])));
        }
        least.push_back(word + CellPadding);
        more.push_back(line - std::min(line, word) + 1.0);
    }
    const double room = std::max(0.0, LineWidth - std::accumulate(least.begin(), least.end(), 0.0));
    const double wanted = std::accumulate(more.begin(), more.end(), 0.0);
    std::vector<double> shares;
    for (std::size_t column = 0; column < least.size(); ++column) {
        shares.push_back(least[column] + more[column] * room / wanted);
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::ranges::for_each(shares, [sum](double& each) { each /= sum; });
    return shares;
}

bool isKeptTogether(const Table& table)
{
    return table.rows.size() <= RowsKeptTogether;
}

} // namespace lockstep::report
