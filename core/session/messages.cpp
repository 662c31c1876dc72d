#include "session/messages.h"

#include "base/text.h"
#include "base/translate.h"
#include "session/language.h"
#include "session/message_patterns.h"

#include <QRegularExpression>

#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

namespace lockstep::session {

namespace {

constexpr int DeepestPart = 6; ///< a message in a message in ...
/// How many characters a pattern that begins with text is ahead of one that begins with an argument: `line %1: %2` of
/// `%1: %2 is not %3`.
constexpr qsizetype BeginsWithText = 4;

struct Known {
    std::string_view pattern;
    QString longest; ///< literal part: a text without it is not this one
    qsizetype literals = 0; ///< characters outside the arguments, and BeginsWithText
    QRegularExpression form;
    std::vector<int> places; ///< the number of the argument that each capture is
};

/// `%1` to `%9` become captures, the rest is literal.
Known knownOf(std::string_view pattern)
{
    Known known{pattern, {}, 0, {}, {}};
    QString form = QStringLiteral("^");
    std::string literal;
    const auto flush = [&] {
        const QString part = QString::fromStdString(literal);
        form += QRegularExpression::escape(part);
        known.literals += part.size();
        known.longest = part.size() > known.longest.size() ? part : known.longest;
        literal.clear();
    };
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isPlace
            = pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
        if (isPlace) {
            flush();
            form += QStringLiteral("(.+?)");
            known.places.push_back(pattern[++i] - '0');
        } else {
            literal += pattern[i];
        }
    }
    flush();
    known.literals += pattern.starts_with('%') ? 0 : BeginsWithText;
    known.form.setPattern(form + u'$');
    known.form.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    return known;
}

/// Special ones before general ones, so that the first that fits is taken: the more literal text, the more special.
const std::vector<Known>& allKnown()
{
    static const std::vector<Known> known = [] {
        std::vector<Known> made;
        for (const auto& patterns : {messagePatterns(), errorPatterns(), filePatterns()}) {
            std::ranges::transform(patterns, std::back_inserter(made), knownOf);
        }
        std::ranges::stable_sort(made, std::greater(), &Known::literals);
        return made;
    }();
    return known;
}

/// `strategy.name is pipeline or grid and train.batch is 8`
std::string wordedConditions(const std::string& conditions)
{
    QString text = QString::fromStdString(conditions);
    for (const std::string_view word : {LS_TR("Messages", " is not "), LS_TR("Messages", " is "),
             LS_TR("Messages", " or "), LS_TR("Messages", " and ")}) {
        text.replace(QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size())),
            QString::fromStdString(translated("Messages", word)));
    }
    return text.toStdString();
}

/// A match may begin within brackets and end outside of them; then the text is another message.
bool hasWholeBrackets(const QString& part)
{
    int depth = 0;
    for (const QChar c : part) {
        depth += c == u'(' || c == u'[' ? 1 : c == u')' || c == u']' ? -1 : 0; // [1, inf) is whole
        if (depth < 0) {
            return false;
        }
    }
    return depth == 0;
}

bool isMessage(const QRegularExpressionMatch& match)
{
    const QStringList parts = match.capturedTexts().mid(1);
    return match.hasMatch() && std::ranges::all_of(parts, hasWholeBrackets);
}

std::string wordedPart(const std::string& message, int depth)
{
    const QString text = QString::fromStdString(message);
    for (const Known& known : allKnown()) {
        const QRegularExpressionMatch match
            = text.contains(known.longest) ? known.form.match(text) : QRegularExpressionMatch();
        if (!isMessage(match)) {
            continue;
        }
        const bool hasConditions = known.pattern.find("it applies where %") != std::string_view::npos;
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < known.places.size(); ++i) {
            const auto place = static_cast<std::size_t>(known.places[i]);
            arguments.resize(std::max(arguments.size(), place));
            const std::string part = match.captured(static_cast<int>(i) + 1).toStdString();
            arguments[place - 1] = hasConditions && i + 1 == known.places.size() ? wordedConditions(part)
                : depth < DeepestPart                                            ? wordedPart(part, depth + 1)
                                                                                 : part;
        }
        return filled(translated("Messages", known.pattern), arguments);
    }
    return message;
}

} // namespace

std::string worded(std::string_view message)
{
    return textLanguage() == TextLanguage::English ? std::string(message) : wordedPart(std::string(message), 0);
}

std::string findingSentence(const analysis::Finding& finding)
{
    analysis::Finding own = finding;
    std::ranges::transform(own.arguments, own.arguments.begin(), worded);
    return analysis::sentence(own, [](std::string_view text) {
        const std::string pattern = translated("Findings", text);
        return pattern == text ? translated("Parameters", text) : pattern; // a label is no finding's pattern
    });
}

} // namespace lockstep::session
