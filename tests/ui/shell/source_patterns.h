// The patterns of errors and log lines as the sources write them: `LS_TR("Messages", "%1 cannot be read: %2")`.
#pragma once

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <functional>
#include <set>
#include <vector>

namespace lockstep::test {

struct Pattern {
    QString where; ///< file and line
    QString text;
};

inline void eachSource(const std::function<void(const QString& path, const QString& source)>& visit)
{
    for (const char* room : {"/core", "/ui", "/app"}) {
        QDirIterator files(QStringLiteral(LOCKSTEP_SOURCE_DIR) + QLatin1String(room),
            {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly)) {
                visit(files.filePath(), QString::fromUtf8(file.readAll()));
            }
        }
    }
}

inline QString placeIn(const QString& path, const QString& source, qsizetype at)
{
    return QStringLiteral("%1:%2").arg(path).arg(source.left(at).count(u'\n') + 1);
}

inline std::vector<Pattern> patternsOfSources()
{
    // No raw string: moc would lose its place in it.
    static const QRegularExpression Marked(
        QStringLiteral("LS_TR\\(\\s*\"(?:Messages|Refusals)\",\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)\\)"));
    static const QRegularExpression Seam(QStringLiteral("\"\\s*\""));
    std::vector<Pattern> patterns;
    eachSource([&](const QString& path, const QString& source) {
        for (auto found = Marked.globalMatch(source); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const qsizetype line = source.lastIndexOf(u'\n', match.capturedStart()) + 1;
            if (source.mid(line, match.capturedStart() - line).contains(QStringLiteral("//"))) {
                continue; // an example in a comment
            }
            QString text = match.captured(1).trimmed();
            text = text.mid(1, text.size() - 2).replace(QStringLiteral("\\\""), QStringLiteral("\x01"));
            text.remove(Seam).replace(u'\x01', u'"').replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
            patterns.push_back({placeIn(path, source, match.capturedStart()), text});
        }
    });
    return patterns;
}

/// Where an error is made of a literal, outside of core/base.
inline QStringList errorsOfText()
{
    static const QRegularExpression Made(QStringLiteral("\\b(?:Error|refuse\\(|fail\\()\\{[^{};]*\""));
    QStringList errors;
    eachSource([&](const QString& path, const QString& source) {
        if (path.contains(QStringLiteral("/core/base/"))) {
            return;
        }
        for (auto found = Made.globalMatch(source); found.hasNext();) {
            errors += placeIn(path, source, found.next().capturedStart());
        }
    });
    return errors;
}

/// `%1` to `%9`.
inline std::set<QString> placesOf(const QString& text)
{
    static const QRegularExpression Place(QStringLiteral("%[1-9]"));
    std::set<QString> places;
    for (auto found = Place.globalMatch(text); found.hasNext();) {
        places.insert(found.next().captured());
    }
    return places;
}

} // namespace lockstep::test
