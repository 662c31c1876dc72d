// The arguments of one verb, in Qt's texts.
#pragma once

#include "base/command_line.h"
#include "base/translate.h"

#include <QString>
#include <QStringList>

#include <span>
#include <string>
#include <vector>

namespace lockstep::session {

class Arguments {
public:
    /// As CommandLine has it. Error: `--frob: unknown option; allowed: --json, --store`.
    [[nodiscard]] static Result<Arguments> parse(const QStringList& words, std::span<const Option> options);

    [[nodiscard]] const QStringList& positional() const { return m_positional; }
    [[nodiscard]] bool has(const QString& name) const { return m_parsed.has(name.toStdString()); }
    /// The last one given; empty if none.
    [[nodiscard]] QString value(const QString& name) const
    {
        return QString::fromStdString(m_parsed.value(name.toStdString()));
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

/// The run store: the folder that `--store` names, else RunStore::defaultFolder().
[[nodiscard]] QString storeOf(const Arguments& arguments);

/// The options as the lines of a help text; their helps are LS_TR("CommandLine", ...) texts.
[[nodiscard]] std::string helpOf(std::span<const Option> options);

/// The candidate that was probably meant, or an empty text.
[[nodiscard]] QString closest(const QString& word, const QStringList& candidates);

} // namespace lockstep::session
