// The arguments of a program or of one of its verbs: flags are rows, so that parsing, help and messages say the same.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

struct Option {
    std::string_view name; ///< `--set`
    std::string_view value; ///< `KEY=VALUE` as help shows it; empty: a switch
    std::string_view help;
};

class CommandLine {
public:
    enum class Problem { UnknownOption, TakesNoValue, NeedsValue };
    /// Words the message; `option` is null for an unknown one.
    using Refuse = std::function<Error(Problem problem, std::string_view name, const Option* option)>;

    /// Accepts `--name value` and `--name=value` anywhere, and `-n value` where there is such an option; what else does
    /// not begin with `--` is positional, and so is everything after `--`.
    [[nodiscard]] static Result<CommandLine> parse(
        std::span<const std::string> words, std::span<const Option> options, const Refuse& refuse);

    [[nodiscard]] const std::vector<std::string>& positional() const { return m_positional; }
    /// What stands after `--`, also the last of the positional ones.
    [[nodiscard]] std::span<const std::string> afterDashes() const
    {
        return std::span(m_positional).last(m_afterDashes);
    }
    [[nodiscard]] bool has(std::string_view name) const { return m_values.contains(name); }
    /// All that were given, in order; a switch gives empty ones.
    [[nodiscard]] std::vector<std::string> values(std::string_view name) const;
    /// The last one given; empty if none.
    [[nodiscard]] std::string value(std::string_view name) const;

private:
    std::vector<std::string> m_positional;
    std::size_t m_afterDashes = 0; ///< of them
    std::map<std::string, std::vector<std::string>, std::less<>> m_values;
};

} // namespace lockstep
