// The arguments of one verb, in Qt's texts.
#pragma once

#include "base/command_line.h"
#include "base/translate.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

class Arguments {
public:
    /// As CommandLine has it. Error: `--frob: unknown option; allowed: --json, --store`.
    [[nodiscard]] static Result<Arguments> parse(const QStringList& words, std::span<const Option> options);

    [[nodiscard]] const QStringList& positional() const { return m_positional; }
    /// What stands after `--`, also the last of the positional ones.
    [[nodiscard]] std::span<const std::string> afterDashes() const { return m_parsed.afterDashes(); }
    [[nodiscard]] bool has(const QString& name) const { return m_parsed.has(name.toStdString()); }
    /// The last one given.
    [[nodiscard]] QString value(const QString& name, const QString& otherwise = {}) const
    {
        return has(name) ? QString::fromStdString(m_parsed.value(name.toStdString())) : otherwise;
    }
    [[nodiscard]] QStringList values(const QString& name) const { return listOf(m_parsed.values(name.toStdString())); }

private:
    explicit Arguments(const CommandLine& parsed)
        : m_parsed(parsed)
        , m_positional(listOf(parsed.positional()))
    { }
    [[nodiscard]] static QStringList listOf(const std::vector<std::string>& texts);

    CommandLine m_parsed;
    QStringList m_positional;
};

inline constexpr Option JsonOption{"--json", "", LS_TR("CommandLine", "prints JSON")};
inline constexpr Option StoreOption{"--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs")};
inline constexpr Option HelpOption{"--help", "", LS_TR("CommandLine", "this text")};

/// The run store: the folder that `--store` names, else RunStore::defaultFolder().
[[nodiscard]] QString storeOf(const Arguments& arguments);

/// A verb's words taken apart; the exit code of `carryOut`. On --help prints `usage`, an LS_TR("CommandLine", ...)
/// text, and the options. An error, also of the words, is refused (verbs.h).
[[nodiscard]] int withArguments(const std::string& verb, const QStringList& words, std::span<const Option> options,
    std::string_view usage, const std::function<Result<int>(const Arguments&)>& carryOut);
/// The same for a verb with a separate help text.
[[nodiscard]] int withArguments(const std::string& verb, const QStringList& words, std::span<const Option> options,
    const std::function<std::string()>& help, const std::function<Result<int>(const Arguments&)>& carryOut);
/// For a verb that takes options only.
[[nodiscard]] Result<void> refuseWords(const std::string& verb, const QStringList& words);

/// The options as the lines of a help text; their helps are LS_TR("CommandLine", ...) texts.
[[nodiscard]] std::string helpOf(std::span<const Option> options);

/// The candidate that was probably meant, or an empty text.
[[nodiscard]] QString closest(const QString& word, const QStringList& candidates);

} // namespace lockstep::cli
