// The flags of one verb: declared as rows, so that parsing, `--help` and messages say the same.
#pragma once

#include "base/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <span>
#include <string_view>

namespace lockstep::session {

struct Option {
    std::string_view name; ///< `--set`
    std::string_view value; ///< `KEY=VALUE` as help shows it; empty: a switch
    std::string_view help;
};

class Arguments {
public:
    /// Accepts `--name value` and `--name=value` anywhere; what does not begin with `--` is positional, and so is
    /// everything after `--`. Error: `--frob: unknown option; allowed: --json, --store`.
    [[nodiscard]] static Result<Arguments> parse(const QStringList& words, std::span<const Option> options);

    [[nodiscard]] const QStringList& positional() const { return m_positional; }
    [[nodiscard]] bool has(const QString& name) const { return m_values.contains(name); }
    /// The last one given; empty if none.
    [[nodiscard]] QString value(const QString& name) const
    {
        return m_values.value(name).value(m_values.value(name).size() - 1);
    }
    [[nodiscard]] QStringList values(const QString& name) const { return m_values.value(name); }

private:
    QStringList m_positional;
    QMap<QString, QStringList> m_values;
};

/// The options as the lines of a help text.
[[nodiscard]] std::string helpOf(std::span<const Option> options);

/// The candidate that was probably meant, or an empty text.
[[nodiscard]] QString closest(const QString& word, const QStringList& candidates);

} // namespace lockstep::session
