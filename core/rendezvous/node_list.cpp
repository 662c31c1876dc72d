#include "rendezvous/node_list.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>

namespace lockstep::rendezvous {

namespace {

constexpr std::size_t MostNodes = 1 << 16;
constexpr std::size_t MostDigits = 9;

Error notAList(std::string_view list)
{
    return failure(LS_TR("Messages", "`%1` is not a list of nodes such as n[1-3,7],login"), {verbatim(list)});
}

std::optional<std::uint32_t> digits(std::string_view text)
{
    std::uint32_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isNumber = error == std::errc{} && rest == text.data() + text.size() && text.size() <= MostDigits;
    return isNumber ? std::optional(number) : std::nullopt;
}

/// `1-3` or `7`; false if it is neither, or has too many.
bool addRange(std::string_view range, std::vector<std::string>& numbers)
{
    const auto dash = range.find('-');
    const std::string_view first = range.substr(0, dash);
    const auto begin = digits(first);
    const auto end = dash == std::string_view::npos ? begin : digits(range.substr(dash + 1));
    if (!begin || !end || *begin > *end || *end - *begin >= MostNodes) {
        return false;
    }
    for (std::uint32_t number = *begin; number <= *end; ++number) {
        numbers.push_back(fmt::format("{:0{}}", number, first.size()));
    }
    return true;
}

std::vector<std::string_view> splitAtCommas(std::string_view text)
{
    std::vector<std::string_view> parts;
    bool isInBrackets = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && !isInBrackets)) {
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        } else if (text[i] == '[') {
            isInBrackets = true;
        } else if (text[i] == ']') {
            isInBrackets = false;
        }
    }
    return parts;
}

/// The names that one entry, without commas outside of brackets, means; empty if it is malformed.
std::vector<std::string> namesOf(std::string_view entry)
{
    std::vector<std::string> names{""};
    while (!entry.empty()) {
        const auto open = entry.find('[');
        const std::string_view plain = entry.substr(0, open);
        std::vector<std::string> numbers{""};
        std::size_t after = entry.size();
        if (open != std::string_view::npos) {
            const auto close = entry.find(']', open);
            if (close == std::string_view::npos) {
                return {};
            }
            numbers.clear();
            for (const std::string_view range : splitAtCommas(entry.substr(open + 1, close - open - 1))) {
                if (!addRange(range, numbers)) {
                    return {};
                }
            }
            after = close + 1;
        }
        if (plain.find(']') != std::string_view::npos || names.size() * numbers.size() > MostNodes) {
            return {};
        }
        std::vector<std::string> longer;
        for (const std::string& name : names) {
            for (const std::string& number : numbers) {
                longer.push_back(fmt::format("{}{}{}", name, plain, number));
            }
        }
        names = std::move(longer);
        entry.remove_prefix(after);
    }
    return names.front().empty() ? std::vector<std::string>() : names;
}

} // namespace

Result<std::vector<std::string>> expandNodeList(std::string_view list)
{
    std::vector<std::string> all;
    for (const std::string_view entry : splitAtCommas(list)) {
        const std::vector<std::string> names = namesOf(entry);
        if (names.empty() || all.size() + names.size() > MostNodes) {
            return notAList(list);
        }
        all.insert(all.end(), names.begin(), names.end());
    }
    return all;
}

} // namespace lockstep::rendezvous
