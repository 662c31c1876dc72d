#include "laboratory/code/trial.h"

#include "analysis/plain_text.h"
#include "laboratory/careful_json.h"
#include "laboratory/entry_json.h"

#include <algorithm>
#include <limits>

namespace lockstep::laboratory {

namespace {

constexpr std::size_t LongestLine = 400;

double numberOf(const Json& value)
{
    if (value.is_number()) {
        return value.get<double>();
    }
    constexpr double Infinity = std::numeric_limits<double>::infinity();
    return value == "inf" ? Infinity : value == "-inf" ? -Infinity : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

void readRecords(std::string_view bytes, RankTrial& into)
{
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        Json record = carefulJson(bytes.substr(0, end));
        if (record.is_object() && !textIn(record, "record").empty()) {
            into.records.push_back(std::move(record));
        } else {
            into.isCut = true;
        }
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
}

std::vector<std::string> lastLines(std::string_view output)
{
    std::vector<std::string> lines;
    while (!output.empty() && lines.size() < static_cast<std::size_t>(MostOutputLines)) {
        const std::size_t end = output.rfind('\n');
        const std::string_view line = end == std::string_view::npos ? output : output.substr(end + 1);
        if (!line.empty() || !lines.empty()) {
            lines.push_back(analysis::shortened(analysis::cleanLine(line), LongestLine));
        }
        output = output.substr(0, end == std::string_view::npos ? 0 : end);
    }
    std::ranges::reverse(lines);
    return lines;
}

std::vector<const Json*> recordsOf(const RankTrial& rank, std::string_view kind)
{
    std::vector<const Json*> found;
    for (const Json& record : rank.records) {
        if (record["record"] == kind) {
            found.push_back(&record);
        }
    }
    return found;
}

std::vector<double> numbersIn(const Json& record, std::string_view name)
{
    std::vector<double> numbers;
    if (const auto found = record.find(name); found != record.end() && found->is_array()) {
        std::ranges::transform(*found, std::back_inserter(numbers), numberOf);
    }
    return numbers;
}

std::int64_t integerIn(const Json& record, std::string_view name)
{
    const auto found = record.find(name);
    return found != record.end() && found->is_number_integer() ? std::max<std::int64_t>(-1, found->get<std::int64_t>())
                                                               : -1;
}

} // namespace lockstep::laboratory
