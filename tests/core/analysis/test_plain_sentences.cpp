// Sentences of findings are short in both languages: every pattern with made-up values in its places.
#include "program/test_class.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <map>

namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype MostWords = 25; ///< of an English sentence
constexpr qsizetype MostCharacters = 45; ///< of a Chinese one

/// The patterns of LS_TR("Findings", ...) in the sources of the analysis.
QStringList patterns()
{
    static const QRegularExpression Marked(u"LS_TR\\(\\s*\"Findings\",\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)\\)"_s);
    static const QRegularExpression Part(u"\"((?:[^\"\\\\]|\\\\.)*)\""_s);
    QStringList found;
    QDirIterator files(
        QStringLiteral(LOCKSTEP_SOURCE_DIR "/core/analysis"), {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly)) {
            continue;
        }
        for (const QRegularExpressionMatch& match : Marked.globalMatch(QString::fromUtf8(file.readAll()))) {
            QString pattern;
            for (const QRegularExpressionMatch& part : Part.globalMatch(match.captured(1))) {
                pattern += part.captured(1);
            }
            found += pattern;
        }
    }
    found.removeDuplicates();
    return found;
}

/// Of the context Findings.
std::map<QString, QString> chinese()
{
    std::map<QString, QString> texts;
    QFile file(QStringLiteral(LOCKSTEP_SOURCE_DIR "/translations/lockstep_zh_CN.ts"));
    if (!file.open(QIODevice::ReadOnly)) {
        return texts;
    }
    QXmlStreamReader reader(&file);
    QString source;
    bool isOfFindings = false;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (reader.name() == u"name"_s) {
            isOfFindings = reader.readElementText() == u"Findings"_s;
        } else if (isOfFindings && reader.name() == u"source"_s) {
            source = reader.readElementText();
        } else if (isOfFindings && reader.name() == u"translation"_s) {
            texts[source] = reader.readElementText();
        }
    }
    return texts;
}

/// A name or a value with its unit is two words: `Dirichlet 0.05`, `16.1 ms`.
QString filledIn(QString pattern)
{
    static const QRegularExpression Place(u"%[1-9]"_s);
    return pattern.replace(Place, u"Adam 0.05"_s);
}

/// Those of the longest sentence.
qsizetype wordsIn(const QString& pattern)
{
    static const QRegularExpression End(u"(?<=[.!?])\\s+(?=[A-Z])"_s);
    static const QRegularExpression Word(u"\\S*[A-Za-z0-9]\\S*"_s);
    qsizetype most = 0;
    for (const QString& sentence : filledIn(pattern).split(End)) {
        qsizetype words = 0;
        for (auto each = Word.globalMatch(sentence); each.hasNext(); each.next()) {
            ++words;
        }
        most = std::max(most, words);
    }
    return most;
}

/// Chinese characters, with their punctuation, and words of other letters, as word processors count them.
qsizetype charactersIn(const QString& pattern)
{
    static const QRegularExpression End(u"[。！？]"_s);
    static const QRegularExpression Counted(u"[\\x{3000}-\\x{303f}\\x{4e00}-\\x{9fff}\\x{ff00}-\\x{ffef}]|"
                                            "[A-Za-z0-9_.,/+−×-]+"_s);
    qsizetype most = 0;
    for (const QString& sentence : filledIn(pattern).split(End)) {
        qsizetype characters = 0;
        for (auto each = Counted.globalMatch(sentence); each.hasNext(); each.next()) {
            ++characters;
        }
        most = std::max(most, characters);
    }
    return most;
}

} // namespace

class TestPlainSentences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void lengthsAreCounted()
    {
        QCOMPARE(wordsIn(u"%1 takes %2 times as long. It waits."_s), 8);
        QCOMPARE(charactersIn(u"%1 较慢：用 %2 ms。"_s), 9);
    }

    void everySentenceIsShort_data()
    {
        QTest::addColumn<QString>("pattern");
        const QStringList all = patterns();
        QVERIFY2(all.size() >= 200, qPrintable(QString::number(all.size())));
        for (const QString& pattern : all) {
            QTest::newRow(qPrintable(pattern)) << pattern;
        }
    }
    void everySentenceIsShort()
    {
        QFETCH(QString, pattern);
        QVERIFY2(wordsIn(pattern) <= MostWords, qPrintable(filledIn(pattern)));
        static const auto Chinese = chinese();
        const auto translated = Chinese.find(pattern);
        QVERIFY2(translated != Chinese.end(), "no Chinese");
        QVERIFY2(charactersIn(translated->second) <= MostCharacters, qPrintable(filledIn(translated->second)));
    }

    /// How it was measured stands once below the findings, in none of them.
    void noSentenceSpeaksOfItsMethod()
    {
        static const QRegularExpression Method(u"n = |confidence interval|log scale|smoothed|logit"_s);
        for (const QString& pattern : patterns()) {
            const bool isNote = pattern.startsWith(u"Numbers are means"_s) || pattern.startsWith(u"Runs took turns"_s)
                || pattern.startsWith(u"Steps to a loss"_s);
            const bool isAdvice = pattern.endsWith(u"Add repeats to get confidence intervals."_s);
            QVERIFY2(isNote || isAdvice || !pattern.contains(Method), qPrintable(pattern));
        }
    }
};

LOCKSTEP_TEST(TestPlainSentences)
#include "test_plain_sentences.moc"
