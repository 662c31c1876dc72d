// How long functions and classes may be.
#include "arch/source_shape.h"
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace lockstep;

namespace {

constexpr int MostLinesOfAFunction = 60;
constexpr int MostLinesOfAClass = 400;
constexpr int MostFunctionsOfAClass = 30;

test::SourceShape shapeOf(const QStringList& folders)
{
    const QDir root(QStringLiteral(LOCKSTEP_SOURCE_DIR));
    test::SourceShape shape;
    for (const QString& kind : {u"*.h"_s, u"*.cpp"_s}) {
        for (const QString& folder : folders) {
            QDirIterator walk(root.filePath(folder), {kind}, QDir::Files, QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                QFile file(walk.next());
                if (file.open(QIODevice::ReadOnly)) {
                    test::addShape(QString::fromUtf8(file.readAll()), root.relativeFilePath(file.fileName()), shape);
                }
            }
        }
    }
    return shape;
}

/// Names what is too long.
void mustBeEmpty(const QMap<QString, QString>& found)
{
    for (auto each = found.begin(); each != found.end(); ++each) {
        qWarning("%s", qPrintable(each.key() + u": "_s + each.value()));
    }
    QVERIFY2(found.isEmpty(), "these are too long");
}

} // namespace

class TestSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theScannerCounts()
    {
        test::SourceShape shape;
        QFile sample(QStringLiteral(LOCKSTEP_SOURCE_DIR "/tests/arch/sample.txt"));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        test::addShape(QString::fromUtf8(sample.readAll()), u"b.h"_s, shape);
        QCOMPARE(shape.functions.size(), 3);
        QCOMPARE(shape.functions[0].name, u"B::B"_s);
        QCOMPARE(shape.functions[0].lines, 5);
        QCOMPARE(shape.functions[2].name, u"B::declared"_s);
        QCOMPARE(shape.functions[2].lines, 5);
        QCOMPARE(shape.classes.size(), 2);
        QCOMPARE(shape.classes[u"a::B"_s].functions, 3);
        QCOMPARE(shape.classes[u"a::B"_s].lines, 15 + 5);
    }

    void functionsStayShort()
    {
        const test::SourceShape shape = shapeOf({u"core"_s, u"ui"_s, u"app"_s, u"tests"_s});
        QVERIFY(shape.functions.size() > 1000);
        QMap<QString, QString> found;
        for (const test::FunctionShape& function : shape.functions) {
            if (function.lines > MostLinesOfAFunction) {
                found[function.name] = u"%1 lines, at most %2"_s.arg(function.lines).arg(MostLinesOfAFunction);
            }
        }
        mustBeEmpty(found);
    }

    void classesStaySmall()
    {
        const test::SourceShape shape = shapeOf({u"core"_s, u"ui"_s, u"app"_s});
        QVERIFY(shape.classes.size() > 300);
        QMap<QString, QString> found;
        for (auto each = shape.classes.begin(); each != shape.classes.end(); ++each) {
            if (each->lines > MostLinesOfAClass || each->functions > MostFunctionsOfAClass) {
                found[each.key().section(u"::"_s, -1)] = u"%1 lines, %2 functions; at most %3 and %4"_s.arg(each->lines)
                                                             .arg(each->functions)
                                                             .arg(MostLinesOfAClass)
                                                             .arg(MostFunctionsOfAClass);
            }
        }
        mustBeEmpty(found);
    }
};

LOCKSTEP_TEST(TestSizes)
#include "test_sizes.moc"
