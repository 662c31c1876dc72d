// The texts of errors as the sources write them, read from the sources: `Error{path + ": cannot be read"}`.
#pragma once

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <vector>

namespace lockstep::test {

struct SourceError {
    QString where; ///< file and line
    QString text; ///< with 7 in the place of each argument
};

/// The end of the string literal that begins there.
inline qsizetype afterLiteral(const QString& source, qsizetype at)
{
    for (++at; at < source.size() && source[at] != u'"'; ++at) {
        at += source[at] == u'\\' ? 1 : 0;
    }
    return at + 1;
}

/// From behind a bracket to the one that closes it.
inline QString bracketed(const QString& source, qsizetype begin)
{
    int depth = 1;
    qsizetype at = begin;
    while (at < source.size() && depth > 0) {
        const QChar c = source[at];
        depth += c == u'{' || c == u'(' ? 1 : c == u'}' || c == u')' ? -1 : 0;
        at = c == u'"' ? afterLiteral(source, at) : at + 1;
    }
    return source.mid(begin, at - 1 - begin);
}

/// Literals stay, each expression between them is a 7. One after a letter is the rest of a sentence, as in `"GPU" + s`
/// or `"GPUs" + more`, and may be empty.
inline QString exampleOf(QString argument)
{
    // No raw string: moc would lose its place in it.
    static const QRegularExpression Text(QStringLiteral("\\bstd::string\\((\"(?:[^\"\\\\]|\\\\.)*\")\\)"));
    argument.replace(Text, QStringLiteral("\\1"));
    QString text;
    QString expression;
    int depth = 0;
    const auto flush = [&] {
        const bool isRest = !text.isEmpty() && text.back().isLetter();
        text += expression.trimmed().isEmpty() || isRest ? QString() : QStringLiteral("7");
        expression.clear();
    };
    for (qsizetype at = 0; at < argument.size();) {
        const QChar c = argument[at];
        const qsizetype next = c == u'"' ? afterLiteral(argument, at) : at + 1;
        depth += c == u'{' || c == u'(' ? 1 : c == u'}' || c == u')' ? -1 : 0;
        if (depth == 0 && (c == u'"' || c == u'+')) {
            flush();
            text += c == u'"' ? argument.mid(at + 1, next - at - 2) : QString();
        } else {
            expression += argument.mid(at, next - at);
        }
        at = next;
    }
    flush();
    return text;
}

/// fmt::format("{} of {}", a, b) as a sum of its parts would be.
inline QString withoutFormat(const QString& argument)
{
    static const QRegularExpression Format(QStringLiteral(R"re(\A\s*fmt::format\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+))re"));
    static const QRegularExpression Place(QStringLiteral(R"(\{[^{}]*\})"));
    const QRegularExpressionMatch match = Format.match(argument);
    return match.hasMatch() ? exampleOf(match.captured(1)).replace(Place, QStringLiteral("7")) : exampleOf(argument);
}

/// Without those that choose between texts, which no example can be made of.
inline std::vector<SourceError> errorsOfSources(const QString& folder)
{
    static const QRegularExpression Begin(QStringLiteral("\\b(?:Error|refuse\\()\\{"));
    std::vector<SourceError> errors;
    QDirIterator files(
        folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) {
            continue;
        }
        const QString source = QString::fromUtf8(file.readAll());
        for (auto found = Begin.globalMatch(source); found.hasNext();) {
            const qsizetype at = found.next().capturedEnd();
            const QString argument = bracketed(source, at);
            const QString text = withoutFormat(argument).replace(QStringLiteral("\\\""), QStringLiteral("\""));
            if (!argument.contains(u'?') && argument.contains(u'"') && !argument.contains(QStringLiteral(".arg("))) {
                errors.push_back(
                    {QStringLiteral("%1:%2").arg(files.filePath()).arg(source.left(at).count(u'\n') + 1), text});
            }
        }
    }
    return errors;
}

} // namespace lockstep::test
