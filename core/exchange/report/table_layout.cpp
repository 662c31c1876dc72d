#include "exchange/report/table_layout.h"

#include "analysis/table/text_table.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace lockstep::report {

namespace {

/// Latin letters that a line of a page has, in the size of tables.
constexpr double LineWidth = 100.0;
constexpr double CellPadding = 2.0;
constexpr double Bold = 1.15; ///< how much wider
constexpr double Capital = 0.35; ///< how much wider than 1
constexpr std::size_t RowsKeptTogether = 15;

/// In widths of a Latin letter: the longest word, or run of Latin letters within Chinese, which may be divided
/// anywhere. A word may be divided after its hyphen.
double longestWord(std::string_view text)
{
    constexpr double MostOfChinese = 8.0;
    double longest = 0.0;
    while (!text.empty()) {
        const std::size_t hyphen = text.find('-');
        const std::size_t afterHyphen = hyphen == std::string_view::npos ? hyphen : hyphen + 1;
        const std::size_t end = std::min({text.find(' '), afterHyphen, text.size()});
        std::string_view word = text.substr(0, end);
        const auto isLatin = [](char each) { return static_cast<unsigned char>(each) < 0x80; };
        if (!std::ranges::all_of(word, isLatin)) {
            longest = std::max(longest, std::min(static_cast<double>(analysis::terminalWidth(word)), MostOfChinese));
        }
        while (!word.empty()) {
            const auto run = std::ranges::find_if_not(word, isLatin) - word.begin();
            const auto capitals = std::ranges::count_if(
                word.substr(0, static_cast<std::size_t>(run)), [](char each) { return each >= 'A' && each <= 'Z'; });
            longest = std::max(longest, static_cast<double>(run) + Capital * static_cast<double>(capitals));
            word.remove_prefix(static_cast<std::size_t>(std::max<std::ptrdiff_t>(run, 1)));
        }
        text.remove_prefix(end);
        text.remove_prefix(text.starts_with(' ') ? 1 : 0);
    }
    return longest;
}

/// Of `95.1 % [94.6, 95.7]`: a number stays with its unit, and may be divided from its interval.
double longestNumber(std::string_view text)
{
    const std::size_t interval = std::min({text.find(" ["), text.find(" ±"), text.size()});
    const double rest
        = interval < text.size() ? static_cast<double>(analysis::terminalWidth(text.substr(interval + 1))) : 0.0;
    return std::max(static_cast<double>(analysis::terminalWidth(text.substr(0, interval))), rest);
}

} // namespace

std::vector<double> columnShares(const Table& table)
{
    std::vector<double> least;
    std::vector<double> more; // that no line of it would be divided
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        double word = Bold * longestWord(table.header[column]);
        double line = word;
        for (const auto& row : table.rows) {
            word = std::max(word, table.isNumber[column] ? longestNumber(row[column]) : longestWord(row[column]));
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

bool isListingLineKept(std::size_t line, std::size_t lines)
{
    constexpr std::size_t ShortCode = 14;
    return line + 1 < lines && (lines <= ShortCode || line == 0 || line + 2 == lines);
}

} // namespace lockstep::report
