#include "base/command_line.h"

#include <algorithm>

namespace lockstep {

Result<CommandLine> CommandLine::parse(
    std::span<const std::string> words, std::span<const Option> options, const Refuse& refuse)
{
    CommandLine parsed;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            parsed.m_positional.insert(
                parsed.m_positional.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            parsed.m_afterDashes = words.size() - i - 1;
            break;
        }
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const std::string name = word.substr(0, equals);
        const bool hasValue = equals != std::string::npos;
        const auto option
            = std::find_if(options.begin(), options.end(), [&](const Option& each) { return each.name == name; });
        if (option == options.end() && !word.starts_with("--")) {
            parsed.m_positional.push_back(word);
            continue;
        }
        if (option == options.end()) {
            return refuse(Problem::UnknownOption, name, nullptr);
        }
        if (option->value.empty() && hasValue) {
            return refuse(Problem::TakesNoValue, name, &*option);
        }
        if (!option->value.empty() && !hasValue && i + 1 == words.size()) {
            return refuse(Problem::NeedsValue, name, &*option);
        }
        const bool isNext = !option->value.empty() && !hasValue;
        parsed.m_values[name].push_back(isNext ? words[++i] : hasValue ? word.substr(equals + 1) : std::string());
    }
    return parsed;
}

std::vector<std::string> CommandLine::values(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::vector<std::string>() : found->second;
}

std::string CommandLine::value(std::string_view name) const
{
    const auto found = m_values.find(name);
    return found == m_values.end() ? std::string() : found->second.back();
}

} // namespace lockstep
