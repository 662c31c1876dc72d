// Parameters are named where their rows are; all other code uses the member that a row fills.
#include "experiment/parameter.h"
#include "program/test_class.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace lockstep;

namespace {

/// `"train.batch"` in code: neither in lines of comments nor in raw strings, which hold JSON.
QStringList namesIn(QString text)
{
    static const QRegularExpression NoCode(uR"re(R"(\w*)\(.*?\)\1"|^\s*///?.*?$)re"_s,
        QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption);
    static const QRegularExpression Literal(uR"re("([a-z]+[._][a-z0-9._]+)")re"_s);
    text.remove(NoCode);
    QStringList names;
    for (auto each = Literal.globalMatch(text); each.hasNext();) {
        const QString name = each.next().captured(1);
        const experiment::Parameter* row = experiment::findParameter(name.toStdString());
        if (row != nullptr && !experiment::isOwnParameter(row->name)) {
            names += name;
        }
    }
    return names;
}

/// The rows; rooms that may not include them; a kind of findings that is called like a parameter.
bool isExcepted(const QString& file)
{
    const QStringList mayNotInclude{u"core/wire/"_s, u"core/rendezvous/"_s, u"core/base/"_s, u"core/engine/comm/"_s};
    return file.startsWith(u"core/experiment/"_s) || file.endsWith(u"/staleness.cpp"_s)
        || std::any_of(
            mayNotInclude.begin(), mayNotInclude.end(), [&](const QString& folder) { return file.startsWith(folder); });
}

} // namespace

class TestParameterNames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theScannerFindsNames()
    {
        QCOMPARE(namesIn(uR"(read("train.batch"); // like train.seed)"_s), QStringList{u"train.batch"_s});
        QCOMPARE(namesIn(u"    /// Like \"train.batch\".\n    int batch; // \"train.batch\"\n"_s),
            QStringList{u"train.batch"_s}); // a quoted word behind code counts
        QCOMPARE(namesIn(u"f(R\"({\"world_size\": 2})\"); g(\"world_size\")"_s), QStringList{u"world_size"_s});
        QCOMPARE(namesIn(u"f(\"train.nothing\")"_s), QStringList());
    }

    void noNameIsText()
    {
        const QDir root(QStringLiteral(LOCKSTEP_SOURCE_DIR));
        QStringList found;
        int files = 0;
        for (const QString& folder : {u"core"_s, u"ui"_s, u"app"_s}) {
            QDirIterator walk(root.filePath(folder), {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                QFile file(walk.next());
                const QString name = root.relativeFilePath(file.fileName());
                QVERIFY(file.open(QIODevice::ReadOnly));
                if (isExcepted(name)) {
                    continue;
                }
                ++files;
                for (const QString& each : namesIn(QString::fromUtf8(file.readAll()))) {
                    found += name + u": "_s + each;
                }
            }
        }
        QVERIFY(files > 500);
        QVERIFY2(found.isEmpty(),
            qPrintable(
                u"use the member that the row fills, as nameOf(&TrainSettings::batch):\n"_s + found.join(u'\n')));
    }
};

LOCKSTEP_TEST(TestParameterNames)
#include "test_parameter_names.moc"
