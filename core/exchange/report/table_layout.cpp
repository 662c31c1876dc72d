#include "exchange/report/table_layout.h"

#include "analysis/table/text_table.h"

#include <algorithm>
#include <array>
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
double longestNumber(std::string_view text, Intervals intervals)
{
    double longest = 0.0;
    while (!text.empty()) {
        const std::size_t part = std::min({text.find(" [", 1), text.find(" ±", 1), text.size()});
        const std::size_t bound = intervals == Intervals::Whole ? text.size() : text.find(", ");
        const std::size_t end = std::min(part, bound == std::string_view::npos ? bound : bound + 1);
        longest = std::max(longest, static_cast<double>(analysis::terminalWidth(text.substr(0, end))));
        text.remove_prefix(std::min(end, text.size()));
        text.remove_prefix(text.starts_with(' ') ? 1 : 0);
    }
    return longest;
}

/// The least width of each column that divides no word, and what it lacks for whole lines.
struct ColumnWidths {
    std::vector<double> least;
    std::vector<double> more;
    double sum = 0.0; ///< of the least ones
};

ColumnWidths widthsOf(const Table& table, Intervals intervals)
{
    ColumnWidths widths;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        double word = Bold * longestWord(table.header[column]);
        double line = word;
        for (const auto& row : table.rows) {
            word = std::max(
                word, table.isNumber[column] ? longestNumber(row[column], intervals) : longestWord(row[column]));
            line = std::max(line, static_cast<double>(analysis::terminalWidth(row[column])));
        }
        widths.least.push_back(word + CellPadding);
        widths.more.push_back(line - std::min(line, word) + 1.0);
        widths.sum += widths.least.back();
    }
    return widths;
}

bool isDigit(char each)
{
    return each >= '0' && each <= '9';
}

bool isLetter(char each)
{
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
}

bool beginsWithUnit(std::string_view text)
{
    constexpr std::array<std::string_view, 8> Units{"%", "ms", "s", "µs", "kB", "MB", "GB", "B"};
    return std::ranges::any_of(Units, [text](std::string_view unit) {
        return text.starts_with(unit) && (text.size() == unit.size() || !isLetter(text[unit.size()]));
    });
}

/// Whether the place is within brackets that hold numbers alone.
bool isInInterval(std::string_view text, std::size_t place)
{
    const std::size_t begin = text.find_last_of("[]", place);
    const std::size_t end = text.find_first_of("[]", place);
    if (begin == std::string_view::npos || end == std::string_view::npos || text[begin] != '[' || text[end] != ']') {
        return false;
    }
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    return std::ranges::any_of(inside, isDigit) && std::ranges::none_of(inside, isLetter);
}

/// Whether no line is divided at the blank at this place.
bool isKept(std::string_view text, std::size_t place)
{
    const std::string_view before = text.substr(0, place);
    const std::string_view after = text.substr(place + 1);
    const bool isBeforeUnit = !before.empty() && isDigit(before.back()) && beginsWithUnit(after);
    const bool isOfCount = (before.ends_with("(n") && after.starts_with("= "))
        || (before.ends_with("(n =") && !after.empty() && isDigit(after.front()));
    return isBeforeUnit || isOfCount;
}

} // namespace

Intervals intervalsOf(const Table& table)
{
    constexpr std::size_t ManyColumns = 8; // have smaller letters
    constexpr double MoreLetters = 1.2;
    const double room = table.header.size() > ManyColumns ? MoreLetters * LineWidth : LineWidth;
    return widthsOf(table, Intervals::Whole).sum <= room ? Intervals::Whole : Intervals::Divided;
}

std::string unbroken(std::string_view text, Intervals intervals)
{
    constexpr std::string_view NoBreakSpace = "\u00a0";
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isToKeep
            = text[i] == ' ' && (isKept(text, i) || (intervals == Intervals::Whole && isInInterval(text, i)));
        made += isToKeep ? NoBreakSpace : text.substr(i, 1);
    }
    return made;
}

std::vector<double> columnShares(const Table& table)
{
    const auto [least, more, used] = widthsOf(table, intervalsOf(table));
    const double room = std::max(0.0, LineWidth - used);
    const double wanted = std::accumulate(more.begin(), more.end(), 0.0);
    std::vector<double> shares;
    for (std::size_t column = 0; column < least.size(); ++column) {
        shares.push_back(least[column] + more[column] * room / wanted);
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::ranges::for_each(shares, [sum](double& each) { each /= sum; });
    return shares;
}

std::vector<std::vector<Piece>> linesOf(const Paragraph& paragraph)
{
    std::vector<std::vector<Piece>> lines(1);
    for (const Piece& piece : paragraph.pieces.empty() ? std::vector{Piece{paragraph.text}} : paragraph.pieces) {
        std::string_view rest = piece.text;
        for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            lines.back().push_back({unbroken(rest.substr(0, end)), piece.style});
            lines.emplace_back();
            rest.remove_prefix(end + 1);
        }
        lines.back().push_back({unbroken(rest), piece.style});
    }
    std::erase_if(lines, [](const std::vector<Piece>& line) {
        return std::ranges::all_of(
            line, [](const Piece& piece) { return piece.text.find_first_not_of(" \t\r") == std::string::npos; });
    });
    return lines;
}

bool isFormula(const std::vector<Piece>& line)
{
    return std::ranges::all_of(line, [](const Piece& piece) {
        const bool isBetween = piece.text == ", " || piece.text == "，" || piece.text == "、";
        return piece.style == TextStyle::Formula || (piece.style == TextStyle::Plain && isBetween);
    });
}

bool isKeptWithNext(const std::vector<Block>& blocks, std::size_t place)
{
    if (place + 1 >= blocks.size() || !std::holds_alternative<Paragraph>(blocks[place].content)) {
        return false;
    }
    const auto& next = blocks[place + 1].content;
    return std::holds_alternative<Chart>(next) || std::holds_alternative<Table>(next)
        || std::holds_alternative<Question>(next);
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
