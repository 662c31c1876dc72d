// Text as Chinese keyboards type it: which characters stand for which, and where lists are divided.
#include "base/typed.h"
#include "program/test_class.h"

#include <QTest>

using namespace lockstep;

class TestTyped : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFullWidthFormHasItsTwin()
    {
        std::u32string wide;
        std::string ascii;
        for (char32_t code = 0xFF01; code <= 0xFF5E; ++code) {
            wide += code;
            ascii += static_cast<char>(code - 0xFF01 + '!');
        }
        QCOMPARE(withAsciiTwins(QString::fromStdU32String(wide).toStdString()), ascii);
        QCOMPARE(withAsciiTwins("、　“”‘’−≠≤≥"), std::string(", \"\"''-!=<=>="));
    }

    void otherTextStays()
    {
        for (const char* text :
            {"", "0.1, adam", "学习率。", "é\xCC\x81", "\xEF\xBC", "\xEF\xBD\x9F\xEF\xBC\x80", "\x80\xFF"}) {
            QCOMPARE(withAsciiTwins(text), std::string(text));
        }
    }

    void listsAreDividedAtEveryTwin()
    {
        const auto parts = [](std::string_view text, char separator) {
            QStringList found;
            for (const std::string_view part : splitTyped(text, separator)) {
                found += QString::fromUtf8(part);
            }
            return found.join(u'|');
        };
        QCOMPARE(parts("0.01，0.03、 0.1 ,1", ','), QStringLiteral("0.01|0.03|0.1|1"));
        QCOMPARE(parts("0；1,2 ;3", ';'), QStringLiteral("0|1,2|3"));
        QCOMPARE(parts("　a　，", ','), QStringLiteral("a|"));
        QCOMPARE(parts("", ','), QString());
        QCOMPARE(findTyped("lr＝1", '='), std::size_t{2});
        QCOMPARE(findTyped("lr", '='), std::string_view::npos);
    }
};

LOCKSTEP_TEST(TestTyped)
#include "test_typed.moc"
