// One name, one class; and a header's name says which header it is.
#include "arch/source_shape.h"
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace lockstep;

namespace {

/// Headers of one name in two rooms, whose folders tell them apart: what is planned and what carries it out, the
/// registry of each room, the settings of runs and of the window. compat/gloo shadows headers of Gloo's own.
const QHash<QString, qsizetype> SharedNames{{u"local_sgd.h"_s, 2}, {u"net.h"_s, 2}, {u"registry.h"_s, 3},
    {u"settings.h"_s, 2}, {u"text.h"_s, 2}, {u"zero.h"_s, 2}};

QStringList filesOf(const QString& kind)
{
    const QDir root(QStringLiteral(LOCKSTEP_SOURCE_DIR));
    QStringList files;
    for (const QString& folder : {u"core"_s, u"ui"_s, u"app"_s}) {
        QDirIterator walk(root.filePath(folder), {kind}, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            files += root.relativeFilePath(walk.next());
        }
    }
    files.sort();
    return files;
}

/// How many of these files a build has at most: either those for CUDA or those without it.
qsizetype builtTogether(const QSet<QString>& files)
{
    const auto ending = [&files](const QString& end) {
        return std::ranges::count_if(files, [&end](const QString& file) { return file.endsWith(end); });
    };
    const auto cuda = ending(u"_cuda.cpp"_s);
    const auto absent = ending(u"absent.cpp"_s);
    return files.size() - cuda - absent + std::max(cuda, absent);
}

/// Each external class that several places define, with the places. One in an anonymous namespace has its file in its
/// name, and so is its file's own.
QStringList severalDefinitions(const test::SourceShape& shape)
{
    QStringList found;
    for (auto each = shape.classes.begin(); each != shape.classes.end(); ++each) {
        QSet<QString> files; // a template and its specialisations are in one
        for (const QString& definition : each->definitions) {
            files += definition.section(u':', 0, 0);
        }
        if (builtTogether(files) > 1 && !each.key().contains(u'{')) {
            found += each.key() + u": "_s + each->definitions.join(u", "_s);
        }
    }
    return found;
}

} // namespace

class TestNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoClassesOfOneNameAreSeen()
    {
        test::SourceShape shape;
        test::addShape(u"namespace a { struct B { int c; }; class D; }"_s, u"one.h"_s, shape);
        test::addShape(u"namespace a { class B { }; class D { }; namespace { struct E { }; } }"_s, u"two.h"_s, shape);
        test::addShape(u"namespace a { namespace { struct E { }; } }"_s, u"three.cpp"_s, shape);
        test::addShape(u"namespace a { struct F { }; }"_s, u"f_absent.cpp"_s, shape);
        test::addShape(u"namespace a { struct F { }; }"_s, u"f_cuda.cpp"_s, shape);
        QCOMPARE(severalDefinitions(shape), QStringList{u"a::B: one.h:1, two.h:1"_s});
    }

    void eachNameIsOneClass()
    {
        test::SourceShape shape;
        for (const QString& name : filesOf(u"*.h"_s) + filesOf(u"*.cpp"_s)) {
            QFile file(QStringLiteral(LOCKSTEP_SOURCE_DIR "/") + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            test::addShape(QString::fromUtf8(file.readAll()), name, shape);
        }
        QVERIFY(shape.classes.size() > 500);
        const QStringList several = severalDefinitions(shape);
        QVERIFY2(several.isEmpty(), qPrintable(several.join(u'\n')));
    }

    void eachHeaderHasANameOfItsOwn()
    {
        QMap<QString, QStringList> places;
        for (const QString& file : filesOf(u"*.h"_s)) {
            if (!file.startsWith(u"core/engine/compat/gloo/"_s)) {
                places[QFileInfo(file).fileName()] += file;
            }
        }
        QStringList repeated;
        for (auto each = places.begin(); each != places.end(); ++each) {
            if (each->size() > SharedNames.value(each.key(), 1)) {
                repeated += each->join(u" and "_s);
            }
        }
        QVERIFY2(repeated.isEmpty(), qPrintable(repeated.join(u'\n')));
    }
};

LOCKSTEP_TEST(TestNames)
#include "test_names.moc"
