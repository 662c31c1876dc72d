// The Chinese translation is complete: nothing unfinished, no placeholder lost, every parameter and finding there.
#include "experiment/parameter.h"
#include "program/test_class.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <map>

class TestTranslations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QFile file(QStringLiteral(LOCKSTEP_SOURCE_DIR "/translations/lockstep_zh_CN.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString context;
        QString source;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) {
                continue;
            }
            if (xml.name() == u"name") {
                context = xml.readElementText();
            } else if (xml.name() == u"source") {
                source = xml.readElementText();
            } else if (xml.name() == u"translation") {
                const bool isDone = !xml.attributes().hasAttribute(QStringLiteral("type"));
                m_texts[{context, source}]
                    = isDone ? xml.readElementText(QXmlStreamReader::IncludeChildElements) : QString();
            }
        }
        QVERIFY(!xml.hasError());
        QVERIFY(m_texts.size() > 250);
    }

    void nothingIsUnfinished()
    {
        QStringList unfinished;
        for (const auto& [key, text] : m_texts) {
            if (text.trimmed().isEmpty()) {
                unfinished << key.second;
            }
        }
        QVERIFY2(unfinished.isEmpty(), qPrintable(unfinished.join(u'\n')));
    }

    void placeholdersAreKept()
    {
        const QRegularExpression place(QStringLiteral("%(?:\\d|n)"));
        for (const auto& [key, text] : m_texts) {
            auto found = place.globalMatch(key.second);
            while (found.hasNext()) {
                const QString placeholder = found.next().captured();
                QVERIFY2(text.contains(placeholder), qPrintable(key.second));
            }
        }
    }

    void everyParameterIsThere()
    {
        for (const auto& parameter : lockstep::experiment::parameters()) {
            for (const std::string_view text : {parameter.label, parameter.help, parameter.group}) {
                const QString source = QString::fromUtf8(text.data(), qsizetype(text.size()));
                QVERIFY2(m_texts.contains({QStringLiteral("Parameters"), source}), qPrintable(source));
            }
        }
    }

private:
    std::map<std::pair<QString, QString>, QString> m_texts;
};

LOCKSTEP_TEST(TestTranslations)
#include "test_translations.moc"
