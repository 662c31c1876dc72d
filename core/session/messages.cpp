#include "session/messages.h"

#include "base/text.h"
#include "session/language.h"
#include "session/message_patterns.h"

#include <QRegularExpression>

#include <vector>

namespace lockstep::session {

namespace {

constexpr int DeepestPart = 6; ///< a message in a message in ...

struct Known {
    std::string_view pattern;
    QRegularExpression form;
    std::vector<int> places; ///< the number of the argument that each capture is
};

/// `%1` to `%9` become captures, the rest is literal.
Known knownOf(std::string_view pattern)
{
    Known known{pattern, {}, {}};
    QString form = QStringLiteral("^");
    std::string literal;
    const auto flush = [&] {
        form += QRegularExpression::escape(QString::fromStdString(literal));
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
    known.form.setPattern(form + u'$');
    known.form.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    return known;
}

const std::vector<Known>& allKnown()
{
    static const std::vector<Known> known = [] {
        std::vector<Known> made;
        for (const std::string_view pattern : messagePatterns()) {
            made.push_back(knownOf(pattern));
        }
        return made;
    }();
    return known;
}

std::string wordedPart(const std::string& message, int depth)
{
    const QString text = QString::fromStdString(message);
    for (const Known& known : allKnown()) {
        const QRegularExpressionMatch match = known.form.match(text);
        if (!match.hasMatch()) {
            continue;
        }
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < known.places.size(); ++i) {
            const auto place = static_cast<std::size_t>(known.places[i]);
            arguments.resize(std::max(arguments.size(), place));
            const std::string part = match.captured(static_cast<int>(i) + 1).toStdString();
            arguments[place - 1] = depth < DeepestPart ? wordedPart(part, depth + 1) : part;
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

} // namespace lockstep::session
