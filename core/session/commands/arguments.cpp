#include "session/commands/arguments.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace lockstep::session {

namespace {

[[nodiscard]] std::string allowed(std::span<const Option> options)
{
    std::string names;
    for (const Option& option : options) {
        names += (names.empty() ? "" : ", ") + std::string(option.name);
    }
    return names.empty() ? "none" : names;
}

/// Levenshtein distance.
[[nodiscard]] qsizetype distance(const QString& a, const QString& b)
{
    std::vector<qsizetype> row(static_cast<std::size_t>(b.size()) + 1);
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 0; i < a.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const qsizetype change = diagonal + (a[i] == b[static_cast<qsizetype>(j) - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row.back();
}

} // namespace

Result<Arguments> Arguments::parse(const QStringList& words, std::span<const Option> options)
{
    Arguments parsed;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words[i];
        if (word == QLatin1String("--")) {
            parsed.m_positional += words.mid(i + 1);
            break;
        }
        if (!word.startsWith(QLatin1String("--"))) {
            parsed.m_positional += word;
            continue;
        }
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        const QString name = equals < 0 ? word : word.left(equals);
        const auto known = std::find_if(
            options.begin(), options.end(), [&](const Option& option) { return name.toStdString() == option.name; });
        if (known == options.end()) {
            return Error{name.toStdString() + ": unknown option; allowed: " + allowed(options)};
        }
        if (known->value.empty()) {
            if (equals >= 0) {
                return Error{name.toStdString() + ": takes no value"};
            }
            parsed.m_values[name] += QString();
        } else if (equals >= 0) {
            parsed.m_values[name] += word.mid(equals + 1);
        } else if (i + 1 < words.size()) {
            parsed.m_values[name] += words[++i];
        } else {
            return Error{name.toStdString() + ": needs a value, " + std::string(known->value)};
        }
    }
    return parsed;
}

std::string helpOf(std::span<const Option> options)
{
    std::string text;
    for (const Option& option : options) {
        std::string left
            = "  " + std::string(option.name) + (option.value.empty() ? "" : " ") + std::string(option.value);
        left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
        text += left + std::string(option.help) + "\n";
    }
    return text;
}

QString closest(const QString& word, const QStringList& candidates)
{
    QString best;
    qsizetype smallest = std::max<qsizetype>(2, word.size() / 3) + 1;
    for (const QString& candidate : candidates) {
        const qsizetype away = distance(word, candidate);
        if (away < smallest) {
            smallest = away;
            best = candidate;
        }
    }
    return best;
}

} // namespace lockstep::session
