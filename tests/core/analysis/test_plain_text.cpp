// Outside text as it is shown: what a terminal obeys is marked, files have names that every system takes, and two
// texts two names.
#include "analysis/plain_text.h"
#include "program/test_class.h"

#include <QSet>
#include <QTest>

#include <string>

#include <nlohmann/json.hpp>

using namespace lockstep;
using namespace std::string_literals;

namespace {

constexpr std::size_t MostNameBytes = 96;

QString cleaned(const std::string& text)
{
    return QString::fromStdString(analysis::cleanText(text));
}

} // namespace

class TestPlainText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsObeyedIsMarked_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto add = [](const char* name, const std::string& text) {
            QTest::addRow("%s", name) << QByteArray::fromStdString(text);
        };
        for (int code = 0; code < 0x20; ++code) {
            if (code != '\n' && code != '\t' && code != '\r') {
                QTest::addRow("C0 %02x", code) << QByteArray(1, static_cast<char>(code));
            }
        }
        add("DEL", "\x7F");
        for (int code = 0x80; code < 0xA0; ++code) {
            QTest::addRow("C1 %02x", code) << QByteArray("\xC2") + static_cast<char>(code);
        }
        for (const char32_t code : {U'\u061C', U'\u200E', U'\u200F', U'\u202A', U'\u202B', U'\u202C', U'\u202D',
                 U'\u202E', U'\u2066', U'\u2067', U'\u2068', U'\u2069', U'\uFFFE', U'\uFFFF'}) {
            QTest::addRow("U+%04X", static_cast<unsigned>(code)) << QString::fromUcs4(&code, 1).toUtf8();
        }
    }
    void whatIsObeyedIsMarked()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(cleaned("a" + text.toStdString() + "b"), QStringLiteral("a\uFFFDb"));
        QCOMPARE(QString::fromStdString(analysis::cleanLine(text.toStdString())), QStringLiteral("\uFFFD"));
        // In JSON it stays what it is, written otherwise.
        const std::string json = nlohmann::json(text.toStdString()).dump();
        const std::string clean = analysis::cleanJson(json);
        QCOMPARE(cleaned(clean), QString::fromStdString(clean));
        QCOMPARE(nlohmann::json::parse(clean).get<std::string>(), text.toStdString());
    }

    void brokenBytesAreMarked()
    {
        QCOMPARE(cleaned("\xFF"), QStringLiteral("\uFFFD"));
        QCOMPARE(cleaned("a\xC3"), QStringLiteral("a\uFFFD"));
        QCOMPARE(cleaned("\xED\xA0\x80"), QStringLiteral("\uFFFD\uFFFD\uFFFD")); // half a surrogate pair
        QCOMPARE(cleaned("\xC0\x80"), QStringLiteral("\uFFFD\uFFFD")); // NUL, written too long
    }

    void textStays()
    {
        const QString text = QStringLiteral("Adam µ=0.9 – 变体 \U0001F600 é ≤ <b> & \"x\"");
        QCOMPARE(cleaned(text.toStdString()), text);
        QCOMPARE(cleaned("a\r\n\tb\n"), QStringLiteral("a\n\tb\n"));
        QCOMPARE(QString::fromStdString(analysis::cleanLine("a\r\n\tb\u2028c")), QStringLiteral("a↵ b↵c"));
    }

    void nothingIsCutInTwo()
    {
        const std::string text = "e\u0301变\U0001F468\u200D\U0001F469x"; // é, 变, a couple, x
        for (std::size_t most = 3; most < text.size(); ++most) {
            const QString cut = QString::fromStdString(analysis::shortened(text, most));
            QVERIFY(cut.toUtf8().size() <= static_cast<qsizetype>(most));
            QVERIFY(cut.endsWith(u'…'));
            const QStringList whole{QString(), QStringLiteral("e\u0301"), QStringLiteral("e\u0301变"),
                QStringLiteral("e\u0301变\U0001F468\u200D\U0001F469")};
            QVERIFY2(whole.contains(cut.chopped(1)), qPrintable(cut));
        }
        QCOMPARE(analysis::shortened(text, text.size()), text);
    }

    void namesOfFiles_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("begin"); ///< a whole name, where it is the text
        const auto add
            = [](const QString& text, const QString& begin) { QTest::addRow("%s", qPrintable(text)) << text << begin; };
        for (const QString& same : {QStringLiteral("loss"), QStringLiteral("训练损失"), QStringLiteral("val_loss-2.1"),
                 QStringLiteral("потеря"), QStringLiteral("損失率")}) {
            add(same, same);
        }
        add(QStringLiteral("a/b"), QStringLiteral("a-b-"));
        add(QStringLiteral("a:b"), QStringLiteral("a-b-"));
        add(QStringLiteral("a\\b|c?*<>\"d"), QStringLiteral("a-b-c-d-"));
        add(QStringLiteral(" a "), QStringLiteral("a-"));
        add(QStringLiteral("../../etc"), QStringLiteral("etc-"));
        add(QStringLiteral("con"), QStringLiteral("_con-"));
        add(QStringLiteral("LPT1.x"), QStringLiteral("_LPT1.x-"));
        add(QStringLiteral("准确率 / 测试"), QStringLiteral("准确率-测试-"));
        add(QStringLiteral("???"), QString());
        add(QString(), QString());
        add(QString(200, u'变'), QString(28, u'变'));
    }
    void namesOfFiles()
    {
        QFETCH(QString, text);
        QFETCH(QString, begin);
        const QString name = QString::fromStdString(analysis::fileNameOf(text.toStdString()));
        QVERIFY2(name.startsWith(begin), qPrintable(name));
        QVERIFY(!name.isEmpty() && name.toUtf8().size() <= static_cast<qsizetype>(MostNameBytes));
        QVERIFY(!name.endsWith(u'.') && !name.endsWith(u'-') && !name.startsWith(u'.') && !name.startsWith(u'-'));
        for (const QChar each : name) {
            QVERIFY2(!QStringLiteral("<>:\"/\\|?* ").contains(each) && each.isPrint(), qPrintable(name));
        }
        QCOMPARE(QString::fromStdString(analysis::fileNameOf(name.toStdString())), name); // once is enough
    }

    void twoTextsAreTwoFiles()
    {
        QSet<std::string> names;
        int texts = 0;
        const std::string signs = "/:\\|?*<>\" \t\n-.";
        for (const char a : signs) {
            for (const char b : signs) {
                for (const std::string& middle : {"loss"s, "损失"s, std::string(300, 'x')}) {
                    names.insert(analysis::fileNameOf(std::string(1, a) + middle + b));
                    ++texts;
                }
            }
        }
        QCOMPARE(names.size(), texts);
    }
};

LOCKSTEP_TEST(TestPlainText)
#include "test_plain_text.moc"
